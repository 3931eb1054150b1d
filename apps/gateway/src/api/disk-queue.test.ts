import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Log } from '../log.ts'
import type * as Files from 'node:fs/promises'
import { DiskQueue } from './disk-queue.ts'
import { ServerAwayError, ServerRefusedError } from './errors.ts'

/** Reading it fails as often as a disk or a full table of open files may have it. */
const failing = { file: '', code: 'EIO', times: 0 }
vi.mock('node:fs/promises', async (original) => {
  const files = await original<typeof Files>()
  const readFile = async (path: string, encoding: 'utf8') => {
    if (!failing.file || !path.endsWith(failing.file) || failing.times-- <= 0)
      return await files.readFile(path, encoding)
    throw Object.assign(new Error(`${failing.code}: as told`), { code: failing.code })
  }
  return { ...files, readFile }
})

let folder = ''
const clock = { aheadMs: 0 }
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-queue-'))
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + clock.aheadMs)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
})

/** What the operator is told, as sentences. */
function heard() {
  const lines: string[] = []
  const say = (...parts: unknown[]) => void lines.push(String(parts.at(-1)))
  return { lines, log: { warn: say, error: say, debug: () => {} } as unknown as Log }
}

const whose = () => 'somebody'

test('what has waited a minute for the server is said once, and once more when it went through', async () => {
  const { lines, log } = heard()
  const server = { isAway: true, tried: 0 }
  const send = () => {
    server.tried += 1
    return server.isAway ? Promise.reject(new ServerAwayError('no answer')) : Promise.resolve()
  }
  const queue = new DiskQueue({ folder, what: 'commands', schema: z.string(), whose, batch: 10, send, log })
  await queue.start()
  await queue.push('ls')
  await expect.poll(() => server.tried).toBeGreaterThan(1)
  expect(lines).toEqual([])
  clock.aheadMs = 60_000
  const before = server.tried
  await expect.poll(() => server.tried, { timeout: 20_000 }).toBeGreaterThan(before + 1)
  expect(lines).toEqual(['commands have waited a minute for the server to take them, and are tried on'])
  server.isAway = false
  await queue.stop(20_000)
  expect(lines.slice(1)).toEqual(['the server takes commands again'])
}, 60_000)

test('what the server once refused is offered at every start, and set aside again where it is refused again', async () => {
  await mkdir(join(folder, 'refused'))
  await writeFile(join(folder, 'refused', '000000000001.json'), '{}')
  await writeFile(join(folder, 'refused', '000000000002.json'), '"ls"')
  const { lines, log } = heard()
  const taken: string[] = []
  const send = (items: string[]) => Promise.resolve(void taken.push(...items))
  const queue = new DiskQueue({ folder, what: 'commands', schema: z.string(), whose, batch: 10, send, log })
  await queue.start()
  await queue.stop(20_000)
  expect(taken).toEqual(['ls'])
  expect(await readdir(join(folder, 'refused'))).toEqual(['000000000001.json'])
  expect(lines).toEqual([
    'what the server would not take is offered once more',
    'the server will not take this, set aside',
  ])
})

test('what cannot be read is set aside once, and holds up nobody behind it while the server is away', async () => {
  await writeFile(join(folder, '000000000001.somebody.json'), '{')
  await writeFile(join(folder, '000000000002.somebody.json'), '"ls"')
  const { log } = heard()
  const taken: string[] = []
  let tried = 0
  const send = (items: string[]) => {
    tried += 1
    return tried === 1
      ? Promise.reject(new ServerAwayError('no answer'))
      : Promise.resolve(void taken.push(...items))
  }
  const queue = new DiskQueue({ folder, what: 'commands', schema: z.string(), whose, batch: 10, send, log })
  await queue.start()
  await queue.stop(20_000)
  expect(taken).toEqual(['ls'])
  expect(await readdir(join(folder, 'refused'))).toEqual(['000000000001.somebody.json'])
})

