import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Latest } from './latest.ts'

it('does one thing at a time, and of what is asked for meanwhile the last', async () => {
  const done: [number, boolean][] = []
  const latest = new Latest<number>(
    async (asked, signal) => {
      await turn()
      done.push([asked, signal.aborted])
    },
    () => expect.unreachable(),
  )
  for (let at = 1; at <= 1000; at++) latest.ask(at)
  await expect
    .poll(() => done)
    .toEqual([
      [1, true],
      [1000, false],
    ])
  latest.ask(1001)
  latest.ask(1002)
  latest.end()
  latest.ask(1003)
  await expect.poll(() => done.slice(2)).toEqual([[1001, true]])
})

it('goes on after a failure, and tells of failures that follow each other once', async () => {
  const told: unknown[] = []
  let done = 0
  const latest = new Latest<boolean>(
    async (fails) => {
      await turn()
      done += 1
      if (fails) throw new Error(`failure ${done}`)
    },
    (error) => told.push((error as Error).message),
  )
  for (const fails of [true, true, false, true]) {
    const before = done
    latest.ask(fails)
    await expect.poll(() => done).toBe(before + 1)
    await turn()
  }
  expect(told).toEqual(['failure 1', 'failure 4'])
})
