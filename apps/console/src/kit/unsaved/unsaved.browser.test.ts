import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import {
  accountId,
  groupAddress,
  groupId,
  mayChange,
  serveAccounts,
  serveGroup,
  serveProfile,
} from '../../testing/form-rows.ts'

const at = consolePage((fixture) => {
  mayChange(fixture)
  serveGroup(fixture)
})
const comment = () => at.page.getByLabel('Comment')
const question = () => at.page.getByRole('dialog', { name: 'Discard your changes?' })

/** Focus goes round in a dialog, in both directions, and never to the page behind it or out of the page. */
async function keepsFocus(dialog: Locator): Promise<void> {
  const hasFocus = () => dialog.evaluate((element) => element.contains(document.activeElement))
  await expect.poll(hasFocus).toBe(true)
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let steps = 0; steps < 15; steps++) {
      await at.page.keyboard.press(key)
      expect(await hasFocus(), `${key} ${steps}`).toBe(true)
    }
  }
}

test('typed work is not lost by a link, by Back or by another tab', async () => {
  await at.open('/ui/console/users/groups')
  await at.page.getByRole('link', { name: 'Operators' }).waitFor()
  await at.page
    .getByRole('row', { name: /Operators/u })
    .getByRole('button', { name: 'Update' })
    .click()
  await comment().fill('Half a sentence')
  await at.page.getByRole('link', { name: 'Users', exact: true }).first().click()
  await question().getByRole('button', { name: 'Keep editing' }).click()
  expect(await comment().inputValue()).toBe('Half a sentence')
  await at.page.goBack()
  await question().waitFor()
  await at.page.keyboard.press('Escape')
  await question().waitFor({ state: 'detached' })
  expect(await comment().inputValue()).toBe('Half a sentence')
  await at.page.waitForURL('**/update')
  await at.page.goBack()
  await question().getByRole('button', { name: 'Discard' }).click()
  await at.page.getByText('Total 1').waitFor()

  serveProfile(at.fixture)
  await at.open('/ui/profile/setting')
  await at.page.getByLabel('WeChat').fill('ann-w')
  await at.page.getByRole('tab', { name: 'Login password' }).click()
  await question().getByRole('button', { name: 'Keep editing' }).click()
  expect(await at.page.getByLabel('WeChat').inputValue()).toBe('ann-w')
})

test('typed work is still there when the login has ended and the person has logged in again in another tab', async () => {
  await at.open(`${groupAddress}/update`)
  await comment().fill('Half a sentence')
  const refused = () => ({ status: 401, body: { detail: 'no' } })
  const profilePath = 'GET /api/v1/users/profile/'
  const save = ['PUT', 'PATCH'].map((method) => `${method} /api/v1/users/groups/${groupId}/`)
  const saved = save.map((name) => [name, at.fixture.answers.get(name)] as const)
  for (const name of [...save, profilePath]) at.fixture.answers.set(name, refused)
  await at.button('Submit').click()
  const ended = at.page.getByRole('dialog', { name: 'Info' })
  await ended.getByText('Your login has ended.').waitFor()
  await keepsFocus(ended)
  await ended.getByRole('button', { name: 'I am logged in again' }).click()
  await ended.getByRole('alert').getByText('You are not logged in as Ann Admin yet.').waitFor()
  await ended.getByRole('button', { name: 'Close' }).click()
  await ended.waitFor({ state: 'detached' })
  await at.button('Submit').click()
  await ended.waitFor()

  at.fixture.answers.delete(profilePath)
  for (const [name, answer] of saved) {
    if (answer) at.fixture.answers.set(name, answer)
  }
  await ended.getByRole('button', { name: 'I am logged in again' }).click()
  await ended.waitFor({ state: 'detached' })
  expect(await comment().inputValue()).toBe('Half a sentence')
  await at.button('Submit').click()
  await at.page.getByText('Half a sentence').waitFor()
})

test('when somebody else logs in in another window, what the person before typed is neither shown nor sent, and the page loads as that user', async () => {
  await at.open(`${groupAddress}/update`)
  await comment().fill('Half a sentence')
  Object.assign(at.fixture.profile, { id: 'ben', name: 'Ben Buyer', username: 'ben' })
  const other = await at.page.context().newPage()
  await other.goto(`${at.fixture.origin}/ui/workbench`)
  await at.page.getByRole('heading', { name: 'Another user is logged in' }).waitFor()
  expect(await comment().count()).toBe(0)
  expect(await at.page.getByRole('button').allTextContents()).toEqual(['Load again'])
  const sent: string[] = []
  at.page.on('request', (request) => sent.push(request.url()))
  await at.page.evaluate(async () => {
    window.dispatchEvent(new Event('focus'))
    await new Promise((resolve) => setTimeout(resolve))
  })
  expect(sent).toEqual([])
  await at.button('Load again').click()
  await at.page.getByRole('button', { name: 'Account of Ben Buyer' }).waitFor()
})

test('typed work in a dialog is not lost by Escape; focus stays in it and returns to what opened it', async () => {
  serveAccounts(at.fixture)
  await at.open('/ui/console/accounts/accounts')
  const opener = at.page.getByRole('row', { name: /deploy/u }).getByRole('button', { name: 'Update' })
  await opener.focus()
  await at.page.keyboard.press('Enter')
  const dialog = at.page.getByRole('dialog', { name: 'Update account' })
  await dialog.getByLabel('Comment').waitFor()
  await keepsFocus(dialog)
  await at.page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true)

  await at.page.keyboard.press('Enter')
  await dialog.getByLabel('Comment').fill('For releases')
  await at.page.keyboard.press('Escape')
  await keepsFocus(question())
  await at.page.keyboard.press('Escape')
  await question().waitFor({ state: 'detached' })
  expect(await dialog.getByLabel('Comment').inputValue()).toBe('For releases')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(at.sentTo('PATCH', `/api/v1/accounts/accounts/${accountId}/`)).toEqual({ comment: 'For releases' })
})

test('typed work is not lost by choosing another organization, and Escape in a list of choices closes only the list', async () => {
  await at.open(`${groupAddress}/update`)
  await comment().fill('Half a sentence')
  await at.page.getByRole('button', { name: /DEFAULT/u }).click()
  await at.page.getByRole('menuitem', { name: 'Plant' }).click()
  await question().getByRole('button', { name: 'Keep editing' }).click()
  expect(await comment().inputValue()).toBe('Half a sentence')
  await at.page.getByRole('button', { name: /DEFAULT/u }).click()
  await at.page.getByRole('menuitem', { name: 'Plant' }).click()
  await question().getByRole('button', { name: 'Discard' }).click()
  await at.page.getByRole('button', { name: /Plant/u }).waitFor()

  serveAccounts(at.fixture)
  await at.open('/ui/console/accounts/accounts')
  await at.button('Add account').click()
  const dialog = at.page.getByRole('dialog', { name: 'Add account' })
  await dialog.getByRole('combobox', { name: 'Assets' }).click()
  await at.page.getByRole('listbox').waitFor({ state: 'attached' })
  await at.page.keyboard.press('Escape')
  await at.page.keyboard.press('x')
  await dialog.waitFor()
})
