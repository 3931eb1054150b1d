/** The statements the kernel makes for a list, and how long the database takes over them, whoever else has the processors. */
import { defaultOrgId, defaultSettings, modelOf } from '@sallyport/contract'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Pool } from 'pg'
import { createDomains } from '../../apps/server/src/domains.ts'
import { readConfig } from '../../apps/server/src/kernel/config.ts'
import { createContext } from '../../apps/server/src/kernel/context.ts'
import { openGround } from '../../apps/server/src/kernel/ground.ts'
import { createLog } from '../../apps/server/src/kernel/log.ts'
import type { Served } from '../../apps/server/src/kernel/resource/binding.ts'
import { listRows } from '../../apps/server/src/kernel/resource/read.ts'

export interface Statement {
  text: string
  values: unknown[]
}

/** The statements of one page of a list, as an administrator of the default organization reads it. */
export async function statementsOf(pool: Pool, served: Served, query: string): Promise<Statement[]> {
  const made: Statement[] = []
  const logger = { logQuery: (text: string, values: unknown[]) => void made.push({ text, values }) }
  const context = createContext(
    { emit: () => Promise.resolve() },
    {
      db: drizzle({ client: pool, logger }),
      identity: undefined,
      org: { id: defaultOrgId, name: 'DEFAULT', is_root: false, is_default: true },
      language: 'en',
      zone: 'UTC',
      remoteAddr: '127.0.0.1',
      origin: 'http://127.0.0.1',
      can: () => true,
      orgName: () => 'DEFAULT',
      settings: defaultSettings,
      hasLicence: true,
    },
  )
  await listRows(served, context, Object.fromEntries(new URLSearchParams(query)), {
    selected: undefined,
    maxLimit: 100,
    path: '/',
  })
  return made
}

/** Milliseconds the database plans and executes a statement, with what it reads in memory: the least of three times. */
export async function databaseTime(pool: Pool, { text, values }: Statement): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const { rows } = await pool.query<{
      'QUERY PLAN': [{ 'Planning Time': number; 'Execution Time': number }]
    }>(`explain (analyze, format json) ${text}`, values)
    const [plan] = rows[0]?.['QUERY PLAN'] ?? []
    times.push((plan?.['Planning Time'] ?? 0) + (plan?.['Execution Time'] ?? 0))
  }
  return Math.min(...times)
}

/** All lists of a server, by model, on its database and in its folders. */
export async function allServed(env: Record<string, string>): Promise<{
  byModel: ReadonlyMap<string, Served>
  close(): Promise<void>
}> {
  const ground = await openGround(readConfig(env), createLog('warn'))
  const { list } = await createDomains(ground)
  const resources = list.flatMap(({ resources = [] }) => resources)
  return {
    byModel: new Map(resources.map((served) => [modelOf(served.resource), served])),
    close: () => ground.close(),
  }
}
