import { AssetPermission } from '@sallyport/contract/resources/perms'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { serveRows } from '../../testing/fixture-rows.ts'
import { mayChange } from '../../testing/form-rows.ts'

const id = '6a1c0000-0000-4000-8000-000000000001'
const shift = {
  id,
  name: 'Night shift',
  accounts: ['@ALL'],
  actions: [{ value: 'connect', label: 'Connect' }],
  date_start: '2026/01/02 03:04:05 +0000',
  date_expired: '2027/01/02 03:04:05 +0000',
}
const path = '/api/v1/perms/asset-permissions/'
const at = consolePage((fixture) => {
  mayChange(fixture)
  fixture.profile.perms.push(
    'perms.view_assetpermission',
    'perms.add_assetpermission',
    'perms.change_assetpermission',
  )
  serveRows(fixture, AssetPermission, [shift])
})
const expires = () => at.page.getByLabel('Expires on')
const row = () => at.page.locator('[data-field=date_expired]')
/** Opens the form with a name in it; a permission begins with a date to expire on. */
async function begin() {
  await at.open('/ui/console/perms/asset-permissions/create')
  await at.page.getByLabel('Name', { exact: true }).fill('Night shift')
}
/** Over the date that stands there. */
async function typeDate(text: string) {
  await expires().click()
  await at.page.keyboard.press('Control+A')
  await at.page.keyboard.type(text)
}
const iso = (local: string) => at.page.evaluate((text) => new Date(text).toISOString(), local)
const sent = () => at.sentTo('POST', path) as Record<string, unknown> | undefined

test('a day that is picked is saved by Submit alone', async () => {
  await begin()
  const before = await expires().inputValue()
  await expires().click()
  await at.page.locator('.ant-picker-dropdown').getByText('15', { exact: true }).first().click()
  await expect.poll(() => expires().inputValue()).not.toBe(before)
  const shown = await expires().inputValue()
  await at.button('Submit').click()
  await expect.poll(sent).toBeDefined()
  expect(String(sent()?.['date_expired']).slice(0, 19)).toBe((await iso(shown)).slice(0, 19))
})

test('Enter ends a date, and only then the form', async () => {
  await begin()
  await typeDate('2026-12-03 01:30')
  await at.page.keyboard.press('Enter')
  await at.page
    .locator('.ant-picker-dropdown:not(.ant-picker-dropdown-hidden)')
    .waitFor({ state: 'detached' })
  expect(sent()).toBeUndefined()
  await at.page.keyboard.press('Enter')
  await expect.poll(sent).toMatchObject({ date_expired: await iso('2026-12-03T01:30:00') })
})

test('Enter behind a text that is no date has the form say so', async () => {
  await begin()
  await typeDate('soon')
  await at.page.keyboard.press('Enter')
  await at.page.keyboard.press('Enter')
  await row().getByText('This is not a date.').waitFor()
  expect(await expires().inputValue()).toBe('soon')
})

test('a date that is typed is saved as it is shown, whatever its spelling, key by key', async () => {
  await begin()
  for (const [text, local] of [
    ['12/01/2026 1:00:00 AM', '2026-12-01T01:00:00'],
    ['12/1/2026', '2026-12-01T00:00:00'],
    ['2026-12-02 01:30', '2026-12-02T01:30:00'],
  ] as const) {
    await typeDate(text)
    await at.page.getByLabel('Name', { exact: true }).click()
    const shown = await at.page.evaluate(
      (when) =>
        new Date(when).toLocaleDateString('en-US', { year: 'numeric', month: '2-digit', day: '2-digit' }),
      local,
    )
    await expect.poll(() => expires().inputValue()).toContain(shown)
  }
  await typeDate('2026-12-03 01:30')
  await at.button('Submit').click()
  await expect.poll(sent).toMatchObject({ date_expired: await iso('2026-12-03T01:30:00') })
})

