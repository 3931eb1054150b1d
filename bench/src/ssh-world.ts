import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gatewayFlags } from '../../scripts/lib/gateway-flags.mjs'
import { TestServer } from '../../apps/gateway/src/testing/server.ts'
import { freePort, startSshd, type TestSshd } from '@sallyport/ssh/testing/sshd'

export type Route = 'direct' | 'jump' | 'gateway'
export const CIPHER = 'aes128-gcm@openssh.com'

/**
 * A target, a jump host and a gateway in processes of their own on loopback: the same command can go to the target directly, through
 * OpenSSH's ProxyJump, or through the gateway, which records it.
 */
export class SshWorld {
  readonly target: TestSshd
  readonly server: TestServer
  readonly gateway: ChildProcess
  readonly #jump: TestSshd
  readonly folder: string
  readonly #port: number
  readonly #config: string

  private constructor(parts: {
    target: TestSshd
    jump: TestSshd
    server: TestServer
    gateway: ChildProcess
    folder: string
    port: number
  }) {
    this.target = parts.target
    this.#jump = parts.jump
    this.server = parts.server
    this.gateway = parts.gateway
    this.folder = parts.folder
    this.#port = parts.port
    this.#config = join(parts.folder, 'ssh_config')
  }

  /** `nodeOptions` and `BENCH_NODE_OPTIONS` go to the gateway's process, such as `--cpu-prof`. */
  static async start(...nodeOptions: string[]): Promise<SshWorld> {
    nodeOptions.push(...(process.env.BENCH_NODE_OPTIONS?.split(' ') ?? []))
    const folder = await mkdtemp(join(tmpdir(), 'sallyport-bench-'))
    await chmod(folder, 0o755)
    const [target, jump] = [await startSshd(), await startSshd()]
    const server = new TestServer()
    await server.start()
    // The bench is one person with hundreds of sessions.
    server.settings['TERMINAL_MAX_SESSIONS_PER_USER'] = 1000
    const [, public_key = ''] = (await readFile(`${target.privateKeyFile}.pub`, 'utf8')).split(' ')
    const user = server.addUser('ann', { public_key })
    const { host, username, privateKey } = target
    const account = { username, secret: privateKey, secret_type: 'ssh_key' } as const
    server.allow(user, server.addHost(host, target.port, account))
    const port = await freePort()
    const gateway = spawn(process.execPath, [...gatewayFlags, ...nodeOptions, 'apps/gateway/src/main.ts'], {
      cwd: join(import.meta.dirname, '../..'),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // As its supervisor starts it.
      detached: true,
      env: {
        ...process.env,
        SALLYPORT_DATA: folder,
        SALLYPORT_API: server.url,
        SALLYPORT_BOOTSTRAP_TOKEN: server.bootstrapToken,
        SALLYPORT_SSH: `127.0.0.1:${port}`,
        SALLYPORT_LOG: 'warn',
      },
    })
    const world = new SshWorld({ target, jump, server, gateway, folder, port })
    await writeFile(world.#config, world.#configuration())
    await world.#ready()
    return world
  }

  /** How a client of our own logs in at the gateway. */
  get login(): { host: string; port: number; username: string; privateKey: string } {
    const { username, host, privateKey } = this.target
    return { host: '127.0.0.1', port: this.#port, username: `ann@${username}@${host}`, privateKey }
  }

  /** Arguments of `ssh` for a route. */
  args(route: Route, ...args: string[]): string[] {
    return ['-F', this.#config, ...args, route]
  }

  /** Megabytes a second of a command whose output is `bytes` long. */
  async throughput(route: Route, command: string, bytes: number, ...args: string[]): Promise<number> {
    const begun = performance.now()
    const child = spawn('ssh', [...this.args(route, ...args), command], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`${route}: ssh ended with ${String(code)}`)
    return bytes / 1e6 / ((performance.now() - begun) / 1000)
  }

  async stop(): Promise<void> {
    this.gateway.kill('SIGTERM')
    await Promise.race([once(this.gateway, 'exit'), sleep(15_000)])
    await this.server.goAway()
    await Promise.all([this.target.stop(), this.#jump.stop()])
    await rm(this.folder, { recursive: true, force: true })
  }

  #configuration(): string {
    const hosts = [
      ['direct', this.target.port, this.target.username, this.target.privateKeyFile],
      ['jump', this.target.port, this.target.username, this.target.privateKeyFile],
      ['jumphost', this.#jump.port, this.#jump.username, this.#jump.privateKeyFile],
      ['gateway', this.#port, `ann@${this.target.username}@${this.target.host}`, this.target.privateKeyFile],
    ]
    return [
      ...hosts.map(
        ([name, port, user, key]) =>
          `Host ${name}\nHostName 127.0.0.1\nPort ${port}\nUser ${user}\nIdentityFile ${key}\n${name === 'jump' ? 'ProxyJump jumphost\n' : ''}`,
      ),
      'Host *',
      'IdentitiesOnly yes',
      'BatchMode yes',
      'StrictHostKeyChecking no',
      'UserKnownHostsFile /dev/null',
      'LogLevel ERROR',
      `Ciphers ${CIPHER}`,
      '',
    ].join('\n')
  }

  /** The gateway says so once the server knows it. */
  async #ready(): Promise<void> {
    const signal = AbortSignal.timeout(20_000)
    await Promise.race([
      once(this.gateway, 'message', { signal }),
      once(this.gateway, 'exit', { signal }).then(() => Promise.reject(new Error('The gateway has ended'))),
    ])
  }
}
