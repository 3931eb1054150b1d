/** Whose rows a resource holds: an organization's, those of all organizations, those of the row another names, the caller's own. */
import {
  identified,
  one,
  organized,
  plainOne,
  resource,
  rootOrgId,
  type Scope,
  text,
} from '@sallyport/contract'
import { pgTable, text as varchar, uuid } from 'drizzle-orm/pg-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { callerOf } from '../testing/caller.ts'
import { otherOrgId, startTestServer } from '../testing/http.ts'
import { createTestDatabase } from '../testing/index.ts'
import { serve } from './binding.ts'
import { checkRows, org, own, type Rows, shared, system, through } from './rows.ts'

const templates = pgTable('templates', {
  id: uuid().primaryKey().defaultRandom(),
  name: varchar().notNull(),
  base_id: uuid(),
  org_id: uuid(),
})
const steps = pgTable('steps', {
  id: uuid().primaryKey().defaultRandom(),
  name: varchar().notNull(),
  template_id: uuid().notNull(),
  after_id: uuid(),
})
const declared = (model: string, scope: Scope) => ({
  app: 'tests',
  model,
  path: `tests/${model}s`,
  scope,
  order: ['name'],
})
const named = { ...identified, name: text({ required: true, max: 20 }) }
const Template = resource({
  ...declared('template', 'org'),
  fields: { ...named, base: one('tests.template', ['id', 'name'], { nullable: true }), ...organized },
})
const Step = resource({
  ...declared('step', 'org'),
  fields: {
    ...named,
    template: plainOne('tests.template', { required: true }),
    after: plainOne('tests.step', { nullable: true }),
  },
})
const template = { table: templates, rows: shared(templates.org_id) }
const stepRows = through(steps.template_id, template)
const domain = {
  name: 'tests',
  resources: [
    serve(Template, { table: templates, rows: template.rows, relations: { base: template } }),
    serve(Step, {
      table: steps,
      rows: stepRows,
      relations: { template, after: { table: steps, rows: stepRows } },
    }),
  ],
}

const database = await createTestDatabase()
let call: ReturnType<typeof callerOf>
beforeAll(async () => {
  await database.pool.query(`
    create table templates (id uuid primary key default gen_random_uuid(), name text not null, base_id uuid, org_id uuid);
    create table steps (id uuid primary key default gen_random_uuid(), name text not null, template_id uuid not null, after_id uuid)`)
  call = callerOf(await startTestServer(database, [domain]), 'ann *')
})
const inRoot = { org: rootOrgId }
const inOther = { org: otherOrgId }
const made = async (path: string, body: object, given = {}) => {
  const answer = await call('POST', `tests/${path}/`, body, given)
  expect(answer).toMatchObject({ status: 201 })
  return String(answer.body.id)
}
const names = async (path: string, given = {}) =>
  (await call('GET', `tests/${path}/`, undefined, given)).body.map(({ name }) => name)

describe('rows of all organizations', () => {
  it('are seen in each, made and changed in the view of all of them', async () => {
    const everywhere = await made('templates', { name: 'everywhere' }, inRoot)
    await made('templates', { name: 'here' })
    expect(await names('templates')).toEqual(['everywhere', 'here'])
    expect(await names('templates', inOther)).toEqual(['everywhere'])
    const refused = { status: 403, body: { code: 'shared_row' } }
    expect(await call('PATCH', `tests/templates/${everywhere}/`, { name: 'mine' })).toMatchObject(refused)
    expect(await call('DELETE', `tests/templates/${everywhere}/`)).toMatchObject(refused)
    expect(await call('PATCH', `tests/templates/${everywhere}/`, { name: 'all' }, inRoot)).toMatchObject({
      status: 200,
    })
  })

  it('name rows of all organizations only; an organization names its own and those', async () => {
    const all = await made('templates', { name: 'base of all' }, inRoot)
    const here = await made('templates', { name: 'base here' })
    const unknown = { status: 400, body: { base: [expect.any(String)] } }
    expect(await call('PATCH', `tests/templates/${all}/`, { base: here }, inRoot)).toMatchObject(unknown)
    expect(await call('PATCH', `tests/templates/${here}/`, { base: all })).toMatchObject({ status: 200 })
    const other = await made('templates', { name: 'other' }, inOther)
    expect(await call('PATCH', `tests/templates/${other}/`, { base: here }, inRoot)).toMatchObject(unknown)
  })
})

describe('rows that are where another row is', () => {
  it('are seen there only, and name rows from there only', async () => {
    const here = await made('templates', { name: 'of steps' })
    const there = await made('templates', { name: 'of others' }, inOther)
    const first = await made('steps', { name: 'first', template: here })
    const elsewhere = await made('steps', { name: 'elsewhere', template: there }, inOther)
    expect(await names('steps')).toEqual(['first'])
    const unknown = (field: string) => ({ status: 400, body: { [field]: [expect.any(String)] } })
    expect(await call('POST', 'tests/steps/', { name: 'x', template: there })).toMatchObject(
      unknown('template'),
    )
    expect(await call('PATCH', `tests/steps/${first}/`, { after: elsewhere }, inRoot)).toMatchObject(
      unknown('after'),
    )
    const second = await made('steps', { name: 'second', template: here, after: first })
    expect(second).toMatch(/-/)
  })
})

describe('start-up', () => {
  const bound = (rows: Rows | undefined, scope: Scope = 'org') =>
    ({ resource: { ...Template, scope }, binding: { table: templates, rows } }) as never
  it.each([
    ['no word of whose they are', undefined, 'org', 'does not say whose'],
    ['a column the table has not', org(steps.template_id), 'org', 'has no column template_id'],
    ['a column that is not there', own(undefined as never), 'own', 'has no column'],
    ['something else than the declaration', system, 'org', 'declared as org, bound as system'],
  ] as const)('refuses a binding with %s', (_what, rows, scope, said) => {
    expect(() => checkRows(bound(rows, scope))).toThrow(said)
  })

  it('starts with one that says it as the declaration does', () => {
    expect(() => checkRows(bound(org(templates.org_id)))).not.toThrow()
  })
})
