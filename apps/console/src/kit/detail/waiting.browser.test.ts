import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { groupAddress, groupId, serveGroup } from '../../testing/form-rows.ts'

const at = consolePage(serveGroup)

test('while a row loads, its page shows that it does, under the heading that will stay', async () => {
  const released = Promise.withResolvers<void>()
  await at.page.route(`**/api/v1/users/groups/${groupId}/**`, async (route) => {
    await released.promise
    await route.continue()
  })
  await at.open(groupAddress)
  await at.page.getByRole('heading', { level: 1, name: 'User group: …' }).waitFor()
  const waiting = at.page.getByRole('main').getByRole('status', { name: /^loading/iu })
  expect((await waiting.boundingBox())?.height).toBeGreaterThan(100)
  released.resolve()
  await at.page.getByRole('heading', { level: 1, name: 'User group: Operators' }).waitFor()
  await waiting.waitFor({ state: 'detached' })
})
