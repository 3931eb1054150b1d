import { ConfigError, readConfig } from './config.ts'
import { Gateway } from './gateway.ts'
import { createLog } from './log.ts'

/** Running sessions have so long to finish when the gateway is asked to stop. */
const graceMs = 10_000

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const gateway = new Gateway(config, log)
  await gateway.open()
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))
  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    log.info('stopping')
    await gateway.stop(graceMs)
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
  await gateway.start('')
  log.info('the gateway is ready')
}

main().catch((error: unknown) => {
  const sentence =
    error instanceof ConfigError ? error.message : `The gateway could not start: ${String(error)}`
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
})
