import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Log } from '../log.ts'
import { DiskQueue } from './disk-queue.ts'
import { ServerAwayError, ServerRefusedError } from './errors.ts'

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

test('what has waited a minute for the server is said once, and once more when it went through', async () => {
  const { lines, log } = heard()
  const server = { isAway: true, tried: 0 }
  const send = () => {
    server.tried += 1
    return server.isAway ? Promise.reject(new ServerAwayError('no answer')) : Promise.resolve()
  }
  const queue = new DiskQueue({ folder, what: 'commands', schema: z.string(), batch: 10, send, log })
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
  const queue = new DiskQueue({ folder, what: 'commands', schema: z.string(), batch: 10, send, log })
  await queue.start()
  await queue.stop(20_000)
  expect(taken).toEqual(['ls'])
  expect(await readdir(join(folder, 'refused'))).toEqual(['000000000001.json'])
  expect(lines).toEqual([
    'what the server would not take is offered once more',
    'the server will not take this, set aside',
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
  const queue = new DiskQueue({ folder, what: 'commands', schema: z.string(), batch: 10, send, log })
  await queue.start()
  await queue.push('ls')
  await queue.push('id')
  await expect.poll(() => server.tried, { timeout: 20_000 }).toBeGreaterThan(2)
  server.isBusy = false
  await queue.stop(20_000)
  expect(server.taken).toEqual(['ls', 'id'])
  expect(lines).toEqual([])
}, 60_000)
