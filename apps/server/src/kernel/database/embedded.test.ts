import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { Client } from 'pg'
import { ConfigError } from '../config.ts'
import { messageOf } from '../failure.ts'
import { testLog } from '../testing/index.ts'
import { startEmbeddedPostgres } from './embedded.ts'

/** The first start of a database, on a machine that has much else to do. */
const startMs = 45_000

const cleanUps: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'sallyport-embedded-'))
  await chmod(dir, 0o711)
  cleanUps.push(() => rm(dir, { recursive: true, force: true }))
  return dir
}

async function start(dataDir: string) {
  const postgres = await startEmbeddedPostgres({ dataDir, log: testLog })
  cleanUps.push(() => postgres.stop())
  return postgres
}

async function postmasterPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n', 1)[0])
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

/** A process that starts the database, writes numbered rows as fast as it can and says which ones were acknowledged. */
function startWriter(dataDir: string): { child: ChildProcess; acknowledged(): number } {
  const program = `
    import { Client } from 'pg'
    import { startEmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, 'embedded.ts'))}
    import { createLog } from ${JSON.stringify(join(import.meta.dirname, '../log.ts'))}
    const { url } = await startEmbeddedPostgres({ dataDir: process.argv[1], log: createLog('silent') })
    const client = new Client({ connectionString: url, application_name: 'sallyport writer' })
    await client.connect()
    await client.query('create table if not exists written (n integer primary key)')
    for (let n = 1; ; n += 1) {
      await client.query('insert into written values ($1)', [n])
      process.stdout.write(n + '\\n')
    }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  cleanUps.push(async () => {
    child.kill('SIGKILL')
    await untilExit(child)
  })
  return { child, acknowledged: () => Number(text.split('\n').at(-2) ?? 0) }
}

async function untilExit(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    await new Promise((resolve) => child.once('close', resolve))
  }
}

test('kill -9 of everything while rows are written: the next start has every acknowledged row', async () => {
  const dataDir = await folder()
  const writer = startWriter(dataDir)
  await expect.poll(() => writer.acknowledged(), { timeout: startMs, interval: 20 }).toBeGreaterThan(300)
  const pid = await postmasterPid(dataDir)
  writer.child.kill('SIGKILL')
  process.kill(pid, 'SIGKILL')
  await untilExit(writer.child)

  const { url } = await start(dataDir)
  const [row] = await query(url, 'select count(*)::int as rows, max(n) as last from written')
  expect(row).toEqual({ rows: expect.any(Number), last: expect.any(Number) })
  const { rows, last } = row as { rows: number; last: number }
  expect(last).toBeGreaterThanOrEqual(writer.acknowledged())
  expect(rows).toBe(last)
})

test('a server left behind by a killed parent is taken over', async () => {
  const dataDir = await folder()
  const writer = startWriter(dataDir)
  await expect.poll(() => writer.acknowledged(), { timeout: startMs, interval: 20 }).toBeGreaterThan(0)
  const pid = await postmasterPid(dataDir)
  writer.child.kill('SIGKILL')
  await untilExit(writer.child)

  const { url } = await start(dataDir)
  expect(await postmasterPid(dataDir)).toBe(pid)
  expect(await query(url, 'select n from written where n = 1')).toEqual([{ n: 1 }])
})

test('two processes on one data folder share the server; it ends with the last of them', async () => {
  const dataDir = await folder()
  const [one, two] = await Promise.all([start(dataDir), start(dataDir)])
  const client = new Client({ connectionString: two.url, application_name: 'sallyport' })
  await client.connect()
  await one.stop()
  expect((await client.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }])
  await client.end()
  await two.stop()
  await expect(query(two.url, 'select 1')).rejects.toThrow()
})

test(
  'one that stands still and does not stop is told in a sentence',
  { timeout: startMs + 30_000 },
  async () => {
    const dataDir = await folder()
    await start(dataDir)
    const pid = await postmasterPid(dataDir)
    process.kill(pid, 'SIGSTOP')
    const stopping = spawn(process.execPath, [join(import.meta.dirname, '../../stop-database.ts')], {
      env: { ...process.env, SALLYPORT_DATA: dataDir },
    })
    const said = text(stopping.stderr)
    const [code] = (await once(stopping, 'exit')) as [number]
    process.kill(pid, 'SIGCONT')
    expect([code, await said]).toEqual([1, `The embedded PostgreSQL (process ${pid}) does not stop.\n`])
  },
)

test('a server that dies alone comes back by itself', async () => {
  const dataDir = await folder()
  const { url } = await start(dataDir)
  const pid = await postmasterPid(dataDir)
  process.kill(pid, 'SIGKILL')
  await expect
    .poll(() => query(url, 'select 1 as one').catch(() => []), { timeout: 10_000, interval: 100 })
    .toEqual([{ one: 1 }])
  expect(await postmasterPid(dataDir)).not.toBe(pid)
})

test('its log is bounded while it runs', async () => {
  const dataDir = await folder()
  const { url } = await start(dataDir)
  const file = join(dataDir, 'logs/postgres.log')
  await appendFile(file, 'x'.repeat(11 * 1024 * 1024))
  const sizeOf = (path: string) =>
    stat(path).then(
      ({ size }) => size,
      () => 0,
    )
  await expect.poll(() => sizeOf(file), { timeout: 10_000 }).toBeLessThan(1024 * 1024)
  expect(await sizeOf(`${file}.1`)).toBeGreaterThan(10 * 1024 * 1024)
  await query(url, `do $$ begin raise warning 'still written'; end $$`)
  await expect.poll(() => readFile(file, 'utf8'), { timeout: 10_000 }).toContain('still written')
})

test('a pid file that names an unrelated process does not keep the database from starting', async () => {
  const dataDir = await folder()
  const first = await start(dataDir)
  await first.stop()
  const pidFile = join(dataDir, 'postgres/postmaster.pid')
  await writeFile(pidFile, `${process.pid}\n${join(dataDir, 'postgres')}\n1\n5432\n\n\n\n`)
  const { url } = await start(dataDir)
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a data folder whose path is too long for a socket works over loopback', async () => {
  const dataDir = join(await folder(), 'a'.repeat(100))
  await mkdir(dataDir, { mode: 0o711 })
  const { url } = await start(dataDir)
  expect(new URL(url).hostname).toBe('127.0.0.1')
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('nobody gets in without the password, which only this account can read', async () => {
  const dataDir = await folder()
  const { url } = await start(dataDir)
  const guessed = new URL(url)
  guessed.password = 'guess'
  await expect(query(guessed.href, 'select 1')).rejects.toThrow('password authentication failed')
  expect((await stat(join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600)
})

test.each([
  [
    'data of another version',
    'postgres/PG_VERSION',
    '14\n',
    /^The database in .* was written by PostgreSQL 14/,
  ],
  ['a lost password', 'postgres.password', 'other\n', /^The password in .*postgres\.password is not the one/],
])('%s is told in one line', async (_, file, content, sentence) => {
  const dataDir = await folder()
  const first = await start(dataDir)
  await first.stop()
  await writeFile(join(dataDir, file), content)
  const error: unknown = await startEmbeddedPostgres({ dataDir, log: testLog }).catch(
    (caught: unknown) => caught,
  )
  if (file === 'postgres.password') {
    const pid = await postmasterPid(dataDir)
    cleanUps.push(async () => process.kill(pid, 'SIGQUIT'))
  }
  expect(error).toBeInstanceOf(ConfigError)
  expect(messageOf(error)).toMatch(sentence)
})
