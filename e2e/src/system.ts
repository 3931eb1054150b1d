/** A whole Sallyport of its own: server with embedded database, gateway, and a data folder that is removed afterwards. */
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Api } from './api.ts'
import { eventually, freePort, type Program, startProgram } from './processes.ts'

export const adminPassword = 'Sallyport-e2e-1'

export interface System {
  origin: string
  sshPort: number
  dataDir: string
  env: Record<string, string>
  server: Program
  /** Undefined until it is started. */
  gateway: Program | undefined
  /** The administrator's API. */
  admin: Api
  startServer(): Promise<void>
  startGateway(): Promise<void>
  stop(): Promise<void>
}

/** `withGateway: false` leaves the gateway out, for what only needs the API; `startGateway` starts it later. */
export async function startSystem(
  env: Record<string, string> = {},
  { withGateway = true }: { withGateway?: boolean } = {},
): Promise<System> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-e2e-'))
  // So that the account PostgreSQL runs as can get there, and nothing is left outside.
  await chmod(dataDir, 0o711)
  const prepared = process.env['PREPARED_DATA']
  if (prepared !== undefined) await promisify(execFile)('cp', ['-a', `${prepared}/.`, dataDir])
  const httpPort = await freePort()
  const sshPort = await freePort()
  const origin = `http://127.0.0.1:${httpPort}`
  const all = {
    SALLYPORT_DATA: dataDir,
    SALLYPORT_HTTP: `127.0.0.1:${httpPort}`,
    SALLYPORT_SSH: `127.0.0.1:${sshPort}`,
    SALLYPORT_API: origin,
    SALLYPORT_ADMIN_PASSWORD: adminPassword,
    SALLYPORT_LOG: 'info',
    ...env,
  }
  const startServer = () => startProgram('apps/server/src/main.ts', all)
  const startGateway = async () => {
    const gateway = await startProgram('apps/gateway/src/main.ts', all)
    await eventually('the SSH listener', () => isListening(sshPort))
    await eventually('the gateway on the books', () => hasGateway(origin))
    return gateway
  }
  const server = await startServer()
  const gateway = withGateway ? await startGateway() : undefined
  const admin = await Api.signIn(origin, 'admin', adminPassword)
  // Not his first time: the console lets him in at once.
  await admin.patch('/api/v1/users/profile/', { is_first_login: false })
  const system: System = {
    origin,
    sshPort,
    dataDir,
    env: all,
    server,
    gateway,
    admin,
    startServer: async () => {
      system.server = await startServer()
    },
    startGateway: async () => {
      system.gateway = await startGateway()
    },
    stop: async () => {
      await system.gateway?.kill()
      await system.server.kill()
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  return system
}

export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Whether the server knows of a gateway that reports as it should. */
async function hasGateway(origin: string): Promise<boolean> {
  const answer = await fetch(`${origin}/api/health/`)
  return ((await answer.json()) as { gateway_status?: boolean }).gateway_status === true
}
