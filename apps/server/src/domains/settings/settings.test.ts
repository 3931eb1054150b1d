import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startTestSystem } from '../../testing.ts'
import { createSettings } from './index.ts'

const system = await startTestSystem()

test('forty people save at once while settings change: all are answered', async () => {
  const admin = await system.admin()
  const settings = createSettings(system.ground)
  const over = new AbortController()
  const changing = (async () => {
    for (let count = 0; !over.signal.aborted; count += 1) {
      await settings.store(system.database.db, { SECURITY_MAX_IDLE_TIME: 30 + (count % 10) })
      await sleep(20)
    }
  })()
  const statuses: number[] = []
  await Promise.all(
    Array.from({ length: 40 }, async (_, person) => {
      for (let round = 0; round < 5; round += 1) {
        const answer = await admin.patch('users/profile/', { comment: `${person} ${round}` })
        statuses.push(answer.status)
      }
    }),
  )
  over.abort()
  await changing
  expect(new Set(statuses)).toEqual(new Set([200]))
})
