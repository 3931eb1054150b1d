import { expect, test } from 'vitest'
import { type Asker, FairQueue } from './fair-queue.ts'

/** Who is served in so many turns, each of the time that asker takes; all go on asking. */
function served(queue: FairQueue<Asker>, costs: Map<Asker, number>, turns: number): Asker[] {
  for (const asker of costs.keys()) queue.add(asker, asker)
  return Array.from({ length: turns }, () => {
    const asker = queue.take()
    if (!asker) throw new Error('nobody waits')
    queue.used(asker, costs.get(asker) ?? 0)
    queue.add(asker, asker)
    return asker
  })
}

test('organizations have equal shares, however many ask in one', () => {
  const queue = new FairQueue<Asker>()
  const many = Array.from({ length: 9 }, () => queue.asker('many'))
  const alone = queue.asker('alone')
  const all = served(queue, new Map([...many, alone].map((asker) => [asker, 10])), 40)
  expect(all.filter((asker) => asker === alone)).toHaveLength(20)
})

test('in an organization whose questions are costly waits for those whose are not', () => {
  const queue = new FairQueue<Asker>()
  const costly = queue.asker('one')
  const cheap = queue.asker('one')
  const all = served(
    queue,
    new Map([
      [costly, 1000],
      [cheap, 1],
    ]),
    50,
  )
  expect(all.filter((asker) => asker === costly)).toHaveLength(1)
})

test('nobody saves up turns by asking nothing', () => {
  const queue = new FairQueue<Asker>()
  const busy = queue.asker('one')
  served(queue, new Map([[busy, 100]]), 50)
  const late = queue.asker('two')
  const all = served(queue, new Map([[late, 100]]), 20)
  expect(all.filter((asker) => asker === busy).length).toBeGreaterThan(8)
})
