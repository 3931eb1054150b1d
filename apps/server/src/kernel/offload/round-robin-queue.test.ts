import { expect, test } from 'vitest'
import { RoundRobinQueue } from './round-robin-queue.ts'

function drain(queue: RoundRobinQueue<string>): string[] {
  const job = queue.shift()
  return job === undefined ? [] : [job, ...drain(queue)]
}

test('whoever sends many jobs waits for his own, and others have their turn in between', () => {
  const queue = new RoundRobinQueue<string>(10)
  for (const job of ['a1', 'a2', 'a3', 'a4']) queue.push('a', job)
  for (const job of ['b1', 'c1', 'b2']) queue.push(job.slice(0, 1), job)
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
})

test('a full queue refuses whoever has most in it, and takes in whoever has less', () => {
  const queue = new RoundRobinQueue<string>(3)
  for (const job of ['a1', 'a2', 'a3']) expect(queue.push('a', job)).toBeUndefined()
  expect(queue.push('a', 'a4')).toBe('a4')
  expect(queue.push('b', 'b1')).toBe('a3')
  // Two and two would be no better than two and one.
  expect(queue.push('b', 'b2')).toBe('b2')
  expect(queue.push('c', 'c1')).toBe('a2')
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1'])
})
