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

test('rows of a list that is ordered anew are drawn once, for the answer and not for the address', async () => {
  const draws = await countDraws(at.page, 'tbody tr')
  await open()
  await at.page.getByRole('link', { name: 'Group 99' }).waitFor()
  const before = await draws()
  const answered = at.page.waitForResponse(/order=name/u)
  await at.page.getByRole('button', { name: 'Name', exact: true }).click()
  await answered
  await at.page.getByRole('table', { name: 'User group' }).and(at.page.locator('[aria-busy=false]')).waitFor()
  expect((await draws()) - before).toBe(100)
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

test('a new row is begun in a tab of its own where Control is held', async () => {
  await open()
  const opened = at.page.context().waitForEvent('page')
  await at.button('Create').click({ modifiers: ['Control'] })
  const other = await opened
  await other.getByLabel('Name').waitFor()
  expect(new URL(other.url()).pathname).toBe('/ui/console/users/groups/create')
  expect(new URL(at.page.url()).pathname).toBe('/ui/console/users/groups')
  await other.close()
})

test('rows that cannot be deleted together stay ticked, with what failed and why', async () => {
  at.fixture.answers.set('DELETE /api/v1/users/groups/', () => ({
    status: 403,
    body: { detail: 'Group 03 has members' },
  }))
  await open()
  await at.page.getByRole('checkbox', { name: 'Select Group 03' }).check()
  await at.page.getByRole('button', { name: 'Actions (1)' }).click()
  await at.page.getByRole('menuitem', { name: 'Delete selected' }).click()
  const question = at.page.getByRole('dialog')
  await question.getByRole('button', { name: 'Delete' }).click()
  await question.getByText('Delete failed: Group 03 has members').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await at.page.getByRole('checkbox', { name: 'Select Group 03' }).isChecked()).toBe(true)
})

test('what is given up without a network is not carried out once there is one', async () => {
  let deletions = 0
  at.fixture.answers.set('DELETE /api/v1/users/groups/', () => {
    deletions += 1
    return { status: 204 }
  })
  await open()
  await at.page.getByRole('checkbox', { name: 'Select Group 03' }).check()
  await at.page.getByRole('button', { name: 'Actions (1)' }).click()
  await at.page.getByRole('menuitem', { name: 'Delete selected' }).click()
  const question = at.page.getByRole('dialog')
  await at.page.context().setOffline(true)
  await question.getByRole('button', { name: 'Delete' }).click()
  await question.getByText('The server cannot be reached').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await at.page.context().setOffline(false)
  await at.button('Refresh').click()
  await at.page.getByRole('link', { name: 'Group 03' }).waitFor()
  await at.page.evaluate(() => fetch('/api/v1/users/groups/?limit=1'))
  expect(deletions).toBe(0)
})

test('where the last rows of the last page are deleted the list steps back a page', async () => {
  await open()
  await at.page.getByLabel('Rows per page').selectOption('30')
  await at.page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: '4' }).click()
  await at.page.getByRole('link', { name: 'Group 99' }).waitFor()
  await at.page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
  await at.page.getByRole('button', { name: 'Actions (10)' }).click()
  await at.page.getByRole('menuitem', { name: 'Delete selected' }).click()
  await at.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await at.page.getByRole('link', { name: 'Group 89' }).waitFor()
  await at.page.waitForURL(/\?page=3$/u)
})

test('the fields to search by close with Escape, and the focus is on their button again', async () => {
  await open()
  const opener = at.button('Search by field')
  const menu = at.page.getByRole('menu', { name: 'Search by field' })
  const isThere = () => opener.evaluate((button) => button === document.activeElement)
  await opener.focus()
  for (const key of ['Enter', 'ArrowDown']) {
    await at.page.keyboard.press(key)
    await menu.waitFor()
    await expect.poll(isThere).toBe(false)
    await at.page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await expect.poll(isThere).toBe(true)
  }
})

test('on a phone the values of a row stand below each other, its name among them', async () => {
  await at.page.setViewportSize({ width: 390, height: 844 })
  await open()
  const card = at.page.getByRole('row').filter({ hasText: 'Group 05' })
  const startOf = (name: string) =>
    card.locator(`td[data-name=${name}]`).evaluate((cell) => {
      const range = document.createRange()
      range.selectNodeContents(cell)
      return range.getBoundingClientRect().left
    })
  await card.waitFor()
  expect(await startOf('name')).toBeCloseTo(await startOf('users_amount'), 0)
})

test('what deletes a row is the last entry of its menu, and not the one it begins with', async () => {
  await open()
  const row = at.page.getByRole('row').filter({ hasText: 'Group 02' })
  await row.getByRole('button', { name: 'More' }).press('Enter')
  await expect.poll(() => at.page.getByRole('menuitem').allTextContents()).toEqual(['Duplicate', 'Delete'])
  await expect.poll(() => at.page.locator('[role=menuitem]:focus').textContent()).toBe('Duplicate')
})

test('the keyboard goes on at the row that takes the place of a deleted one, and in the search where none is left', async () => {
  const focused = () =>
    at.page.evaluate(() => {
      const { activeElement: element } = document
      return [element?.closest('tr')?.querySelector('a')?.textContent, element?.textContent, element?.tagName]
    })
  const remove = async (name: string) => {
    const more = at.page.getByRole('row').filter({ hasText: name }).getByRole('button', { name: 'More' })
    await more.press('Enter')
    await at.page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
    await at.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await at.page.getByRole('link', { name }).waitFor({ state: 'detached' })
  }
  await open()
  await remove('Group 03')
  await expect.poll(focused).toEqual(['Group 04', 'More', 'BUTTON'])
  await remove('Group 99')
  await expect.poll(focused).toEqual(['Group 98', 'More', 'BUTTON'])
  await at.open('/ui/console/users/groups?search=Group 50')
  await remove('Group 50')
  await expect
    .poll(() =>
      at.page.getByLabel('Search', { exact: true }).evaluate((one) => one === document.activeElement),
    )
    .toBe(true)
})

test('on a phone a list is sorted by a choice above its cards', async () => {
  await at.page.setViewportSize({ width: 390, height: 844 })
  await open()
  await at.page.getByRole('link', { name: 'Group 99' }).waitFor()
  await at.page.getByLabel('Sort by').selectOption('Name ↓')
  await expect.poll(() => at.page.locator('tbody a').first().textContent()).toBe('Group 99')
  expect(new URL(at.page.url()).searchParams.get('order')).toBe('-name')
})
