import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { readInTurn } from './reading.ts'

const of = (id: string) => ({ context: { identity: { id, isComponent: false } } }) as FastifyRequest
const long = 1 << 20

/** Takes the process for so long; tells when it began and ended. */
function busyFor(ms: number): { began: number; ended: number } {
  const began = performance.now()
  while (performance.now() - began < ms);
  return { began, ended: performance.now() }
}

test('long bodies of one person are read one after the other, and others have three quarters of the time', async () => {
  const all = Array.from({ length: 4 }, () => readInTurn(of('ann'), long, () => busyFor(20)))
  const other = readInTurn(of('bob'), long, () => busyFor(1))
  const short = readInTurn(of('ann'), 1000, () => busyFor(0))
  const [first, ...others] = await Promise.all(all)
  let before = first
  for (const next of others) {
    // Timers count whole milliseconds.
    expect(next.began - (before?.ended ?? 0)).toBeGreaterThan(58)
    before = next
  }
  for (const unheld of [await other, await short]) expect(unheld.began).toBeLessThan(others[0]?.began ?? 0)
})

test('a body that cannot be read is told at once, and the next is read', async () => {
  const broken = readInTurn(of('ann'), long, () => {
    throw new Error('broken')
  })
  await expect(broken).rejects.toThrow('broken')
  expect(await readInTurn(of('ann'), long, () => 'read')).toBe('read')
})
