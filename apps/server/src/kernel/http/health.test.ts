import { expect, test } from 'vitest'
import type { Context } from '../context.ts'
import type { Ground } from '../ground.ts'
import { healthRoute } from './health.ts'
import { Reply } from './route.ts'

test('health answers in seconds, however many ask, while the database hangs or a part fails', async () => {
  let asked = 0
  const hanging = {
    execute: () => {
      asked++
      return new Promise(() => {})
    },
  } as unknown as Ground['database']['db']
  const failing = () => Promise.reject(new Error('no'))
  const route = healthRoute(
    { db: hanging },
    () => Promise.resolve({ live_status: true }),
    [{ health: failing } as never],
    '/api/health/',
  )
  const begun = performance.now()
  const ask = async () => await route.handler({} as Context, {} as never)
  const answers = await Promise.all(Array.from({ length: 30 }, ask))
  expect(performance.now() - begun).toBeLessThan(10_000)
  expect(asked).toBe(1)
  for (const answer of answers) {
    expect(answer).toBeInstanceOf(Reply)
    expect(answer).toMatchObject({
      status: 503,
      body: { status: false, db_status: false, live_status: true },
    })
  }
})