test('a batch that takes the server too long goes in smaller ones', async () => {
  for (let n = 1; n <= 40; n++)
    await writeFile(join(folder, `${String(n).padStart(12, '0')}.s${n}.json`), `"${n}"`)
  const { log } = heard()
  const sizes: number[] = []
  const taken: string[] = []
  const send = (items: string[]) => {
    sizes.push(items.length)
    return items.length > 10
      ? Promise.reject(new ServerAwayError('no answer'))
      : Promise.resolve(void taken.push(...items))
  }
  const queue = new DiskQueue({ folder, what: 'alerts', schema: z.string(), whose, batch: 40, send, log })
  await queue.start()
  await queue.stop(20_000)
  expect(new Set(taken).size).toBe(40)
  expect(sizes.slice(0, 3)).toEqual([40, 20, 10])
})

test('what a killed process was about to keep is kept where it is whole', async () => {
  await writeFile(join(folder, '000000000001.a.json.new'), '"whole"')
  await writeFile(join(folder, '000000000002.a.json.new'), '"ha')
  const { log } = heard()
  const taken: string[] = []
  const send = (items: string[]) => Promise.resolve(void taken.push(...items))
  const queue = new DiskQueue({ folder, what: 'commands', schema: z.string(), whose, batch: 10, send, log })
  await queue.start()
  await queue.stop(20_000)
  expect(taken).toEqual(['whole'])
  expect(await readdir(folder)).toEqual([])
})

test('a draft that is no file at all is set aside, and the queue starts', async () => {
  await mkdir(join(folder, '000000000001.a.json.new'))
  await writeFile(join(folder, '000000000002.a.json'), '"ls"')
  const { log } = heard()
  const taken: string[] = []
  const send = (items: string[]) => Promise.resolve(void taken.push(...items))
  const queue = new DiskQueue({ folder, what: 'commands', schema: z.string(), whose, batch: 10, send, log })
  await queue.start()
  await queue.stop(20_000)
  expect(taken).toEqual(['ls'])
  expect(await readdir(join(folder, 'refused'))).toEqual(['000000000001.a.json'])
})

test.each(['EMFILE', 'EIO'])(
  'what cannot be read for now (%s) is sent once it can, before what follows it, and holds up no other session',
  async (code) => {
    await writeFile(join(folder, '000000000001.a.json.new'), '"first"')
    await writeFile(join(folder, '000000000002.a.json'), '"second"')
    await writeFile(join(folder, '000000000003.b.json'), '"other"')
    Object.assign(failing, { file: '000000000001.a.json', code, times: 2 })
    const { lines, log } = heard()
    const batches: string[][] = []
    const send = (items: string[]) => Promise.resolve(void batches.push(items))
    const queue = new DiskQueue({ folder, what: 'commands', schema: z.string(), whose, batch: 10, send, log })
    await queue.start()
    await queue.stop(20_000)
    expect(batches).toEqual([['other'], ['first', 'second']])
    expect(await readdir(folder)).toEqual([])
    expect(lines).toEqual([])
  },
)

test('what cannot be opened is set aside as what the server refuses, and the rest goes through', async () => {
  await mkdir(join(folder, '000000000001.a.json'))
  await writeFile(join(folder, '000000000002.b.json'), '"refused"')
  await writeFile(join(folder, '000000000003.c.json'), '"ls"')
  const { log } = heard()
  const taken: string[] = []
  const send = (items: string[]) =>
    items.includes('refused')
      ? Promise.reject(new ServerRefusedError('commands', 400, {}))
      : Promise.resolve(void taken.push(...items))
  const queue = new DiskQueue({ folder, what: 'commands', schema: z.string(), whose, batch: 10, send, log })
  await queue.start()
  await queue.stop(20_000)
  expect(taken).toEqual(['ls'])
  expect((await readdir(join(folder, 'refused'))).toSorted()).toEqual([
    '000000000001.a.json',
    '000000000002.b.json',
  ])
})

