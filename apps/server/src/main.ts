import { compose } from './compose.ts'
import { createDomains } from './domains.ts'
import { ConfigError, readConfig } from './kernel/config.ts'
import { openGround } from './kernel/ground.ts'
import { consoleDir } from './kernel/http/console.ts'
import { createLog } from './kernel/log.ts'
import { announceReady, endOnSignal, explainListenError, originOf } from './kernel/supervised.ts'

const shutdownTimeoutMs = 9500

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const ground = await openGround(config, log)
  try {
    const domains = await createDomains(ground)
    const server = await compose(ground, domains.list, domains.gatekeeper, { consoleDir })
    const { http } = server
    await ground.jobs.start({ work: config.roles.has('worker') })
    await http.listen(config.http).catch((error: unknown) => {
      throw explainListenError(error, 'SALLYPORT_HTTP', config.http)
    })
    const listening = http.server.address()
    const port = typeof listening === 'object' && listening !== null ? listening.port : config.http.port
    endOnSignal(
      async () => {
        log.info('stopping')
        await server.stop()
        await ground.close()
      },
      shutdownTimeoutMs,
      (err, what) => log.fatal({ err }, what),
    )
    announceReady({ origin: originOf({ ...config.http, port }), firstPassword: domains.firstPassword() })
    log.info({ port }, 'ready')
  } catch (error) {
    await ground.close()
    throw error
  }
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`)
  else createLog('info').fatal({ err: error }, 'the server cannot start')
  process.exit(1)
})
