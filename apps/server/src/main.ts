import { sql } from 'drizzle-orm'
import fastify from 'fastify'
import { ConfigError, readConfig } from './kernel/config.ts'
import { openGround } from './kernel/ground.ts'
import { createLog } from './kernel/log.ts'
import { announceReady, endOnSignal, explainListenError, originOf } from './kernel/supervised.ts'

const shutdownTimeoutMs = 9500

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const ground = await openGround(config, log)
  try {
    await ground.jobs.start({ work: config.roles.has('worker') })
    const http = fastify({ loggerInstance: log })
    http.get('/api/health/', async () => {
      await ground.database.db.execute(sql`select 1`)
      return { status: true }
    })
    await http.listen(config.http).catch((error: unknown) => {
      throw explainListenError(error, 'SALLYPORT_HTTP', config.http)
    })
    const listening = http.server.address()
    const port = typeof listening === 'object' && listening !== null ? listening.port : config.http.port
    endOnSignal(
      async () => {
        log.info('stopping')
        await http.close()
        await ground.close()
      },
      shutdownTimeoutMs,
      (err, what) => log.fatal({ err }, what),
    )
    announceReady({ origin: originOf({ ...config.http, port }), firstPassword: undefined })
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
