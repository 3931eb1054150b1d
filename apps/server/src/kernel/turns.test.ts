import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

const bounds = { atOnce: 2, atOnceOfOne: 1, waiting: 3, waitingOfOne: 2, waitMs: 60_000 }

/** Work that is noted when it begins, and ends when it is told to. */
function atWork(take: ReturnType<typeof createTurns>) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (name: string) =>
    take(name[0] ?? '', async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      return name
    })
  return { begun, ask, end: (name: string) => ends.get(name)?.() }
}

test('one person has one turn at a time, and somebody else comes before the next of the same', async () => {
  const { begun, ask, end } = atWork(createTurns(bounds))
  const all = ['a1', 'a2', 'b1', 'c1'].map((name) => ask(name))
  await setImmediate()
  expect(begun).toEqual(['a1', 'b1'])
  end('b1')
  await setImmediate()
  expect(begun).toEqual(['a1', 'b1', 'c1'])
  end('a1')
  await setImmediate()
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2'])
  end('c1')
  end('a2')
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1', 'c1'])
})

test('who asks for too much is refused; so is everybody when too many wait, or for too long', async () => {
  const { ask } = atWork(createTurns(bounds))
  for (const name of ['a1', 'a2', 'a3', 'b1']) void ask(name)
  await expect(ask('a4')).rejects.toMatchObject({ status: 429, code: 'overloaded' })
  void ask('b2')
  await expect(ask('c1')).rejects.toMatchObject({ status: 503, code: 'overloaded' })
  const impatient = atWork(createTurns({ ...bounds, waitMs: 20 }))
  void impatient.ask('a1')
  await expect(impatient.ask('a2')).rejects.toMatchObject({ status: 503, code: 'overloaded' })
})

test('a turn that fails is over', async () => {
  const take = createTurns({ ...bounds, atOnce: 1 })
  await expect(take('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await take('a', () => Promise.resolve(1))).toBe(1)
})

test('what goes one after the other waits without holding what others, or the same person, need', async () => {
  const take = createTurns({ ...bounds, atOnce: 3, waiting: 9, waitingOfOne: 9 })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (name: string, alone?: string) =>
    take(
      name[0] ?? '',
      () => {
        begun.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      },
      alone,
    )
  const end = async (name: string) => {
    ends.get(name)?.()
    await setImmediate()
  }
  void ask('a1')
  void ask('a2', 'tree')
  void ask('b1', 'tree')
  void ask('c1', 'tree')
  void ask('c2')
  await setImmediate()
  expect(begun).toEqual(['a1', 'b1', 'c2'])
  await end('a1')
  expect(begun).toHaveLength(3)
  await end('b1')
  expect(begun).toEqual(['a1', 'b1', 'c2', 'a2'])
  await end('c2')
  expect(begun).toHaveLength(4)
  await end('a2')
  expect(begun).toEqual(['a1', 'b1', 'c2', 'a2', 'c1'])
})

test('four people with twelve each do not make a fifth wait for all of theirs', async () => {
  const { begun, ask, end } = atWork(
    createTurns({ atOnce: 4, atOnceOfOne: 3, waiting: 99, waitingOfOne: 99, waitMs: 60_000 }),
  )
  for (const who of 'abcd') for (let at = 0; at < 12; at++) void ask(`${who}${at}`)
  void ask('e0')
  await setImmediate()
  // Each of the others comes once at most before.
  for (let ended = 0; !begun.includes('e0'); ended++) {
    expect(ended).toBeLessThan(5)
    end(begun[ended] ?? '')
    await setImmediate()
  }
})

test('the last turns are for people who have none', async () => {
  const { begun, ask, end } = atWork(
    createTurns({ ...bounds, atOnce: 4, atOnceOfOne: 3, waiting: 99, waitingOfOne: 99, forOthers: 2 }),
  )
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'd1']) void ask(name)
  await setImmediate()
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1'])
  end('a1')
  await setImmediate()
  expect(begun.slice(4)).toEqual(['d1'])
  for (const name of ['a2', 'c1']) end(name)
  await setImmediate()
  expect(begun.slice(5)).toEqual(['a3'])
})

test('who took long has one turn at a time for a while', async () => {
  const slow = { turnMs: 20, forMs: 300 }
  const { begun, ask, end } = atWork(
    createTurns({ ...bounds, atOnce: 9, atOnceOfOne: 2, waiting: 99, waitingOfOne: 99, slow }),
  )
  for (const name of ['a1', 'a2', 'a3']) void ask(name)
  await expect.poll(() => begun).toEqual(['a1', 'a2'])
  await sleep(60)
  for (const name of ['a4', 'a5', 'b1']) void ask(name)
  end('a1')
  await setImmediate()
  expect(begun.slice(2)).toEqual(['b1'])
  end('a2')
  await setImmediate()
  expect(begun.slice(3)).toEqual(['a3'])
  for (const name of ['b1', 'a3', 'a4', 'a5']) {
    end(name)
    await setImmediate()
  }
  await sleep(400)
  for (const name of ['a6', 'a7']) void ask(name)
  await setImmediate()
  expect(begun.slice(-2)).toEqual(['a6', 'a7'])
})
