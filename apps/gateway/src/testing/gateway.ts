import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig, type Config } from '../config.ts'
import { Gateway } from '../gateway.ts'
import type { Session } from '../session/session.ts'
import type { TestClient } from './client.ts'
import { TestServer, type TestHost, type TestUser } from './server.ts'
import { startSshd, type TestSshd } from '@sallyport/ssh/testing/sshd'

/** A gateway in this process with its server, a real sshd, one person and one host. */
export interface TestBench {
  server: TestServer
  sshd: TestSshd
  gateway: Gateway
  config: Config
  user: TestUser
  host: TestHost
  /** Opens a session of `user` on `host` unless on another; `user_id` has it counted as another person's. */
  open(client: TestClient, changes?: { user_id?: string; host?: TestHost }): Session
  stop(): Promise<void>
}

/** `settings` are what `terminals/config/` answers. */
export async function startTestBench(
  environment: NodeJS.ProcessEnv = {},
  settings: Record<string, unknown> = {},
): Promise<TestBench> {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-gateway-'))
  const server = new TestServer()
  Object.assign(server.settings, settings)
  await server.start()
  const sshd = await startSshd()
  const config = readConfig({
    SALLYPORT_DATA: folder,
    SALLYPORT_API: server.url,
    SALLYPORT_BOOTSTRAP_TOKEN: server.bootstrapToken,
    ...environment,
  })
  const log = pino({ level: process.env.SALLYPORT_LOG ?? 'silent' })
  const gateway = new Gateway(config, log)
  await gateway.open()
  await gateway.start('http://127.0.0.1:1')
  const user = server.addUser('ann')
  const host = server.addHost(sshd.host, sshd.port, {
    username: sshd.username,
    secret: sshd.privateKey,
    secret_type: 'ssh_key',
  })
  server.allow(user, host)
  return {
    server,
    sshd,
    gateway,
    config,
    user,
    host,
    open(client, { user_id = user.id, host: target = host } = {}) {
      const token = server.createToken(user, target)
      const session = gateway.openSession({
        client,
        login_from: 'ST',
        remote_addr: '127.0.0.9',
        language: 'en',
        user_id,
        ask: async () => ({ grant: await gateway.api.tokenSecret(token.id, 'en') }),
      })
      return session
    },
    async stop() {
      await gateway.stop(0)
      await server.goAway()
      await sshd.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
