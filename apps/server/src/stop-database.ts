/** Stops the embedded PostgreSQL in SALLYPORT_DATA unless a process uses it: for supervisors, whose server ended before it could. */
import { stopLeftPostgres } from './kernel/database/embedded.ts'
import { messageOf } from './kernel/failure.ts'

try {
  await stopLeftPostgres(process.env['SALLYPORT_DATA'] ?? '')
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
}
