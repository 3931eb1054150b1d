/** Stops the embedded PostgreSQL in SALLYPORT_DATA unless a process uses it: for supervisors, whose server ended before it could. */
import { stopLeftPostgres } from './kernel/database/embedded.ts'

await stopLeftPostgres(process.env['SALLYPORT_DATA'] ?? '')
