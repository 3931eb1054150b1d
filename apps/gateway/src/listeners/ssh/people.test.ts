import { expect, test } from 'vitest'
import { People } from './people.ts'

const nothing = () => {}
const enter = (people: People, signedInMs: number | undefined, beganAt = performance.now()) =>
  people.enter('ann', { beganAt, signedInMs }, nothing)

test('an order that is heard late ends what was signed in before it was given, and nothing that came after', () => {
  const people = new People()
  const [before, after] = [enter(people, 10), enter(people, 12)]
  people.disconnect('ann', 11)
  expect([before?.isOver(), after?.isOver()]).toEqual([true, false])
  expect(enter(people, 10.5)).toBeUndefined()
  expect(enter(people, 12.5)?.isOver()).toBe(false)
  // An older one, heard last.
  people.disconnect('ann', 5)
  expect(enter(people, 10.5)).toBeUndefined()
})

test('where a server does not tell when somebody was signed in, what began before the order was heard is ended', () => {
  const people = new People()
  const beganAt = performance.now()
  const entered = enter(people, undefined, beganAt)
  people.disconnect('ann', 11)
  expect(entered?.isOver()).toBe(true)
  expect(enter(people, undefined, beganAt)).toBeUndefined()
  expect(enter(people, undefined, performance.now() + 1)?.isOver()).toBe(false)
})

test('others stay, and who has left is counted no more', () => {
  const people = new People()
  const other = people.enter('eve', { beganAt: 0, signedInMs: 1 }, nothing)
  people.disconnect('ann', 11)
  expect(other?.isOver()).toBe(false)
  expect(people.connectionsOf('eve')).toBe(1)
  other?.leave()
  expect(people.connectionsOf('eve')).toBe(0)
})
