import { metadataOf } from '@sallyport/contract/resource/metadata'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { Directory } from '../../testing/samples/directory.ts'

const path = '/api/v1/settings/directory/'
const at = consolePage((fixture) => {
  const row = {
    address: 'ldap.example.com',
    prefix: '',
    crontab: '0 2 * * *',
    names: { 'cas:user': 'username' },
    options: { timeout: 30 } as unknown,
    servers: [{ host: 'one' }],
  }
  fixture.answers.set(`OPTIONS ${path}`, () => ({ body: metadataOf(Directory, 'en', 'detail') }))
  fixture.answers.set(`GET ${path}`, () => ({ body: row }))
  fixture.answers.set(`PATCH ${path}`, ({ body }) => ({ body: Object.assign(row, body) }))
})
const open = () => at.open('/ui/src/testing/samples/index.html?directory')
const row = (name: string) => at.page.locator(`[data-field=${name}]`)

test('a schedule is shown with its next five times, in the time of the person, and one that is none is refused', async () => {
  await open()
  const schedule = at.page.getByLabel('crontab')
  const times = row('crontab').getByRole('listitem').locator('time')
  await expect.poll(() => times.count()).toBe(5)
  await schedule.fill('30 10 29 2 *')
  await expect
    .poll(async () => (await times.first().getAttribute('datetime'))?.slice(4))
    .toBe('-02-29T10:30:00.000Z')
  const shown = await times
    .first()
    .getAttribute('datetime')
    .then((iso) =>
      at.page.evaluate((when) => {
        const date = new Date(when)
        return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
      }, iso ?? ''),
    )
  expect(await times.first().textContent()).toContain(shown)
  await schedule.fill('0 0 31 2 *')
  await row('crontab').getByText('This never comes.').waitFor()

  await schedule.fill('every morning')
  await at.button('Submit').click()
  await row('crontab').getByText('Not a schedule').waitFor()
  expect(await times.count()).toBe(0)
  await schedule.fill('*/15 8-18 * * mon-fri')
  await at.button('Submit').click()
  await at.page.getByText('Saved successfully').waitFor()
  expect(at.sentTo('PATCH', path)).toEqual({ crontab: '*/15 8-18 * * mon-fri' })
})

test('a schedule is put together part by part in a dialog, by keyboard, and tells its next times', async () => {
  await open()
  await at.button('Choose…').press('Enter')
  const dialog = at.page.getByRole('dialog', { name: 'Schedule' })
  const part = (name: string) => dialog.getByRole('textbox', { name, exact: true })
  await dialog.getByRole('tab', { name: 'Minute' }).focus()
  await at.page.keyboard.press('ArrowRight')
  await dialog.getByRole('radio', { name: 'Every hour' }).waitFor()
  await dialog.getByRole('radio', { name: 'Every so many' }).press('Space')
  await dialog.getByRole('spinbutton', { name: 'Every so many' }).fill('6')
  await expect.poll(() => part('Hour').inputValue()).toBe('*/6')

  await dialog.getByRole('tab', { name: 'Weekday' }).click()
  await dialog.getByRole('radio', { name: 'From – to' }).check()
  await expect.poll(() => part('Weekday').inputValue()).toBe('0-6')
  const first = dialog.getByRole('combobox', { name: 'From' })
  await first.focus()
  await at.page.keyboard.press('ArrowDown')
  await at.page.keyboard.press('ArrowDown')
  await at.page.keyboard.press('Enter')
  await expect.poll(() => part('Weekday').inputValue()).toBe('1-6')
  await expect.poll(() => dialog.getByRole('listitem').count()).toBe(5)

  // What is written by hand is taken, too, and what is none is told at once.
  await part('Minute').fill('75')
  await dialog.getByText('Not a schedule').waitFor()
  expect(await dialog.getByRole('button', { name: 'Confirm' }).isDisabled()).toBe(true)
  await part('Minute').fill('0,30')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await at.page.getByLabel('crontab').inputValue()).toBe('0,30 */6 * * 1-6')
})

test('in JSON the line that is wrong is told, and nothing of it is lost', async () => {
  await open()
  const options = at.page.getByLabel('options')
  await options.fill('{\n  "timeout": 30,\n  "tls": yes\n}')
  await at.button('Submit').click()
  await row('options').getByText('Line 3, column 10: from here on this is not valid JSON.').waitFor()
  await expect.poll(() => row('options').locator('b').textContent()).toContain('3')
  expect(at.sentTo('PATCH', path)).toBeUndefined()
  await options.fill('{\n  "timeout": 30,\n  "tls": true\n}')
  await at.button('Submit').click()
  await at.page.getByText('Saved successfully').waitFor()
  expect(at.sentTo('PATCH', path)).toEqual({ options: { timeout: 30, tls: true } })
})

test('addresses and words take only the characters the server declares', async () => {
  await open()
  await at.page.getByLabel('address').fill('ldap.example.com; rm')
  await at.page.getByLabel('prefix').fill('two words')
  await at.button('Submit').click()
  await row('address').getByText('The format is not valid.').waitFor()
  await row('prefix').getByText('Use only letters, digits and underscores.').waitFor()
  expect(at.sentTo('PATCH', path)).toBeUndefined()
  await at.page.getByLabel('address').fill('ldaps://[') // brackets are none of the characters
  await row('prefix').click()
  await row('address').getByText('The format is not valid.').waitFor()
  await at.page.getByLabel('address').fill('https://ldap.example.com/x?y=1&z=2#a-b')
  await at.page.getByLabel('prefix').fill('two_words')
  await at.button('Submit').click()
  await at.page.getByText('Saved successfully').waitFor()
})

test('of mapped attributes one has to be username, and the last one stays', async () => {
  await open()
  const names = row('names')
  await names.getByRole('textbox').nth(1).fill('name')
  await at.button('Submit').click()
  await names.getByText('One of the attributes has to be mapped to username.').waitFor()
  const remove = names.getByRole('button', { name: 'Remove row 1' })
  expect(await remove.isDisabled()).toBe(true)
  expect(await remove.getAttribute('title')).toBe('The last remaining item cannot be deleted')
  await names.getByRole('button', { name: 'Add' }).click()
  await names.getByRole('textbox').nth(2).fill('uid')
  await names.getByRole('textbox').nth(3).fill('username')
  await at.button('Submit').click()
  await at.page.getByText('Saved successfully').waitFor()
  expect(at.sentTo('PATCH', path)).toEqual({ names: { 'cas:user': 'name', uid: 'username' } })
})

test('the last row of a list that is required stays', async () => {
  await open()
  const servers = row('servers')
  const first = servers.getByRole('button', { name: 'Remove row 1' })
  await first.waitFor()
  expect(await first.isDisabled()).toBe(true)
  await servers.getByRole('button', { name: 'Add' }).click()
  await servers.getByLabel('host').nth(1).fill('two')
  await first.click()
  expect(await first.isDisabled()).toBe(true)
  await at.button('Submit').click()
  await at.page.getByText('Saved successfully').waitFor()
  expect(at.sentTo('PATCH', path)).toEqual({ servers: [{ host: 'two' }] })
})
