import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { workForCaller } from './database/index.ts'
import { inPieces } from './pieces.ts'
import { longestTurnMs } from './testing/turns.ts'

const busy = (ms: number) => {
  const until = performance.now() + ms
  while (performance.now() < until);
}
const rows = Array.from({ length: 60 }, (_none, n) => n)

test('others have a turn between the pieces of something long, and all items come in their order', async () => {
  const done: number[] = []
  const longest = await longestTurnMs(async () => {
    for await (const row of inPieces(rows)) {
      busy(5)
      done.push(row)
    }
  })
  expect(done).toEqual(rows)
  expect(longest).toBeLessThan(100)
})

test('of several who are at work on something long one goes on in each turn', async () => {
  const work = () => Array.fromAsync(inPieces(rows), () => busy(5))
  const longest = await longestTurnMs(() => Promise.all(Array.from({ length: 6 }, work)))
  // All six begin in the first one.
  expect(longest).toBeLessThan(250)
})

test('what nobody waits for any more is not gone on with', async () => {
  const gone = new AbortController()
  let done = 0
  const working = workForCaller(gone.signal, async () => {
    for await (const row of inPieces(rows)) {
      busy(5)
      done = row
    }
  })
  await setImmediate()
  gone.abort()
  await expect(working).rejects.toMatchObject({ status: 503 })
  expect(done).toBeLessThan(rows.length - 1)
})
