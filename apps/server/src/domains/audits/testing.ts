/** What the books say of a piece of work. */
import { expect } from 'vitest'
import type { TestAnswer, TestSystem } from '../../testing.ts'

export interface Booked {
  user: string
  action: string
  resource_type: string
  resource: string
  org_id: string
  diff: Record<string, [string, string]>
}

/** All records, the oldest first. */
export async function booked({ database }: TestSystem): Promise<Booked[]> {
  const { rows } = await database.pool.query<Booked>(
    'select "user", action, resource_type, resource, org_id, diff from operate_logs order by datetime, id',
  )
  return rows
}

/** The records that came while it was done, which has to succeed. */
export async function recordsOf(system: TestSystem, work: () => Promise<TestAnswer>): Promise<Booked[]> {
  const before = (await booked(system)).length
  const answer = await work()
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return (await booked(system)).slice(before)
}
