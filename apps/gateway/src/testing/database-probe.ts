import { connect } from 'node:net'
import type { Database } from '../probes/databases/database.ts'
import type { Way } from '../probes/way.ts'

/** What it tries to sign in with. */
export const databaseSecret = 'open sesame'

/** Has a database server at a port of this machine tried. */
export const probeHere = (
  probe: (database: Database, way: Way) => Promise<void>,
  port: number,
  tls: Database['tls'],
): Promise<void> =>
  probe(
    { address: '127.0.0.1', port, db_name: 'db', tls, username: 'op', secret: databaseSecret },
    {
      dialer: { dial: (host, at) => Promise.resolve(connect(at, host)) },
      where: `127.0.0.1:${port}`,
      timeoutMs: 5000,
      signal: AbortSignal.timeout(10_000),
    },
  )
