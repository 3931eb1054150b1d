import { randomBytes } from 'node:crypto'
import { Keygen } from '@sallyport/ssh/testing/keygen'
import { startSshd, type TestSshd } from '@sallyport/ssh/testing/sshd'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exec } from '../../testing/client.ts'
import { startTestBench, type TestBench } from '../../testing/gateway.ts'
import type { TestHost } from '../../testing/people.ts'

let bench: TestBench
const keygen = new Keygen()
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(async () => {
  await bench.stop()
  keygen.dispose()
})

/** `isOld`: its platform allows what only old servers need. */
function hostOf(sshd: TestSshd, isOld: boolean): TestHost {
  const { username, privateKey: secret } = sshd
  const host = bench.server.addHost(sshd.host, sshd.port, { username, secret, secret_type: 'ssh_key' })
  host.platform = { name: 'Server', category: 'host', type: 'unix', old_ssh_version: isOld }
  bench.server.allow(bench.user, host)
  return host
}

test.for([
  { cipher: 'aes256-ctr', mac: 'hmac-sha2-256', isOld: false },
  { cipher: 'aes128-ctr', mac: 'hmac-sha2-512', isOld: false },
  { cipher: 'aes128-cbc', mac: 'hmac-sha1', isOld: true },
  { cipher: 'aes256-cbc', mac: 'hmac-sha2-256', isOld: true },
  { cipher: 'aes128-cbc', mac: 'hmac-sha2-256-etm@openssh.com', isOld: true },
  { cipher: '3des-cbc', mac: 'hmac-sha1', isOld: true },
])(
  'a target that knows nothing but $cipher with $mac takes and gives data of every size',
  async ({ cipher, mac, isOld }) => {
    const sshd = await startSshd([`Ciphers ${cipher}`, `MACs ${mac}`])
    const host = hostOf(sshd, isOld)
    for (const size of [1, 100, 5 * 1024, 20_000, 32 * 1024, 1024 * 1024]) {
      const client = exec('cat').collect()
      const session = bench.open(client, { host })
      const data = randomBytes(size)
      client.stdin.end(data)
      expect(await client.exited, `${size} bytes`).toEqual({ kind: 'status', code: 0 })
      expect(await session.done).toMatchObject({ reason: 'target_closed' })
      expect(client.output.equals(data), `${size} bytes`).toBe(true)
    }
    await sshd.stop()
  },
)

test.for(['diffie-hellman-group1-sha1', 'diffie-hellman-group14-sha1', 'diffie-hellman-group-exchange-sha1'])(
  'an old server with nothing but %s, ssh-rsa and CBC is reached where its platform allows it, and nowhere else',
  async (kex) => {
    const name = `rsa-${kex}`
    keygen.generate(name, '-t', 'rsa', '-b', '2048')
    const sshd = await startSshd([
      `HostKey ${keygen.path(name)}`,
      'HostKeyAlgorithms ssh-rsa',
      `KexAlgorithms ${kex}`,
      'Ciphers aes128-cbc,3des-cbc',
      'MACs hmac-sha1',
    ])
    const run = async (isOld: boolean) => {
      const client = exec('echo here').collect()
      const session = bench.open(client, { host: hostOf(sshd, isOld) })
      return { ...(await session.done), client }
    }
    const refused = await run(false)
    expect(refused).toMatchObject({ reason: 'target_failed' })
    expect(refused.detail).toContain('an administrator can allow the old ones in its platform')
    const reached = await run(true)
    expect(reached).toMatchObject({ reason: 'target_closed' })
    expect(reached.client.text).toBe('here\n')
    await sshd.stop()
  },
)
