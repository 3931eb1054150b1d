/** Secrets inside objects and lists of objects: opened, sealed, kept, hidden and compared at any depth. */
import { identified, integer, object, objects, organized, resource, secret, text } from '@sallyport/contract'
import { jsonb, pgTable, text as varchar, uuid } from 'drizzle-orm/pg-core'
import { beforeAll, expect, it } from 'vitest'
import type { DomainEvent } from '../events.ts'
import { callerOf } from '../testing/caller.ts'
import { startTestServer, testSecrets } from '../testing/http.ts'
import { createTestDatabase } from '../testing/index.ts'
import { serve } from './binding.ts'
import { org } from './rows.ts'

const robots = pgTable('robots', {
  id: uuid().primaryKey().defaultRandom(),
  name: varchar().notNull(),
  token: varchar(),
  proxy: jsonb(),
  steps: jsonb(),
  org_id: uuid().notNull(),
})
const Robot = resource({
  app: 'tests',
  model: 'robot',
  path: 'tests/robots',
  scope: 'org',
  order: ['name'],
  fields: {
    ...identified,
    name: text({ required: true }),
    token: secret(),
    proxy: object({ host: text(), password: secret(), login: object({ pin: secret() }) }),
    steps: objects({ id: integer(), run: text(), password: secret() }),
    ...organized,
  },
})
const seen: DomainEvent[] = []
const database = await createTestDatabase()
let call: ReturnType<typeof callerOf>
beforeAll(async () => {
  await database.pool.query(
    'create table robots (id uuid primary key, name text not null, token text, proxy jsonb, steps jsonb, org_id uuid not null)',
  )
  const robotServed = serve(Robot, { table: robots, rows: org(robots.org_id) })
  const onRecord = (_ctx: unknown, events: readonly DomainEvent[]) =>
    Promise.resolve(void seen.push(...events))
  call = callerOf(
    await startTestServer(database, [{ name: 'tests', resources: [robotServed], onRecord }]),
    'ann *',
  )
})
const stored = async (id: string) =>
  (await database.pool.query('select * from robots where id = $1', [id])).rows[0] as Record<string, never>
const secretsOf = () => seen.map((event) => ('secrets' in event ? event.secrets : undefined))

it('nested secrets are kept sealed, never shown, kept when they are not sent, and told as changed only when they are', async () => {
  const made = await call('POST', 'tests/robots/', {
    name: 'one',
    token: 'envelope:t0ken',
    proxy: { host: 'proxy', password: 'envelope:deep-secret', login: { pin: 'p1n-deeper' } },
    steps: [{ id: 1, run: 'a', password: 'in-list-secret' }],
  })
  expect(made).toMatchObject({
    status: 201,
    body: { proxy: { host: 'proxy' }, steps: [{ id: 1, run: 'a' }] },
  })
  const id = String(made.body.id)
  const answers = [made, await call('GET', `tests/robots/${id}/`), await call('GET', 'tests/robots/')]
  const row = await stored(id)
  for (const plain of ['deep-secret', 'p1n-deeper', 'in-list-secret', 't0ken']) {
    for (const answer of answers) expect(JSON.stringify(answer.body)).not.toContain(plain)
    expect(JSON.stringify(row)).not.toContain(plain)
  }
  for (const answer of answers) expect(JSON.stringify(answer.body)).not.toContain('sealed:')
  expect(row).toMatchObject({
    proxy: { password: testSecrets.seal('deep-secret'), login: { pin: testSecrets.seal('p1n-deeper') } },
    steps: [{ password: testSecrets.seal('in-list-secret') }],
  })

  seen.length = 0
  const same = await call('PATCH', `tests/robots/${id}/`, {
    token: 't0ken',
    proxy: { host: 'other', login: {} },
    steps: [
      { id: 2, run: 'new' },
      { id: 1, run: 'b', password: 'in-list-secret' },
    ],
  })
  expect(same.status).toBe(200)
  expect(await stored(id)).toMatchObject({
    proxy: { host: 'other', password: testSecrets.seal('deep-secret') },
    steps: [{ run: 'new' }, { run: 'b', password: testSecrets.seal('in-list-secret') }],
  })
  await call('PATCH', `tests/robots/${id}/`, {
    token: 'another',
    proxy: { password: 'new', login: { pin: '' } },
    steps: [{ id: 2, run: 'new' }],
  })
  expect(secretsOf()).toEqual([[], ['token', 'proxy.password', 'proxy.login.pin', 'steps.1.password']])
})
