import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { defaultOrgId } from '@sallyport/contract'
import { eq, sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../kernel/database/index.ts'
import { createLog } from '../../kernel/log.ts'
import { createTestDatabase, testLog } from '../../kernel/testing/index.ts'
import { silenceSeconds } from './components.ts'
import { startSweeping } from './sweep.ts'
import { sessions, terminals } from './tables.ts'
import { until } from './testing.ts'

const database = await createTestDatabase()
const { db } = database

/** The same database by a way that can be frozen: what is sent over it meanwhile arrives afterwards. */
async function openFreezable() {
  const url = new URL(database.url)
  const folder = url.searchParams.get('host')
  const target = folder
    ? { path: `${folder}/.s.PGSQL.${url.port}` }
    : { port: Number(url.port), host: url.hostname }
  const clients = new Set<Socket>()
  let isFrozen = false
  const proxy = createServer((client) => {
    const server = connect(target)
    clients.add(client)
    client.on('data', (data) => server.write(data))
    if (isFrozen) client.pause()
    server.pipe(client)
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => {})
      one.once('close', () => other.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String((proxy.address() as { port: number }).port)
  const through = openDatabase(url.href, { log: testLog })
  return {
    database: through,
    freeze: () => {
      isFrozen = true
      for (const client of clients) client.pause()
    },
    thaw: () => {
      isFrozen = false
      for (const client of clients) client.resume()
    },
    close: async () => {
      await through.close()
      proxy.close()
    },
  }
}

const long = sql`now() - interval '5 minutes'`
/** A session of a gateway of its own, which was last heard long ago. */
async function sessionOfASilentGateway() {
  const [terminal, session] = [randomUUID(), randomUUID()]
  await db
    .insert(terminals)
    .values({ id: terminal, name: terminal, type: 'koko', boot_id: 'b', date_reported: long })
  await db.insert(sessions).values({
    id: session,
    user: 'u',
    asset: 'a',
    account: 'c',
    account_id: '',
    protocol: 'ssh',
    terminal_id: terminal,
    org_id: defaultOrgId,
    date_start: long,
  })
  const report = async () => {
    await db
      .update(terminals)
      .set({ date_reported: sql`now()` })
      .where(eq(terminals.id, terminal))
  }
  const isEnded = async () => (await db.$count(sessions, sql`id = ${session} and is_finished`)) === 1
  return { name: terminal, report, isEnded }
}

test('sessions that live are not lost because the database or the server was frozen', async () => {
  const way = await openFreezable()
  const living = await sessionOfASilentGateway()
  await living.report()
  const reporting = { isOn: true, hasEnded: false }
  const reports = (async () => {
    for (; !reporting.hasEnded; await sleep(500)) if (reporting.isOn) await living.report()
  })()
  const said: string[] = []
  const log = createLog('warn', 'test', { write: (line) => said.push(line) })
  const stop = startSweeping({ database: way.database, live: {} as never, log })
  onTestFinished(async () => {
    reporting.hasEnded = true
    await reports
    await stop()
    await way.close()
  })
  const gone = await sessionOfASilentGateway()
  await until(30_000, gone.isEnded)
  expect(await living.isEnded()).toBe(false)
  await until(5000, () => said.length > 0)
  expect(said.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { gateway: gone.name, sessions: 1, why: 'it is silent', msg: 'sessions of a gateway are lost' },
  ])

  // Nobody's reports are taken while the server is frozen, nor in the moment after.
  reporting.isOn = false
  way.freeze()
  await sleep((silenceSeconds + 2) * 1000)
  way.thaw()
  await sleep(2000)
  reporting.isOn = true
  const goneSince = await sessionOfASilentGateway()
  await until(30_000, goneSince.isEnded)
  expect(await living.isEnded()).toBe(false)
}, 90_000)
