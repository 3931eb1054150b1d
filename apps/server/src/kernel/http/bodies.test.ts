/** Bodies that are too much for one person, too slow or too full, on a server that listens. */
import { request as open } from 'node:http'
import type { AddressInfo } from 'node:net'
import { identified, organized, resource, text } from '@sallyport/contract'
import { pgTable, text as varchar, uuid } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serve } from '../resource/binding.ts'
import { org } from '../resource/rows.ts'
import { startTestServer } from '../testing/http.ts'
import { createTestDatabase } from '../testing/index.ts'
import type { BodyBounds } from './bodies.ts'

const jars = pgTable('jars', {
  id: uuid().primaryKey().defaultRandom(),
  name: varchar().notNull(),
  org_id: uuid().notNull(),
})
const Jar = resource({
  app: 'tests',
  model: 'jar',
  path: 'tests/jars',
  scope: 'org',
  order: ['name'],
  fields: { ...identified, name: text({ required: true, max: 64 }), ...organized },
})

const database = await createTestDatabase()
const served = serve(Jar, { table: jars, rows: org(jars.org_id) })
async function listening(bodies: Partial<BodyBounds>) {
  const app = await startTestServer(database, [{ name: 'tests', resources: [served] }], {}, { bodies })
  await app.listen({ host: '127.0.0.1', port: 0 })
  afterAll(() => app.close())
  return (app.server.address() as AddressInfo).port
}
const narrow = await listening({ bytesOfOne: 3 << 20, values: 20_000, names: 5000 })
const hasty = await listening({ windowMs: 200, windowBytes: 64 << 10 })
beforeAll(async () => {
  await database.pool.query(
    'create table jars (id uuid primary key default gen_random_uuid(), name text not null, org_id uuid not null)',
  )
})

/** Sends the beginning of a body of this length; `rest` sends what is missing. */
function send(beginning: string, length = Buffer.byteLength(beginning), port = narrow) {
  const asked = open({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/api/v1/tests/jars/',
    headers: {
      authorization: 'Test ann *',
      'accept-language': 'en',
      'content-type': 'application/json',
      'content-length': length,
    },
  })
  const answer = new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    asked.once('error', reject)
    asked.once('response', (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: JSON.parse(Buffer.concat(parts).toString()) as unknown,
        }),
      )
    })
  })
  asked.write(beginning)
  return { answer, rest: (text: string) => asked.end(text), leave: () => asked.destroy() }
}
const rows = (count: number) => JSON.stringify(Array.from({ length: count }, (_, at) => ({ name: `${at}` })))

test('a thousand rows are taken, and so are long texts', async () => {
  const many = send(rows(1000))
  many.rest('')
  expect(await many.answer).toMatchObject({ status: 201 })
  const long = send(`{"name": "${'x,['.repeat(100_000)}"}`)
  long.rest('')
  expect(await long.answer).toMatchObject({ status: 400, body: { name: [expect.stringContaining('64')] } })
})

test('JSON of more values than any list has is refused before it is read', async () => {
  const sent = send(rows(20_000))
  sent.rest('')
  expect(await sent.answer).toMatchObject({ status: 413, body: { code: 'too_many_values' } })
})

const named = (names: readonly (string | number)[]) => `{${names.map((name) => `"${name}":1`).join(',')}}`
const all = <T>(count: number, each: (at: number) => T) => Array.from({ length: count }, (_, at) => each(at))

test.each([
  ['in one object', named(all(5100, (at) => at))],
  ['in many', `[${all(510, (at) => named(all(10, (k) => `${at} ${k}`))).join(',')}]`],
  [
    'in many, the same in another order',
    `[${all(1000, (at) => named([`a${at % 50}`, `b${Math.trunc(at / 50)}`, ...Array.from('cdefghij')])).join(',')}]`,
  ],
])(
  'JSON of objects with more names than any list has is refused before it is read: %s',
  async (_how, body) => {
    const sent = send(body)
    sent.rest('')
    expect(await sent.answer).toMatchObject({ status: 413, body: { code: 'too_many_field_names' } })
  },
)

test('who sends too much at once is refused, and may send again once the rest is gone', async () => {
  const first = send('[', 2 << 20)
  await expect
    .poll(async () => {
      const second = send('[', 2 << 20)
      // Where the first one has not come yet this one is waited for.
      const told = await Promise.race([second.answer, patience()])
      second.answer.catch(() => {})
      second.leave()
      return told
    })
    .toMatchObject({ status: 429, body: { code: 'overloaded' } })
  first.leave()
  await first.answer.catch(() => {})
  await expect
    .poll(async () => {
      const again = send(rows(1).padEnd(2 << 20))
      again.rest('')
      return (await again.answer).status
    })
    .toBe(201)
})

test('a body that comes too slowly is refused with a sentence', async () => {
  const slow = send('[', 1 << 20, hasty)
  expect(await slow.answer).toMatchObject({
    status: 408,
    body: { detail: 'The request arrives too slowly. Try again over a better connection.' },
  })
  slow.leave()
})

const patience = () => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 1000))
