/** Slow work (hashing, opening keys) is done before the transaction: whoever waits for it holds no connection. */
import {
  defaultOrgId,
  identified,
  onRow,
  organized,
  type PermissionName,
  resource,
  text,
} from '@sallyport/contract'
import { eq } from 'drizzle-orm'
import { pgTable, text as varchar, uuid } from 'drizzle-orm/pg-core'
import { beforeEach, expect, it } from 'vitest'
import { transactionHere } from '../database/index.ts'
import { invalid } from '../errors.ts'
import { startTestServer } from '../testing/http.ts'
import { createTestDatabase } from '../testing/index.ts'
import { serve } from './binding.ts'
import { org } from './rows.ts'

const doors = pgTable('doors', {
  id: uuid().primaryKey().defaultRandom(),
  name: varchar().notNull(),
  lock: varchar(),
  org_id: uuid().notNull(),
})
const Door = resource({
  app: 'tests',
  model: 'door',
  path: 'tests/doors',
  scope: 'org',
  order: ['name'],
  fields: {
    ...identified,
    name: text({ max: 20, required: true }),
    lock: text({ max: 20, nullable: true }),
    ...organized,
  },
  calls: {
    forge: onRow({
      method: 'POST',
      path: 'forge',
      access: 'tests.change_door' as PermissionName,
      body: { lock: text({ max: 20, required: true }) },
      records: 'update',
    }),
  },
})

/** Opened by the test; what is slow waits for it. */
let gate = Promise.withResolvers<void>()
let waiting = 0
async function forge(lock: string): Promise<string> {
  expect(transactionHere()).toBeUndefined()
  waiting += 1
  await gate.promise
  return `${lock} forged`
}

const database = await createTestDatabase()
await database.pool.query(
  `create table doors (id uuid primary key default gen_random_uuid(), name text not null, lock text, org_id uuid not null)`,
)
const app = await startTestServer(database, [
  {
    name: 'tests',
    resources: [
      serve(Door, {
        table: doors,
        rows: org(doors.org_id),
        ahead: async (_ctx, { input }) => {
          if (input['lock'] === 'wax') throw invalid('lock', 'blank')
          return typeof input['lock'] === 'string' ? { ...input, lock: await forge(input['lock']) } : input
        },
        calls: {
          forge: {
            ahead: async (_ctx, { body }) => {
              const lock = await forge(body.lock)
              return async (ctx, { row }) => {
                expect(transactionHere()).toBeDefined()
                await ctx.db.update(doors).set({ lock }).where(eq(doors.id, row.id))
              }
            },
          },
        },
      }),
    ],
    onRecord: () => Promise.resolve(),
  },
])
const send = (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) =>
  app.inject({
    method,
    url: `/api/v1/tests/doors/${path}`,
    headers: { authorization: 'Test ann *', 'x-jms-org': defaultOrgId },
    ...(payload ? { payload } : {}),
  })
const open = async () => {
  gate.resolve()
  return (await send('POST', '', { name: 'Front' })).json<{ id: string }>().id
}

beforeEach(async () => {
  await database.db.delete(doors)
  gate = Promise.withResolvers()
  waiting = 0
})

it('answers others while more people than there are connections wait for slow work', async () => {
  const id = await open()
  gate = Promise.withResolvers()
  const people = 30
  const answers = Promise.all(
    Array.from({ length: people }, (_, at) =>
      at % 2 === 0
        ? send('POST', `${id}/forge/`, { lock: `lock ${at}` })
        : send('POST', '', { name: `Door ${at}`, lock: `lock ${at}` }),
    ),
  )
  await expect.poll(() => waiting).toBe(people)
  expect((await send('GET', '')).json()).toMatchObject([{ name: 'Front', lock: null }])
  gate.resolve()
  const statuses = (await answers).map(({ statusCode }) => statusCode)
  expect(new Set(statuses)).toEqual(new Set([201, 204]))
  expect((await send('GET', `${id}/`)).json<{ lock: string }>().lock).toMatch(/^lock \d+ forged$/)
})

it('tells what slow work found wrong with a row beside everything else that is wrong', async () => {
  const id = await open()
  const refused = await send('POST', '', [{ name: 'Back', lock: 'wax' }, { lock: 'iron' }, { name: 'Side' }])
  expect([refused.statusCode, refused.json()]).toMatchObject([
    400,
    [{ lock: [expect.any(String)] }, { name: [expect.any(String)] }, {}],
  ])
  expect((await send('PATCH', `${id}/`, { lock: 'wax' })).json()).toHaveProperty('lock')
  expect((await send('PATCH', `${id}/`, { lock: 'iron' })).json()).toMatchObject({ lock: 'iron forged' })
})
