/** What a server that says it is MySQL is told before anybody knows who it is. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext, TLSSocket } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { startListener } from '../../testing/listener.ts'
import { probeMysql } from './mysql.ts'

const home = mkdtempSync(join(tmpdir(), 'mysql-'))
const [key, cert] = [join(home, 'key.pem'), join(home, 'cert.pem')]
const named = ['-subj', '/CN=db', '-addext', 'subjectAltName=IP:127.0.0.1']
const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert]
execFileSync('openssl', ['req', '-x509', ...made, ...named], { stdio: 'ignore' })
const secureContext = createSecureContext({ key: readFileSync(key), cert: readFileSync(cert) })

const packet = (sequence: number, ...parts: (string | number[])[]) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
  return Buffer.concat([Buffer.from([body.byteLength, 0, 0, sequence]), body])
}
const plugin = 'caching_sha2_password\0'
/** MySQL 8 with TLS. */
const greeting = packet(
  0,
  [10],
  '8.0.0\0',
  [1, 0, 0, 0],
  'AAAAAAAA\0',
  [0x00, 0x8a, 45, 2, 0, 0x08, 0x00, 21],
  '\0'.repeat(10),
  'BBBBBBBBBBBB\0',
  plugin,
)
let heard = ''
const server = await startListener((socket: Socket) => {
  socket.write(greeting)
  socket.once('data', (asked: Buffer) => {
    socket.pause()
    // What came along with the 36 bytes that ask for TLS is its beginning.
    if (asked.byteLength > 36) socket.unshift(asked.subarray(36))
    const secured = new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => {})
    secured.once('data', (answer: Buffer) => {
      // It does not know the secret, and asks for it.
      secured.write(packet(answer.readUInt8(3) + 1, [1, 4]))
      secured.on('data', (told: Buffer) => {
        heard += told.toString('latin1', 4)
        secured.write(packet(told.readUInt8(3) + 1, [0, 0, 0, 2, 0, 0, 0]))
      })
    })
  })
})
afterAll(() => {
  server.close()
  rmSync(home, { recursive: true })
})

const signIn = async (tls: Parameters<typeof probeMysql>[0]['tls']) => {
  heard = ''
  const { port } = server
  await probeMysql(
    { address: '127.0.0.1', port, db_name: '', tls, username: 'op', secret: 'open sesame' },
    {
      dialer: { dial: (host, at) => Promise.resolve(connect(at, host)) },
      where: `127.0.0.1:${port}`,
      timeoutMs: 5000,
      signal: AbortSignal.timeout(10_000),
    },
  )
}

test('the password itself is told to nobody whose certificate is not looked at', async () => {
  await expect(signIn(null)).rejects.toMatchObject({ code: 'target_sign_in_unsupported' })
  expect(heard).not.toContain('open sesame')
})

test('the password itself is told where the asset says how the certificate is checked', async () => {
  await signIn({ ca: readFileSync(cert, 'utf8'), cert: '', key: '', allow_invalid: false })
  expect(heard).toContain('open sesame')
})
