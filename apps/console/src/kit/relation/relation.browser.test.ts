import { User, UserGroup } from '@sallyport/contract/resources/users'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { serveRows } from '../../testing/fixture-rows.ts'
import { mayChange, serveHosts } from '../../testing/form-rows.ts'

const people = ['Ann', 'Ben', 'Zed', 'Zoe'].map((name, index) => ({
  id: `7d1c0000-0000-4000-8000-00000000000${index}`,
  name,
  username: name.toLowerCase(),
}))
const at = consolePage((fixture) => {
  mayChange(fixture)
  serveRows(fixture, UserGroup, [])
  serveRows(fixture, User, people)
})

const users = () => at.page.getByRole('combobox', { name: 'Users' })
const option = (title: string) => at.page.locator('.ant-select-dropdown').getByTitle(title)
const chosen = () => at.page.locator('.ant-select-selection-item').allTextContents()

test('who types and presses Enter gets whom the typed text finds, not who stood first before', async () => {
  await at.open('/ui/console/users/groups/create')
  await users().click()
  await option('Ann(ann)').waitFor()
  await at.page.keyboard.type('zo')
  await at.page.keyboard.press('Enter')
  await expect.poll(chosen).toEqual(['Zoe(zoe)'])
  await at.page.keyboard.type('zed')
  await at.page.keyboard.press('Enter')
  await expect.poll(chosen).toEqual(['Zoe(zoe)', 'Zed(zed)'])
  await option('Ben(ben)').waitFor()
})

test('rows of the search before cannot be chosen, and what finds nobody chooses nobody', async () => {
  await at.open('/ui/console/users/groups/create')
  await users().click()
  await option('Ann(ann)').waitFor()
  await at.page.keyboard.type('nobody')
  expect(await option('Ann(ann)').count()).toBe(0)
  await at.page.keyboard.press('Enter')
  await at.page.getByText('Nothing here yet').waitFor()
  expect(await chosen()).toEqual([])
})

test('what was chosen by mouse stays chosen when Tab leads on', async () => {
  await at.open('/ui/console/users/groups/create')
  await users().click()
  await option('Ben(ben)').click()
  await option('Zed(zed)').click()
  await at.page.keyboard.press('Tab')
  await expect.poll(() => users().evaluate((input) => input === document.activeElement)).toBe(false)
  expect(await chosen()).toEqual(['Ben(ben)', 'Zed(zed)'])
  await option('Ann(ann)').waitFor({ state: 'hidden' })
})

test('of a machine, too, Enter chooses the platform typed', async () => {
  serveHosts(at.fixture)
  await at.open('/ui/console/assets/hosts/create')
  const platform = at.page.getByRole('combobox', { name: 'Platform' })
  await platform.click()
  await option('Linux').waitFor()
  await at.page.keyboard.type('win')
  await at.page.keyboard.press('Enter')
  await at.page.locator('.ant-select-content').getByText('Windows').waitFor()
})

test('a select asks for further rows as one scrolls, and for all again when a search is closed', async () => {
  const many = Array.from({ length: 35 }, (_, index) => ({
    id: `7d1c0000-0000-4000-8000-0000000001${String(index).padStart(2, '0')}`,
    name: `Person ${String(index).padStart(2, '0')}`,
    username: `p${index}`,
  }))
  serveRows(at.fixture, User, many)
  await at.open('/ui/console/users/groups/create')
  await users().click()
  await option('Person 00(p0)').waitFor()
  const list = at.page
    .locator('.ant-select-dropdown .rc-virtual-list-holder, .ant-select-dropdown [class*=list-holder]')
    .first()
  await expect
    .poll(async () => {
      await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      return option('Person 34(p34)').count()
    })
    .toBe(1)
  const pages = at.fixture.requests.filter(({ path }) => path === '/api/v1/users/users/')
  expect(new Set(pages.map(({ query }) => query.get('limit')))).toEqual(new Set(['10']))
  await at.page.keyboard.type('Person 12')
  await expect.poll(() => option('Person 34(p34)').count()).toBe(0)
  await option('Person 12(p12)').waitFor()
  await at.page.keyboard.press('Escape')
  await users().click()
  await option('Person 00(p0)').waitFor()
})

test.each([
  ['en', 'Clear'],
  ['zh', '清除'],
  ['ja', 'クリア'],
])('the button that empties a select is named in the language %s', async (language, name) => {
  await at.page.context().addCookies([{ name: 'django_language', value: language, url: at.fixture.origin }])
  await at.open('/ui/console/users/groups/create')
  await at.page.locator('[data-field=users]').getByRole('combobox').click()
  await option('Ann(ann)').click()
  await at.page.locator('[data-field=users]').getByRole('button', { name, exact: true }).click()
  await expect.poll(chosen).toEqual([])
})
