/** What a server that says it is MySQL is told before anybody knows who it is. */
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { makeCertificate } from '../../testing/certificate.ts'
import { databaseSecret, probeHere } from '../../testing/database-probe.ts'
import { startListener } from '../../testing/listener.ts'
import type { Database } from './database.ts'
import { probeMysql } from './mysql.ts'

const certificate = makeCertificate()

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
    const secured = new TLSSocket(socket, { isServer: true, secureContext: certificate.context }).on(
      'error',
      () => {},
    )
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
afterAll(() => server.close())

const signIn = async (tls: Database['tls']) => {
  heard = ''
  await probeHere(probeMysql, server.port, tls)
}

test('the password itself is told to nobody whose certificate is not looked at', async () => {
  for (const tls of [null, { ...certificate.authority, allow_invalid: true }]) {
    await expect(signIn(tls)).rejects.toMatchObject({ code: 'target_sign_in_unsupported' })
    expect(heard).not.toContain(databaseSecret)
  }
})

test('the password itself is told where the asset says how the certificate is checked', async () => {
  await signIn(certificate.authority)
  expect(heard).toContain(databaseSecret)
})
