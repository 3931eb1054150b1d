import { randomBytes } from 'node:crypto'
import { startSshd } from '@sallyport/ssh/testing/sshd'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exec } from '../../testing/client.ts'
import { startTestBench, type TestBench } from '../../testing/gateway.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(async () => {
  await bench.stop()
})

test.for([
  { cipher: 'aes256-ctr', mac: 'hmac-sha2-256' },
  { cipher: 'aes128-ctr', mac: 'hmac-sha2-512' },
  { cipher: 'aes128-cbc', mac: 'hmac-sha1' },
  { cipher: 'aes256-cbc', mac: 'hmac-sha2-256' },
  { cipher: 'aes128-cbc', mac: 'hmac-sha2-256-etm@openssh.com' },
])(
  'a target that knows nothing but $cipher with $mac takes and gives data of every size',
  async ({ cipher, mac }) => {
    const sshd = await startSshd([`Ciphers ${cipher}`, `MACs ${mac}`])
    const host = bench.server.addHost(sshd.host, sshd.port, {
      username: sshd.username,
      secret: sshd.privateKey,
      secret_type: 'ssh_key',
    })
    bench.server.allow(bench.user, host)
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
