import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TestServer, type TestHost, type TestUser } from './server.ts'
import { sshOptions, startSshd, type TestSshd } from '@sallyport/ssh/testing/sshd'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** Whether a process runs; one that has ended and waits for its parent does not. */
export async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat !== '' && !/\) Z /.test(stat)
}

export interface Ended {
  code: number | null
  errors: string
}

/** The gateway as a program of its own. */
export class GatewayProcess {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  log = ''
  errors = ''

  constructor(environment: NodeJS.ProcessEnv, flags: readonly string[] = []) {
    this.child = spawn(process.execPath, [...flags, main], {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        SALLYPORT_SSH: '127.0.0.1:0',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child.stdout?.on('data', (data: Buffer) => (this.log += data.toString()))
    this.child.stderr?.on('data', (data: Buffer) => (this.errors += data.toString()))
    this.ended = once(this.child, 'close').then(([code]: unknown[]) => ({
      code: typeof code === 'number' ? code : null,
      errors: this.errors,
    }))
  }

  /** Where it listens, once it says that it is ready. */
  async ready(): Promise<{ sshPort: number; http: string }> {
    for (;;) {
      const line = /"ssh":"127\.0\.0\.1:(\d+)","http":"([^"]+)"/.exec(this.log)
      if (line) return { sshPort: Number(line[1]), http: line[2] ?? '' }
      if (this.child.exitCode !== null) throw new Error(`the gateway ended: ${this.errors}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal)
  }
}

/** A server, a real sshd and gateways as programs over one data folder. */
export interface ProcessBench {
  server: TestServer
  sshd: TestSshd
  folder: string
  user: TestUser
  host: TestHost
  start(environment?: NodeJS.ProcessEnv, flags?: readonly string[]): GatewayProcess
  /** OpenSSH to the host through a gateway. */
  ssh(sshPort: number, args: string[]): ChildProcess
  stop(): Promise<void>
}

export async function startProcessBench(): Promise<ProcessBench> {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-gateway-'))
  const server = new TestServer()
  await server.start()
  const sshd = await startSshd()
  const [, public_key = ''] = (await readFile(`${sshd.privateKeyFile}.pub`, 'utf8')).split(' ')
  const user = server.addUser('ann', { public_key })
  const host = server.addHost(sshd.host, sshd.port, {
    username: sshd.username,
    secret: sshd.privateKey,
    secret_type: 'ssh_key',
  })
  server.allow(user, host)
  const processes: GatewayProcess[] = []
  return {
    server,
    sshd,
    folder,
    user,
    host,
    start(environment = {}, flags = []) {
      const surroundings = {
        SALLYPORT_DATA: folder,
        SALLYPORT_API: server.url,
        SALLYPORT_BOOTSTRAP_TOKEN: server.bootstrapToken,
        ...environment,
      }
      const gateway = new GatewayProcess(surroundings, flags)
      processes.push(gateway)
      return gateway
    },
    ssh(sshPort, args) {
      const login = `${user.username}@${sshd.username}@${host.address}`
      return spawn(
        'ssh',
        [...sshOptions, '-i', sshd.privateKeyFile, '-p', String(sshPort), '-l', login, '127.0.0.1', ...args],
        { stdio: ['pipe', 'pipe', 'pipe'] },
      )
    },
    async stop() {
      for (const gateway of processes) gateway.kill('SIGKILL')
      await Promise.all(processes.map((gateway) => gateway.ended))
      await server.goAway()
      await sshd.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
