import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect as connectTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type ConnectOptions } from './client.ts'
import { generateKey } from './keys/generate.ts'
import { parsePrivateKey } from './keys/private-key.ts'
import { needsMac } from './packets/ciphers.ts'
import { OpenSsh } from './testing/openssh.ts'
import { startSshd, type TestSshd } from './testing/sshd.ts'
import { TestServer } from './testing/test-server.ts'
import { type Algorithms, legacyAlgorithms } from './transport/algorithms.ts'

/** OpenSSH of the machine may not know the newest. */
const knownToOpenSsh = execFileSync('ssh', ['-Q', 'kex'], { encoding: 'utf8' }).split('\n')
const kexes = legacyAlgorithms.kex.filter((name) => knownToOpenSsh.includes(name))
const { cipher: ciphers, mac: macs } = legacyAlgorithms
const protections = [
  ...ciphers.filter((cipher) => !needsMac(cipher)).map((cipher) => ({ cipher, mac: 'none' })),
  ...ciphers.filter(needsMac).map((cipher) => ({ cipher, mac: 'hmac-sha2-256-etm@openssh.com' })),
  ...macs.slice(1).map((mac) => ({ cipher: 'aes128-ctr', mac })),
  { cipher: 'aes256-cbc', mac: 'hmac-sha1' },
  { cipher: '3des-cbc', mac: 'hmac-sha1' },
]

let folder: string
let server: TestServer
let ssh: OpenSsh
let sshd: TestSshd

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ssh-algorithms-'))
  server = await TestServer.start({ algorithms: legacyAlgorithms, rekeyBytes: 1_000_000 })
  ssh = new OpenSsh(server.port, folder)
  sshd = await startSshd([
    `Ciphers ${ciphers.join(',')}`,
    `MACs ${macs.join(',')}`,
    `KexAlgorithms ${kexes.join(',')}`,
    'HostKeyAlgorithms +ssh-rsa',
    'RekeyLimit 700K',
  ])
})
afterAll(async () => {
  await Promise.all([server.stop(), sshd.stop()])
  await rm(folder, { recursive: true, force: true })
})

test.for(kexes)("OpenSSH's client exchanges keys with our server by %s", async (kex) => {
  const ran = await ssh.run('ann', [`-oKexAlgorithms=${kex}`, 'echo hello'])
  expect(ran).toMatchObject({ stdout: 'hello\n', code: 0 })
})

test.for(protections)(
  "OpenSSH's client and our server change keys in the midst of data both ways, with $cipher and $mac",
  async ({ cipher, mac }) => {
    const input = randomBytes(3_000_000)
    const chosen = [`-oCiphers=${cipher}`, ...(mac === 'none' ? [] : [`-oMACs=${mac}`])]
    const ran = await ssh.run('ann', [...chosen, '-oRekeyLimit=700K', 'cat'], { input })
    expect(ran.bytes.equals(input), ran.stderr).toBe(true)
  },
)

/** What `cat` on sshd gives back, over a connection with these algorithms. */
async function throughSshd(
  input: Buffer,
  algorithms: Partial<Algorithms>,
  more: Partial<ConnectOptions> = {},
) {
  const socket = connectTcp({ port: sshd.port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  const client = await connect(socket, {
    ident: 'Test',
    username: sshd.username,
    methods: [{ method: 'publickey', key: parsePrivateKey(sshd.privateKey) }],
    verifyHostKey: () => {},
    algorithms: { ...legacyAlgorithms, ...algorithms },
    loginMs: 20_000,
    replyMs: 20_000,
    keepaliveMs: 20_000,
    ...more,
  })
  const session = await client.openSession()
  await session.exec('cat')
  session.end(input)
  const output = await buffer(session)
  client.end()
  return output
}

test.for(kexes)('our client exchanges keys with sshd by %s', async (kex) => {
  expect((await throughSshd(Buffer.from('hello'), { kex: [kex] })).toString()).toBe('hello')
})

test.for(protections)(
  'our client and sshd change keys in the midst of data both ways, with $cipher and $mac',
  async ({ cipher, mac }) => {
    const input = randomBytes(3_000_000)
    const output = await throughSshd(input, { cipher: [cipher], mac: [mac] }, { rekeyBytes: 1_000_000 })
    expect(output.equals(input)).toBe(true)
  },
)

test("our server proves itself to OpenSSH's client by every kind of key", async () => {
  const hostKeys = [await generateKey('ecdsa-sha2-nistp256'), await generateKey('ssh-rsa')]
  const other = await TestServer.start({ hostKeys })
  for (const algorithm of ['ecdsa-sha2-nistp256', 'rsa-sha2-512', 'rsa-sha2-256']) {
    const ran = await new OpenSsh(other.port, folder).run('ann', [
      `-oHostKeyAlgorithms=${algorithm}`,
      'echo hello',
    ])
    expect(ran.stdout, ran.stderr).toBe('hello\n')
  }
  await other.stop()
})
