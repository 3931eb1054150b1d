/**
 * Every list there is, as it is declared: its first page plain, searched for much, for little and for nothing, narrowed by each filter,
 * sorted by each column both ways, and its last page. Of the slowest, what the database takes by itself.
 */
import * as contract from '@sallyport/contract'
import { type Fields, isSortable, modelOf, type Resource } from '@sallyport/contract'
import { Pool } from 'pg'
import type { Served } from '../../apps/server/src/kernel/resource/binding.ts'
import type { Api } from '../../e2e/src/api.ts'
import type { System } from '../../e2e/src/system.ts'
import { below, type Figure, percentile, plain, round } from './figure.ts'
import { allServed, databaseTime, statementsOf } from './statements.ts'
import { load, timed } from './timed.ts'

const limitMs = 150
const few = 5
const many = 20
/** Slower than this in a few goes, it is asked many times. */
const doubtfulMs = 60
const told = 8

type Row = Record<string, unknown>
interface Asked {
  resource: Resource
  query: string
  ms: number
}

/** Lists that have an address of their own. */
const lists = (Object.values(contract) as unknown[]).filter(
  (value): value is Resource =>
    typeof value === 'object' &&
    value !== null &&
    'actions' in value &&
    'fields' in value &&
    (value as Resource).actions.includes('list') &&
    (value as Resource).within === undefined,
)

/** A value of a row as a filter takes it. */
function sent(value: unknown): string | undefined {
  if (Array.isArray(value)) return sent(value[0])
  if (typeof value === 'object' && value !== null)
    return sent((value as Row)['id'] ?? (value as Row)['value'] ?? (value as Row)['name'])
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isPlain && value !== '' ? String(value) : undefined
}

const byKind = (kind: string): string[] => {
  if (kind === 'boolean') return ['true', 'false']
  if (kind === 'datetime') return [new Date(Date.now() - 86_400_000).toISOString()]
  return [kind === 'integer' ? '1' : 'host']
}

/** The queries of a list of which one page is known. */
function queriesOf(resource: Resource, rows: readonly Row[], count: number, known: Row): string[] {
  const fields: Fields = resource.fields
  const valuesOf = (name: string, kind: string) => {
    const value = sent(known[name]) ?? sent(rows.find((row) => sent(row[name]) !== undefined)?.[name])
    return kind === 'boolean' || value === undefined ? byKind(kind) : [value]
  }
  const filters = [
    ...Object.entries(resource.filters).map(([name, { kind }]) => [name, kind] as const),
    ...Object.entries(fields).flatMap(([name, field]) =>
      field.options.filter ? [[name, field.kind.kind] as const] : [],
    ),
  ].filter(([, kind]) => kind !== 'modifier')
  const searched = Object.entries(fields).find(
    ([, { kind, options }]) => options.search !== undefined && kind.kind === 'text',
  )?.[0]
  const text = searched === undefined ? undefined : sent(rows.at(-1)?.[searched])
  const sorted = Object.entries(fields).flatMap(([name, field]) => (isSortable(field) ? [name] : []))
  const query = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString()
  return [
    query({}),
    query({ offset: String(Math.max(0, count - 15)) }),
    ...(text === undefined ? [] : [query({ search: text }), query({ search: text.slice(0, 3) })]),
    query({ search: 'found-nowhere' }),
    ...filters.flatMap(([name, kind]) => valuesOf(name, kind).map((value) => query({ [name]: value }))),
    ...sorted.flatMap((name) => [query({ order: name }), query({ order: `-${name}` })]),
  ].map((parameters) => `limit=15&${parameters}`)
}

/** Undefined where it is refused. */
const page = (api: Api, path: string) => timed(api, 'GET', path).catch(() => undefined)

async function slowest(api: Api, path: string, times: number): Promise<number> {
  const taken: number[] = []
  for (let round = 0; round < times; round++) taken.push((await timed(api, 'GET', path)).ms)
  return percentile(taken, 0.95)
}

/** @param known values for filters that are no fields, by their names */
export async function everyList({ admin, env }: System, databaseUrl: string, known: Row): Promise<Figure[]> {
  const asked: Asked[] = []
  let refused = 0
  for (const resource of lists) {
    const at = (query: string) => `${resource.path}/?${query}`
    const first = (await page(admin, at('limit=15')))?.body as { results?: Row[]; count?: number } | undefined
    // Those of other callers are not read by an administrator.
    if (!Array.isArray(first?.results)) continue
    for (const query of queriesOf(resource, first.results, first.count ?? 0, known)) {
      if ((await page(admin, at(query))) === undefined) {
        refused++
        continue
      }
      const quick = await slowest(admin, at(query), few)
      const ms = quick > doubtfulMs ? await slowest(admin, at(query), many) : quick
      asked.push({ resource, query, ms })
    }
  }
  const ordered = asked.toSorted((a, b) => b.ms - a.ms)
  const count = new Set(asked.map(({ resource }) => resource)).size
  const over = ordered.filter(({ ms }) => ms > limitMs).length
  return [
    plain(
      'lists: pages asked for',
      `${asked.length} of ${count} lists (${refused} refused), ${over} over ${limitMs} ms, ${load()}`,
    ),
    ...(await worst({ ...env, DATABASE_URL: databaseUrl }, databaseUrl, ordered.slice(0, told))),
  ]
}

async function worst(
  env: Record<string, string>,
  databaseUrl: string,
  pages: readonly Asked[],
): Promise<Figure[]> {
  const served = await allServed(env)
  const pool = new Pool({ connectionString: databaseUrl })
  try {
    const figures: Figure[] = []
    for (const { resource, query, ms } of pages) {
      const found = served.byModel.get(modelOf(resource))
      const database = found && (await inDatabase(pool, found, query))
      const name = `list ${resource.path}?${query}, p95 (database: ${database ?? 'unknown'})`
      figures.push(below(name, ms, limitMs, 'ms'))
    }
    return figures
  } finally {
    await pool.end()
    await served.close()
  }
}

async function inDatabase(pool: Pool, served: Served, query: string): Promise<string> {
  const times: string[] = []
  for (const statement of await statementsOf(pool, served, query))
    times.push(`${round(await databaseTime(pool, statement))} ms`)
  return times.join(' + ')
}