test('what the server cannot take at the moment, because somebody holds its rows, goes through once it can', async () => {
  const { lines, log } = heard()
  const server = { isBusy: true, tried: 0, taken: [] as string[] }
  const send = (items: string[]) => {
    server.tried += 1
    if (server.isBusy)
      return Promise.reject(new ServerRefusedError('commands/', 409, { code: 'busy', detail: 'retry later' }))
    server.taken.push(...items)
    return Promise.resolve()
  }
  const queue = new DiskQueue({ folder, what: 'commands', schema: z.string(), whose, batch: 10, send, log })
  await queue.start()
  await queue.push('ls')
  await queue.push('id')
  await expect.poll(() => server.tried, { timeout: 20_000 }).toBeGreaterThan(2)
  server.isBusy = false
  await queue.stop(20_000)
  expect(server.taken).toEqual(['ls', 'id'])
  expect(lines).toEqual([])
}, 60_000)

const ofSession = z.object({ session: z.string(), number: z.number() })
type OfSession = z.infer<typeof ofSession>

/** A server that takes batches of ten, when it is told to, and the gateway's queue for it. */
function slowServer(log: Log) {
  const batches: OfSession[][] = []
  let isDown = false
  const send = (items: OfSession[]) => {
    if (isDown) return Promise.reject(new ServerAwayError('no answer'))
    batches.push(items)
    return Promise.resolve()
  }
  const queue = new DiskQueue({
    folder,
    what: 'commands',
    schema: ofSession,
    whose: ({ session }) => session,
    batch: 10,
    send,
    log,
  })
  return { queue, batches, goDown: () => (isDown = true), comeBack: () => (isDown = false) }
}
const numbersOf = (wanted: string, items: readonly OfSession[]) =>
  items.filter(({ session }) => session === wanted).map(({ number }) => number)
const upTo = (count: number) => Array.from({ length: count }, (_, number) => number)

test('what waits of one session by the thousands holds up nobody else, and all of it arrives in order', async () => {
  const { queue, batches } = slowServer(heard().log)
  await queue.start()
  const flood = upTo(2000).map((number) => queue.push({ session: 'flooder', number }))
  await expect.poll(() => batches.length).toBeGreaterThan(0)
  await Promise.all(upTo(3).map((number) => queue.push({ session: 'other', number })))
  const sentBefore = batches.length
  await expect.poll(() => numbersOf('other', batches.flat())).toEqual(upTo(3))
  expect(batches.findIndex((batch) => batch.some(({ session }) => session === 'other'))).toBeLessThan(
    sentBefore + 3,
  )
  expect(numbersOf('flooder', batches.flat()).length).toBeLessThan(1000)
  await Promise.all(flood)
  await queue.stop(60_000)
  expect(numbersOf('flooder', batches.flat())).toEqual(upTo(2000))
}, 60_000)

test('what a killed process left, and what an earlier release wrote, is sent after the restart, in turn', async () => {
  const { log } = heard()
  await writeFile(join(folder, '000000000007.json'), JSON.stringify({ session: 'old', number: 0 }))
  const killed = slowServer(log)
  killed.goDown()
  await killed.queue.start()
  for (const number of upTo(100)) await killed.queue.push({ session: 'flooder', number })
  for (const number of upTo(3)) await killed.queue.push({ session: 'other', number })
  await killed.queue.stop(0)
  const { queue, batches } = slowServer(log)
  await queue.start()
  await queue.push({ session: 'flooder', number: 100 })
  await queue.stop(20_000)
  const sent = batches.flat()
  expect([sent[0]?.session, numbersOf('other', batches[0] ?? [])]).toEqual(['old', upTo(3)])
  expect(numbersOf('flooder', sent)).toEqual(upTo(101))
  expect(await readdir(folder)).toEqual([])
}, 60_000)

test('of more sessions than fit into a batch each has its turn before one has another', async () => {
  const { queue, batches, goDown, comeBack } = slowServer(heard().log)
  goDown()
  await queue.start()
  for (const name of upTo(25))
    for (const number of upTo(2)) await queue.push({ session: `session-${name}`, number })
  comeBack()
  await queue.stop(20_000)
  expect(
    batches
      .flat()
      .slice(0, 25)
      .map(({ number }) => number),
  ).toEqual(Array(25).fill(0))
}, 60_000)
