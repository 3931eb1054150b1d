import { UserGroup } from '@sallyport/contract/resources/users'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { serveRows } from '../../testing/fixture-rows.ts'
import { organizations } from '../../testing/fixture-server.ts'

const at = consolePage(
  (fixture) => {
    fixture.profile.perms.push('users.add_usergroup', 'users.change_usergroup', 'users.delete_usergroup')
    serveRows(fixture, UserGroup, [
      { id: '00000000-0000-4000-8000-000000000001', name: 'Databases', users: [], users_amount: 0 },
    ])
  },
  { organization: organizations.standard },
)

const open = () => at.open('/ui/console/users/groups')
const focused = () => at.page.evaluate(() => document.activeElement?.textContent?.trim())

test('the organization menu is worked by keyboard alone: arrows, letters, Enter, Escape', async () => {
  await open()
  const button = at.page.getByRole('button', { name: 'Organization: DEFAULT' })
  await button.focus()
  await at.page.keyboard.press('Enter')
  await at.page.getByRole('menu').waitFor()
  expect(await focused()).toBe('DEFAULT')
  await at.page.keyboard.press('ArrowDown')
  expect(await focused()).toBe('Plant')
  await at.page.keyboard.press('ArrowDown')
  expect(await focused()).toBe('GLOBAL')
  await at.page.keyboard.press('p')
  expect(await focused()).toBe('Plant')
  await at.page.keyboard.press('Escape')
  expect(await at.page.getByRole('menu').count()).toBe(0)
  expect(await focused()).toBe('DEFAULT')
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)

  await at.page.keyboard.press('ArrowDown')
  await at.page.keyboard.press('p')
  await at.page.keyboard.press('Enter')
  await at.page.getByRole('button', { name: 'Organization: Plant' }).waitFor()
})

test('of many organizations one is found by typing part of its name', async () => {
  const many = Array.from({ length: 9 }, (_, index) => ({
    id: `5b0c6d4e-0f4e-4f0e-9d0e-1c2d3e4f5a0${index}`,
    name: `Works ${index}`,
    is_default: false,
    is_root: false,
  }))
  at.fixture.profile.console_orgs = [organizations.standard, ...many]
  await open()
  await at.page.getByRole('button', { name: 'Organization: DEFAULT' }).click()
  await at.page.keyboard.type('works 7')
  await expect.poll(() => at.page.getByRole('menuitem').allTextContents()).toEqual(['Works 7'])
  await at.page.keyboard.press('Enter')
  await at.page.getByRole('button', { name: 'Organization: Works 7' }).waitFor()
})

test('a menu of a row gives the focus back to its button, a press elsewhere closes it', async () => {
  await open()
  const more = at.page.getByRole('row', { name: /Databases/u }).getByRole('button', { name: 'More' })
  await more.focus()
  await at.page.keyboard.press('Enter')
  await at.page.getByRole('menuitem', { name: 'Duplicate' }).waitFor()
  await at.page.keyboard.press('Tab')
  expect(await more.evaluate((element) => element === document.activeElement)).toBe(true)
  await more.click()
  await at.page.getByRole('menuitem', { name: 'Delete' }).waitFor()
  await more.click()
  expect(await at.page.getByRole('menu').count()).toBe(0)
  await more.click()
  await at.page.getByRole('heading', { level: 1 }).click()
  expect(await at.page.getByRole('menu').count()).toBe(0)

  await more.click()
  await at.page.getByRole('menuitem', { name: 'Delete' }).click()
  await at.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => more.evaluate((element) => element === document.activeElement)).toBe(true)
})
