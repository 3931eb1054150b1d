import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../apps/server/src/kernel/database/embedded.ts'
import { createLog } from '../../apps/server/src/kernel/log.ts'
import { startSystem, type System } from '../../e2e/src/system.ts'

/**
 * A server without gateway, on an embedded database of its own whose address the bench knows, for as long as `measure` takes.
 * @param env of the server, beside what every one has
 */
export async function withServer<T>(
  measure: (system: System, databaseUrl: string) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLog('warn') })
  const system = await startSystem(
    { SALLYPORT_LOG: 'warn', DATABASE_URL: postgres.url, ...env },
    { withGateway: false },
  )
  try {
    return await measure(system, postgres.url)
  } finally {
    await system.stop()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
