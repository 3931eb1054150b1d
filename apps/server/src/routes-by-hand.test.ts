/**
 * Every address that no declaration covers, with its reason and what it leaves in the books: compared with `routes-by-hand.md`. After a
 * change: `npx vitest run --project server apps/server/src/routes-by-hand.test.ts -u`, and read the difference.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDomains } from './domains.ts'
import { Events } from './kernel/events.ts'
import { buildServer } from './kernel/http/server.ts'
import { startTestServer } from './kernel/testing/http.ts'
import { startTestSystem } from './testing.ts'

const system = await startTestSystem()
const { ground, database } = system
const { list, gatekeeper } = await createDomains(ground)

const recordedAs = (records: 'changes' | { unrecorded: string } | undefined) =>
  records === undefined ? '-' : records === 'changes' ? 'changes' : `nothing: ${records.unrecorded}`

test('every address that is served by hand says why, and what it leaves in the books', async () => {
  const routes = list.flatMap(({ routes = [] }) => routes)
  const rows = [
    ...routes.map(({ method, path, byHand, records }) => [
      `${String(method).replace(',', ', ')} ${path}`,
      byHand,
      recordedAs(records),
    ]),
    ...list.flatMap(({ sockets = [] }) => sockets).map(({ path }) => [`socket ${path}`, 'a websocket', '-']),
  ].map((cells) => `| ${cells.join(' | ')} |`)
  const table = [
    '# Served by hand',
    '',
    'Written by `routes-by-hand.test.ts` and binding. Everything else is declared in the contract (docs/guides/add-a-call.md).',
    '',
    '| Address | Why | Leaves in the books |',
    '| --- | --- | --- |',
    ...rows.toSorted(),
    '',
  ].join('\n')
  await expect(table).toMatchFileSnapshot('./routes-by-hand.md')
})

test.each([
  ['inside a transaction', { method: 'GET', transaction: true }],
  ['by its method', { method: 'POST' }],
] as const)(
  'a route that writes %s and does not say what it leaves in the books is not served',
  async (_how, given) => {
    const route = { ...given, path: '/api/v1/tests/silent/', access: 'valid_user', byHand: 'a test' } as const
    const handler = () => Promise.resolve(undefined)
    await expect(
      startTestServer(database, [{ name: 'tests', routes: [{ ...route, handler }] }]),
    ).rejects.toThrow('/api/v1/tests/silent/ writes, but does not say what it leaves in the books')
  },
)

test('the page to sign in at is served where the sign-in is sent to', async () => {
  const consoleDir = join(ground.config.dataDir, 'console')
  await mkdir(consoleDir)
  await writeFile(join(consoleDir, 'index.html'), 'the console')
  const events = new Events({ ...ground, settings: () => gatekeeper.settings() })
  const http = await buildServer({ ...ground, events, gatekeeper }, list, { consoleDir })
  const page = await http.inject('/core/auth/login/')
  expect([page.statusCode, page.body]).toEqual([200, 'the console'])
  await http.close()
})

test('health says which parts are up', async () => {
  const { body } = await system.client().get('/api/health/')
  expect(body).toMatchObject({
    status: true,
    db_status: true,
    live_status: true,
    storage_status: true,
    disk_status: true,
    // Neither jobs nor a gateway were started for this test.
    jobs_status: false,
    gateway_status: false,
  })
  await rm(join(ground.config.dataDir, 'storage'), { recursive: true })
  expect((await system.client().get('/api/health/')).body).toMatchObject({
    status: true,
    storage_status: false,
  })
})
