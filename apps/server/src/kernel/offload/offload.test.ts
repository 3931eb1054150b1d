import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type * as Work from '../testing/long-work.ts'
import { offload, OffloadFailure } from './index.ts'

const start = (bounds: { maxWaiting?: number; budgetMs?: number } = {}) =>
  offload<typeof Work>(new URL('../testing/long-work.ts', import.meta.url), {
    threads: 1,
    maxWaiting: 2,
    budgetMs: 20_000,
    memoryMiB: 32,
    ...bounds,
  })

test('long work leaves the process free to answer others', async () => {
  const run = start()
  const work = run('spin', 300)
  for (let turns = 0; turns < 6; turns += 1)
    expect(await Promise.race([work, sleep(1, 'others were served')])).toBe('others were served')
  expect(await work).toBe(300)
})

test('whoever finds the queue full is told so at once; who goes first goes first', async () => {
  const run = start()
  const order: string[] = []
  const named = async (name: string, work: Promise<unknown>) => {
    await work
    order.push(name)
  }
  const running = [
    named('running', run('spin', 50)),
    named('waiting', run('spin', 1)),
    named('waiting too', run('spin', 1)),
  ]
  await expect(run('spin', 1)).rejects.toMatchObject({ status: 503, code: 'overloaded' })
  running.push(named('first', run('spin', 1, { first: true })))
  await Promise.all(running)
  expect(order).toEqual(['running', 'first', 'waiting', 'waiting too'])
})

test('what runs over its budget, needs too much memory or ends its thread is refused, and the next is served', async () => {
  const run = start({ budgetMs: 500 })
  await expect(run('spin', 60_000)).rejects.toThrow(OffloadFailure)
  expect(await run('spin', 1)).toBe(1)
  await expect(run('hoard', undefined)).rejects.toThrow(OffloadFailure)
  await expect(run('leave', undefined)).rejects.toThrow(OffloadFailure)
  await expect(run('complain', 'the secret')).rejects.toThrow('complain: RangeError')
  expect(await run('spin', 1)).toBe(1)
})
