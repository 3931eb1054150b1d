import { defaultAutomation } from '@sallyport/contract/assets/constraints'
import { AssetCategories } from '@sallyport/contract/resources/categories'
import { Platform } from '@sallyport/contract/resources/platforms'
import { expect, test } from 'vitest'
import { consolePage } from '../../../testing/console-page.ts'
import { refuseIncomplete, serveRows } from '../../../testing/fixture-rows.ts'

const platform = (id: number, internal: boolean) => ({
  id,
  name: internal ? 'Linux' : 'Linux-own',
  category: { value: 'host', label: 'Host' },
  type: { value: 'linux', label: 'Linux' },
  charset: { value: 'utf-8', label: 'UTF-8' },
  protocols: [{ id: 1, name: 'ssh', port: 22, primary: true, required: true, default: true }],
  automation: { id, ...defaultAutomation('host', 'linux') },
  internal,
  domain_enabled: true,
  su_enabled: false,
  su_method: null,
  comment: '',
})
const own = '/api/v1/assets/platforms/1001/'
const at = consolePage((fixture) => {
  fixture.profile.perms.push('assets.view_platform', 'assets.add_platform', 'assets.change_platform')
  serveRows(fixture, Platform, [platform(1, true), platform(1001, false)])
  refuseIncomplete(fixture, Platform)
  fixture.answers.set(`GET /api/v1/${AssetCategories.path}/constraints/`, () => ({ body: { protocols: [] } }))
})

const part = (title: string) => at.page.getByRole('dialog', { name: title })

test('a new platform is automated as its kind can be, and not in ways that are switched off', async () => {
  await at.open('/ui/console/assets/platforms/create?category=host&type=linux')
  await at.page.getByLabel('Name', { exact: true }).fill('Debian')
  await at.page.getByText('Ping (POSIX)').waitFor()
  await at.page.getByRole('switch', { name: 'Ping enabled' }).click()
  await at.page.getByText('Ping (POSIX)').waitFor({ state: 'hidden' })
  await at.button('Submit').click()
  await expect
    .poll(() => at.sentTo('POST', `/api/v1/${Platform.path}/`))
    .toMatchObject({
      name: 'Debian',
      automation: { ansible_enabled: true, ping_enabled: false, gather_facts_method: 'gather_facts_posix' },
    })
})

test('a database platform is made without a charset, and machines of it switch no accounts', async () => {
  await at.open('/ui/console/assets/platforms/create?category=database&type=mysql')
  await at.page.getByLabel('Name', { exact: true }).fill('MySQL-own')
  expect(await at.page.getByLabel('Charset').count()).toBe(0)
  expect(await at.page.getByRole('switch', { name: 'Switching user allowed' }).isDisabled()).toBe(true)
  await at.button('Submit').click()
  await at.page.getByText('MySQL-own').waitFor()
  expect(at.sentTo('POST', `/api/v1/${Platform.path}/`)).toMatchObject({
    category: 'database',
    type: 'mysql',
  })
})

test('a copy of a built-in platform is made under the name that is suggested', async () => {
  const mysql = {
    ...platform(17, true),
    name: 'MySQL 8',
    category: { value: 'database', label: 'Database' },
    type: { value: 'mysql', label: 'MySQL' },
  }
  serveRows(at.fixture, Platform, [mysql])
  await at.open('/ui/console/assets/platforms/create?category=database&clone_from=17')
  await expect.poll(() => at.page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('MySQL-8-copy')
  await at.button('Submit').click()
  await expect.poll(() => at.sentTo('POST', `/api/v1/${Platform.path}/`)).toMatchObject({ type: 'mysql' })
})

test('account switching and automation of an own platform are changed from its page', async () => {
  await at.open('/ui/console/assets/platforms/1001')
  await at.page.getByText('Quick update').waitFor()
  await at.button('Update Switching user allowed').click()
  await part('Switching user allowed').getByRole('switch').click()
  await part('Switching user allowed').getByRole('button', { name: 'Submit' }).click()
  await expect.poll(() => at.sentTo('PATCH', own)).toMatchObject({ su_enabled: true })
  await at.page.getByRole('tab', { name: 'Automation' }).click()
  await at.page.getByText('Gather facts (POSIX)').waitFor()
})

test('of a built-in platform nothing can be changed', async () => {
  await at.open('/ui/console/assets/platforms/1')
  await at.page.getByRole('tab', { name: 'Automation' }).click()
  await at.page.getByText('Gather facts (POSIX)').waitFor()
  for (const button of await at.page.getByRole('button', { name: /^Update/ }).all())
    expect(await button.isDisabled()).toBe(true)
})

test('how a protocol is reached is said in its settings, and sent with the platform', async () => {
  await at.open('/ui/console/assets/platforms/1001/update')
  await at.button('Settings of ssh').click()
  const settings = part('Settings of ssh')
  await settings.getByLabel('SFTP home').fill('/srv')
  await settings.getByRole('switch', { name: 'SFTP enabled' }).click()
  await settings.getByLabel('SFTP home').waitFor({ state: 'hidden' })
  await settings.getByRole('switch', { name: 'Old SSH version' }).click()
  await settings.getByRole('button', { name: 'Confirm' }).click()
  await settings.waitFor({ state: 'detached' })
  await at.button('Submit').click()
  await expect
    .poll(() => at.sentTo('PUT', own))
    .toMatchObject({
      protocols: [{ id: 1, name: 'ssh', port: 22, setting: { sftp_enabled: false, old_ssh_version: true } }],
    })
})

test('the protocols of an own platform are changed from its page', async () => {
  await at.open('/ui/console/assets/platforms/1001')
  const line = at.page.getByRole('region', { name: 'Quick update' })
  await line.getByRole('button', { name: 'Update Protocols' }).click()
  await part('Protocols').getByRole('button', { name: 'Settings of ssh' }).click()
  await part('Settings of ssh').getByRole('switch', { name: 'Default' }).click()
  await part('Settings of ssh').getByRole('button', { name: 'Confirm' }).click()
  await part('Settings of ssh').waitFor({ state: 'detached' })
  await part('Protocols').getByRole('button', { name: 'Submit' }).click()
  await expect.poll(() => at.sentTo('PATCH', own)).toMatchObject({ protocols: [{ default: false }] })
})
