/** Where things stand: one fixed set of file names for every domain, and each kind of thing in the file of its name. */
import { execFileSync } from 'node:child_process'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { describe, expect, test } from 'vitest'

const top = join(import.meta.dirname, '../../..')
const domains = join(import.meta.dirname, 'domains')

/** What a file of this name holds, at the top of its domain; every other file is named for what it is about. */
const places: Readonly<Record<string, RegExp>> = {
  'index.ts': /\bDomain\b/,
  'tables.ts': /\bpgTable\(/,
  'resources.ts': /\bserve(One)?\(/,
  'calls.ts': /\bprovide\(|\bCallsOf</,
  'routes.ts': /\broute\(\{/,
  'jobs.ts': /\bexecution\(\{/,
  'events.ts': /interface EventData\b/,
  'seed.ts': /export async function seed/,
}
/** What stands in no file of another name. */
const nowhereElse = ['tables.ts', 'jobs.ts', 'events.ts'] as const
/** Words that say nothing of what is inside. */
const empty = /^(utils?|helpers?|common|misc|shared|types|constants|lib|base|manager)\.ts$/

/** Comments, and texts for people that fill a line of their own; what else the formatter leaves so long is SQL. */
const isProse = /^\s*(\*|\/|['"`](?!(select|insert|update|delete|with)\b))/

describe.each(readdirSync(domains))('the domain %s', (domain) => {
  const files = readdirSync(join(domains, domain), { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  )

  const textOf = (path: string) => readFileSync(join(domains, domain, path), 'utf8')

  test('has its index, and no file whose name says nothing', () => {
    expect(files).toContain('index.ts')
    expect(files.filter((path) => empty.test(basename(path)))).toEqual([])
  })

  test('keeps tables, jobs and events in the files named for them, and has there what their names say', () => {
    const misplaced = files.flatMap((path) => {
      const text = textOf(path)
      const holds = places[basename(path)]
      return [
        ...(holds === undefined || holds.test(text) ? [] : [`${path} holds nothing its name says`]),
        ...nowhereElse
          .filter((place) => place !== path && places[place]?.test(text))
          .map((place) => `${path} holds what belongs into ${place}`),
      ]
    })
    expect(misplaced).toEqual([])
  })

  test('has rooms of several files, without rooms of their own or what stands at the top', () => {
    const rooms = Map.groupBy(
      files.filter((path) => path.includes('/')),
      dirname,
    )
    expect([...rooms].filter(([room, held]) => room.includes('/') || held.length < 2)).toEqual([])
    const atTop = ['index.ts', 'testing.ts', ...nowhereElse]
    expect([...rooms.values()].flat().filter((path) => atTop.includes(basename(path)))).toEqual([])
  })

  test('keeps what its tests share from what is served', () => {
    expect(
      files.filter((path) => basename(path) !== 'testing.ts' && /\/testing\.ts'/.test(textOf(path))),
    ).toEqual([])
  })
})

test('no line of SQL is longer than one can read', () => {
  const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  )
  const long = sources.flatMap((path) =>
    readFileSync(join(import.meta.dirname, path), 'utf8')
      .split('\n')
      .flatMap((line, at) => (line.length > 140 && !isProse.test(line) ? [`${path}:${at + 1}`] : [])),
  )
  expect(long).toEqual([])
})

test('every file is named in kebab-case', () => {
  const tracked = execFileSync('git', ['ls-files'], { cwd: top, encoding: 'utf8' }).trim().split('\n')
  const strange = tracked.filter((path) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const isGiven =
      /^(README\.md|ARCHITECTURE\.md|LICENSE)$/.test(name) || path.startsWith('apps/server/drizzle/')
    return !isGiven && !/^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/.test(name)
  })
  expect(strange).toEqual([])
})

test('migrations since the first are named for what they do', () => {
  const names = readdirSync(join(top, 'apps/server/drizzle')).filter((name) => name.endsWith('.sql'))
  // The first thirteen were released as they are: a database remembers them by their names.
  const later = names.filter((name) => Number(name.slice(0, 4)) > 12)
  expect(later.filter((name) => !/^\d{4}_[a-z]+(-[a-z]+)*\.sql$/.test(name))).toEqual([])
})

test('of the tables as they were, only the snapshot the next migration is compared with is kept', () => {
  const names = readdirSync(join(top, 'apps/server/drizzle'))
  const last = names
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .at(-1)
  expect(readdirSync(join(top, 'apps/server/drizzle/meta')).toSorted()).toEqual([
    `${last?.slice(0, 4)}_snapshot.json`,
    '_journal.json',
  ])
})

test('every change of the tables has its migration', async () => {
  const src = join(top, 'apps/server/src')
  const files = globSync('{kernel,domains}/*/tables.ts', { cwd: src })
  const modules: object[] = await Promise.all(files.map((file) => import(join(src, file))))
  // Each name is told with its file: two domains may call tables of theirs alike.
  const tables = modules.flatMap((module, at) =>
    Object.entries(module).map(([name, table]) => [`${files[at]} ${name}`, table] as const),
  )
  const meta = join(top, 'apps/server/drizzle/meta')
  const [snapshot = ''] = readdirSync(meta).filter((name) => name.endsWith('_snapshot.json'))
  const migrated = JSON.parse(readFileSync(join(meta, snapshot), 'utf8'))
  const declared = generateDrizzleJson(Object.fromEntries(tables), migrated.id)
  expect(Object.keys(declared.tables).length).toBeGreaterThan(80)
  expect(await generateMigration(migrated, declared)).toEqual([])
})
