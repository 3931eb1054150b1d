import { UserGroup } from '@sallyport/contract/resources/users'
import { expect, test } from 'vitest'
import { countDraws } from '../../testing/count-draws.ts'
import { consolePage } from '../../testing/console-page.ts'
import { serveRows } from '../../testing/fixture-rows.ts'

const at = consolePage(
  (fixture) => {
    fixture.profile.perms.push('users.add_usergroup', 'users.change_usergroup', 'users.delete_usergroup')
    serveRows(
      fixture,
      UserGroup,
      Array.from({ length: 100 }, (_, index) => ({
        id: `00000000-0000-4000-8000-0000000000${String(index).padStart(2, '0')}`,
        name: `Group ${String(index).padStart(2, '0')}`,
        users: [],
        users_amount: index,
        comment: '',
        ...(index === 1 && { may: { update: 'Groups of the directory are changed there', delete: false } }),
      })),
    )
  },
  { stored: { paginationSize: '100' } },
)

const open = () => at.open('/ui/console/users/groups')

test('a tick among a hundred rows draws that row alone', async () => {
  const draws = await countDraws(at.page, 'tbody tr')
  await open()
  await at.page.getByRole('link', { name: 'Group 99' }).waitFor()
  const before = await draws()
  await at.page.getByRole('checkbox', { name: 'Select Group 50' }).check()
  await at.page.getByRole('button', { name: 'Actions (1)' }).waitFor()
  expect((await draws()) - before).toBe(1)
})

test('what the server refuses with a row is closed, and says why', async () => {
  await open()
  const row = at.page.getByRole('row').filter({ hasText: 'Group 01' })
  const update = row.getByRole('button', { name: 'Update' })
  await update.waitFor()
  expect(await update.isDisabled()).toBe(true)
  expect(await update.getAttribute('title')).toBe('Groups of the directory are changed there')
  const other = at.page.getByRole('row').filter({ hasText: 'Group 02' })
  expect(await other.getByRole('button', { name: 'Update' }).isDisabled()).toBe(false)
})
