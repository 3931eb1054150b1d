/** Where things stand: one fixed set of file names for every domain, and each kind of thing in the file of its name. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const top = join(import.meta.dirname, '../../..')
const domains = join(import.meta.dirname, 'domains')

/** What a file of this name holds; everything else of a domain is a file for a noun. */
const places: Readonly<Record<string, RegExp>> = {
  'tables.ts': /\bpgTable\(/,
  'jobs.ts': /\bexecution\(\{/,
  'events.ts': /interface EventData\b/,
}
/** Words that say nothing of what is inside. */
const empty = /^(utils?|helpers?|common|misc|shared|types|constants|lib|base|manager)\.ts$/

/** Comments, and texts for people that fill a line of their own; what else the formatter leaves so long is SQL. */
const isProse = /^\s*(\*|\/|['"`](?!(select|insert|update|delete|with)\b))/

describe.each(readdirSync(domains))('the domain %s', (domain) => {
  const files = readdirSync(join(domains, domain), { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  )

  test('has its index, and no file whose name says nothing', () => {
    expect(files).toContain('index.ts')
    expect(files.filter((path) => empty.test(basename(path)))).toEqual([])
  })

  test('keeps tables, jobs and events in the files named for them', () => {
    const misplaced = files.flatMap((path) => {
      const text = readFileSync(join(domains, domain, path), 'utf8')
      return Object.entries(places)
        .filter(([place, holds]) => place !== path && holds.test(text))
        .map(([place]) => `${path} holds what belongs into ${place}`)
    })
    expect(misplaced).toEqual([])
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
