import { compose, type Server } from './compose.ts'
import { createDomains } from './domains.ts'
import { closeInTime } from './kernel/closing.ts'
import { type Address, type Config, ConfigError, readConfig } from './kernel/config.ts'
import { openGround } from './kernel/ground.ts'
import { consoleDir } from './kernel/http/console.ts'
import { createLog, type Logger } from './kernel/log.ts'
import {
  announceReady,
  endOnSignal,
  endOnUncaught,
  explainListenError,
  originOf,
} from './kernel/supervised.ts'

const shutdownTimeoutMs = 9500
/** More than its parts take together; the rest is for the database. */
const serverStopTimeoutMs = 5500

async function main(): Promise<void> {
  const config = readConfig(process.env)
  if (!config.roles.has('api') && !config.roles.has('worker'))
    throw new ConfigError(
      'SALLYPORT_ROLES names neither api nor worker, so there is nothing for the server to do.',
    )
  const log = createLog(config.logLevel)
  const logFailure = (err: unknown, what: string) => log.fatal({ err }, what)
  endOnUncaught(log)
  const ending = new AbortController()
  const running = start(config, log, ending.signal)
  // From the beginning: whoever is stopped while it starts has a database to stop, too.
  endOnSignal(
    async () => {
      log.info('stopping')
      ending.abort()
      const stop = await running.catch(() => undefined)
      await stop?.()
    },
    shutdownTimeoutMs,
    logFailure,
  )
  await running.catch((error: unknown) => {
    if (!ending.signal.aborted) throw error
  })
}

/** @returns what ends it */
async function start(config: Config, log: Logger, ending: AbortSignal): Promise<() => Promise<void>> {
  const ground = await openGround(config, log, ending)
  let server: Server | undefined
  const stop = async () => {
    const stopping = async () => await server?.stop()
    await closeInTime('the server', stopping, { timeoutMs: serverStopTimeoutMs, log })
    await ground.close()
  }
  try {
    const domains = await createDomains(ground)
    server = await compose(ground, domains.list, domains.gatekeeper, {
      consoleDir,
      work: config.roles.has('worker'),
    })
    await ground.jobs.start({ work: config.roles.has('worker') })
    const origin = config.roles.has('api') ? await listen(server.http, config.http) : undefined
    ending.throwIfAborted()
    announceReady({ origin, firstPassword: domains.firstPassword() })
    log.info({ origin }, 'ready')
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

/** @returns the origin under which it is reached */
async function listen(http: Server['http'], address: Address): Promise<string> {
  await http.listen(address).catch((error: unknown) => {
    throw explainListenError(error, 'SALLYPORT_HTTP', address)
  })
  const listening = http.server.address()
  const port = typeof listening === 'object' && listening !== null ? listening.port : address.port
  return originOf({ ...address, port })
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`)
  else createLog('info').fatal({ err: error }, 'the server cannot start')
  process.exit(1)
})