test('a day is typed without a time: what begins begins with it, what expires is good to its end, and Tab leads on', async () => {
  await begin()
  const focused = () =>
    at.page.evaluate(() => document.activeElement?.closest('[data-field]')?.getAttribute('data-field'))
  for (const [label, name, shown, next] of [
    ['Starts on', 'date_start', '12/01/2026 12:00:00 AM', 'date_expired'],
    ['Expires on', 'date_expired', '12/01/2026 11:59:59 PM', 'comment'],
  ] as const) {
    const field = at.page.getByLabel(label)
    await field.click()
    await at.page.keyboard.press('Control+A')
    await at.page.keyboard.type('12/1/2026')
    await at.page.keyboard.press('Tab')
    await expect.poll(() => field.inputValue()).toBe(shown)
    // The button that empties it comes first.
    expect(await focused()).toBe(name)
    await at.page.keyboard.press('Tab')
    expect(await focused()).toBe(next)
  }
  await at.button('Submit').click()
  await expect.poll(sent).toMatchObject({
    date_start: await iso('2026-12-01T00:00:00'),
    date_expired: await iso('2026-12-01T23:59:59'),
  })
})

test('a text that is no date is refused and stays as it was typed, until the form is begun anew', async () => {
  await at.open(`/ui/console/perms/asset-permissions/${id}/update`)
  await expect.poll(() => expires().inputValue()).toContain('2027')
  const before = await expires().inputValue()
  await typeDate('next tuesday')
  await at.button('Submit').click()
  await row().getByText('This is not a date.').waitFor()
  expect(await expires().inputValue()).toBe('next tuesday')
  expect(at.sentTo('PUT', `${path}${id}/`)).toBeUndefined()
  await at.button('Reset').click()
  await expect.poll(() => expires().inputValue()).toBe(before)

  await expires().click()
  await at.page.keyboard.press('Control+A')
  await at.page.keyboard.press('Delete')
  await at.page.getByLabel('Name', { exact: true }).click()
  await at.button('Submit').click()
  expect(await expires().inputValue()).toBe('')
  await row().getByText('This field is required').waitFor()
  expect(at.sentTo('PUT', `${path}${id}/`)).toBeUndefined()
})

test('the keyboard stays in the field of a date: after Now, after a pick and Escape, and when it is emptied', async () => {
  await begin()
  const isThere = () => expires().evaluate((input) => input === document.activeElement)
  const panel = at.page.locator('.ant-picker-dropdown:visible')
  await expires().click()
  await panel.getByText('Now', { exact: true }).click()
  await panel.waitFor({ state: 'hidden' })
  await expect.poll(isThere).toBe(true)
  await expires().click()
  await panel.getByText('15', { exact: true }).first().click()
  await at.page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
  await expect.poll(isThere).toBe(true)
  await at.page.keyboard.press('Control+A')
  await at.page.keyboard.press('Delete')
  await at.page.keyboard.press('Tab')
  await row().getByText('This field is required').waitFor()
  expect(await at.page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
})

test('where two people change a date at once, both are shown as the field shows them', async () => {
  await at.open(`/ui/console/perms/asset-permissions/${id}/update`)
  await expect.poll(() => expires().inputValue()).toContain('2027')
  await expires().fill('2028-01-02 03:04:05')
  const theirs = {
    ...shift,
    date_expired: await at.page.evaluate(() => new Date('2029-01-02T03:04:05').toISOString()),
  }
  at.fixture.answers.set(`GET ${path}${id}/`, () => ({ body: theirs }))
  await at.button('Submit').click()
  const conflict = at.page.getByRole('alert').filter({ hasText: '2029' })
  await conflict.getByText('01/02/2029 3:04:05 AM').waitFor()
  await conflict.getByText('01/02/2028 3:04:05 AM').waitFor()
})

test.each([
  [390, 844],
  [390, 600],
  [430, 844],
  [600, 844],
])('on a screen of %d by %d pixels every day and time can be picked', async (width, height) => {
  await at.page.setViewportSize({ width, height })
  await begin()
  await expires().click()
  const panel = at.page.locator('.ant-picker-dropdown')
  const reaches = async () => {
    const box = await panel.boundingBox()
    return (
      box !== null && box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y + box.height <= height
    )
  }
  await expect.poll(reaches).toBe(true)
  await panel.getByText('15', { exact: true }).first().click()
  await panel.locator('[data-type=hour]').getByText('07', { exact: true }).click()
  await panel.locator('[data-type=second]').getByText('59', { exact: true }).click()
  await expect.poll(() => expires().inputValue()).toMatch(/\/15\/\d{4} 7:\d\d:59/u)
})
