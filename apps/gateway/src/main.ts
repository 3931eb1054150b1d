import { ConfigError, readConfig, type Config } from './config.ts'
import { ServerDirectory } from './directory.ts'
import { Gateway } from './gateway.ts'
import { loadHostKeys } from './listeners/ssh/host-keys.ts'
import { SshListener } from './listeners/ssh/listener.ts'
import { WebListener } from './listeners/web/web.ts'
import { createLog, type Log } from './log.ts'
import { goFirst } from './priority.ts'

/** Running sessions have so long to finish when the gateway is asked to stop. */
const graceMs = 8000
/** After so long it ends whatever is left to do; the rest is on disk. */
const stopWithinMs = 14_000
/** A supervisor ends a process that it has not heard of for long. */
const aliveEveryMs = 1000

async function startSsh(config: Config, log: Log, gateway: Gateway): Promise<SshListener> {
  const directory = new ServerDirectory(gateway)
  const { host, port } = config.ssh
  try {
    return await SshListener.start({
      host,
      port,
      directory,
      openSession: directory.openSession,
      protocols: ['ssh'],
      limits: { startups: config.sshStartups, startupsOfAddress: config.sshStartupsOfAddress },
      proxies: config.sshProxies,
      log,
    })
  } catch (error) {
    throw new ConfigError(`SALLYPORT_SSH: cannot listen on ${host}:${port}: choose another address or port`, {
      cause: error,
    })
  }
}

async function main(): Promise<void> {
  goFirst()
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))
  const gateway = new Gateway(config, log)
  await gateway.open()
  const web = new WebListener(gateway)
  const http = await web.start(config.http)
  const ssh = await startSsh(config, log, gateway)
  gateway.disconnectUser = (userId, beforeMs) => ssh.disconnect(userId, beforeMs)
  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => {
      log.fatal('the shutdown took too long')
      process.exit(1)
    }, stopWithinMs).unref()
    log.info({ sessions: gateway.sessions.size }, 'stopping')
    ssh.stopListening()
    await gateway.stop(graceMs)
    await Promise.all([ssh.close(), web.stop()])
    process.exit(0)
  }
  // A supervisor that is gone cannot ask any more: its end counts as the signal.
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const) {
    process.on(signal, () => {
      stop().catch((error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      })
    })
  }
  try {
    await gateway.start(http)
    // All gateways show the same face; the server has it.
    ssh.serve(await gateway.ownHostKeys(await loadHostKeys(config.folder)))
  } catch (error) {
    if (isStopping) return
    throw error
  }
  // What nobody foresaw concerns one of many sessions, as a rule: it must not end all others. What flows is safe from it, see `pump`.
  process.on('uncaughtException', (error) => log.error({ err: error }, 'uncaught exception'))
  log.info({ ssh: `${config.ssh.host}:${ssh.port}`, http }, 'the gateway is ready')
  if (!process.send) return
  process.send({ kind: 'ready' })
  setInterval(() => process.connected && process.send?.({ kind: 'alive' }), aliveEveryMs).unref()
}

main().catch((error: unknown) => {
  const sentence =
    error instanceof ConfigError ? error.message : `The gateway could not start: ${String(error)}`
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
})
