import { expect, test } from 'vitest'
import { ownTurn } from './turns.ts'

test('of those who come at once each has a turn of its own, in order', async () => {
  let turn = 0
  let isOver = false
  const count = () => {
    turn++
    if (!isOver) setImmediate(count)
  }
  count()
  const had: [who: number, turn: number][] = []
  const come = async (who: number) => {
    await ownTurn()
    had.push([who, turn])
  }
  await Promise.all(Array.from({ length: 20 }, (_none, who) => come(who)))
  isOver = true
  expect(had.map(([who]) => who)).toEqual(Array.from({ length: 20 }, (_none, who) => who))
  expect(new Set(had.map(([, when]) => when)).size).toBe(20)
})
