import { systemOrgId } from '@sallyport/contract/constants'
import { Organization } from '@sallyport/contract/resources/orgs'
import { BasicSettings, CleanSettings, SecuritySettings } from '@sallyport/contract/resources/setting-pages'
import { settings } from '@sallyport/contract/settings'
import { User } from '@sallyport/contract/resources/users'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { serveOne, serveRows } from '../../testing/fixture-rows.ts'
import { organizations } from '../../testing/fixture-server.ts'

const { plant } = organizations
const held = {
  users_amount: 3,
  groups_amount: 1,
  assets_amount: 0,
  nodes_amount: 1,
  domains_amount: 0,
  asset_perms_amount: 0,
}
const empty = { ...held, users_amount: 0, groups_amount: 0 }
const dock = { id: '6b0c6d4e-0f4e-4f0e-9d0e-1c2d3e4f5a6b', name: 'Dock' }
const facts = { comment: '', is_default: false, is_root: false, created_by: 'Ann', date_created: null }
const cleo = {
  id: '7d1c0000-0000-4000-8000-00000000000a',
  name: 'Cleo',
  username: 'cleo',
  email: 'c@example.com',
}

const at = consolePage(
  (fixture) => {
    fixture.profile.perms.push(
      'settings.view_setting',
      'orgs.view_organization',
      'orgs.add_organization',
      'orgs.change_organization',
      'orgs.delete_organization',
    )
    serveOne(fixture, BasicSettings, { SITE_URL: 'https://sallyport.example.com', ANNOUNCEMENT: {} })
    serveRows(fixture, User, [cleo])
    serveRows(fixture, Organization, [
      { ...facts, id: plant.id, name: plant.name, resource_statistics: held },
      { ...facts, ...dock, is_default: true, resource_statistics: empty },
    ])
  },
  { organization: plant },
)

const defaultsOf = ({ fields }: typeof SecuritySettings | typeof CleanSettings) =>
  Object.fromEntries(
    (Object.keys(fields) as (keyof typeof settings)[]).map((name) => [name, settings[name].default]),
  )
const rowOf = (name: string) => at.page.getByRole('row').filter({ hasText: name })
const askedIn = (path: string) =>
  at.fixture.requests.findLast((request) => request.path === path)?.headers['x-jms-org']

test('settings are opened from the header at their first page, in the organization of the system, and left for the one before', async () => {
  await at.open('/ui/console/users/users')
  await at.page.getByRole('button', { name: 'Organization: Plant' }).waitFor()
  await at.page.getByRole('banner').getByRole('link', { name: 'System settings' }).click()
  await at.page.getByLabel('Site URL').waitFor()
  expect(new URL(at.page.url()).pathname).toBe('/ui/settings/basic')
  expect(askedIn('/api/v1/settings/setting/basic/')).toBe(systemOrgId)
  expect(await at.page.getByRole('button', { name: /^Organization:/u }).count()).toBe(0)
  await at.page
    .getByRole('navigation', { name: 'Switch view' })
    .getByRole('link', { name: 'Console' })
    .click()
  await at.page.getByRole('button', { name: 'Organization: Plant' }).waitFor()
  await at.page.getByRole('link', { name: 'Cleo' }).waitFor()
  expect(askedIn('/api/v1/users/users/')).toBe(plant.id)
  // A reload in between changes nothing of it.
  await at.open('/ui/settings/orgs')
  await at.page.getByRole('link', { name: 'Dock' }).waitFor()
  await at.open('/ui/console/users/users')
  await at.page.getByRole('button', { name: 'Organization: Plant' }).waitFor()
})

test('an announcement has as many lines as it takes', async () => {
  await at.open('/ui/settings/basic')
  const content = at.page.getByRole('textbox', { name: 'Content' })
  await content.fill('Saturday:\nno logins')
  await at.button('Submit').click()
  await expect
    .poll(() => at.sentTo('PATCH', '/api/v1/settings/setting/basic/'))
    .toMatchObject({ ANNOUNCEMENT: { CONTENT: 'Saturday:\nno logins' } })
})

test('who has no right to settings is not offered them', async () => {
  at.fixture.profile.perms = at.fixture.profile.perms.filter((name) => name !== 'settings.view_setting')
  await at.open('/ui/console/users/users')
  await at.page.getByRole('link', { name: 'Cleo' }).waitFor()
  expect(await at.page.getByRole('link', { name: 'System settings' }).count()).toBe(0)
  await at.open('/ui/settings/orgs')
  await at.page.getByRole('link', { name: 'Cleo' }).waitFor()
})

test('the organization selector of the console leads to the list of organizations and to a new one, as far as one may', async () => {
  at.fixture.profile.perms = at.fixture.profile.perms.filter((name) => name !== 'orgs.add_organization')
  await at.open('/ui/console/users/users')
  await at.page.getByRole('button', { name: 'Organization: Plant' }).click()
  expect(await at.page.getByRole('menuitem', { name: 'Create organization' }).isDisabled()).toBe(true)
  await at.page.getByRole('menuitem', { name: 'Organization list' }).click()
  await at.page.getByRole('link', { name: 'Dock' }).waitFor()
  at.fixture.profile.perms.push('orgs.add_organization')
  await at.open('/ui/console/users/users')
  await at.page.getByRole('button', { name: 'Organization: Plant' }).click()
  await at.page.getByRole('menuitem', { name: 'Create organization' }).click()
  await at.page.getByLabel('Name').fill('Quay')
  await at.button('Submit').click()
  await at.page.getByRole('link', { name: 'Quay' }).first().waitFor()
  expect(at.sentTo('POST', '/api/v1/orgs/orgs/')).toMatchObject({ name: 'Quay' })
  at.fixture.profile.perms = at.fixture.profile.perms.filter((name) => !name.startsWith('orgs.'))
  await at.open('/ui/console/users/users')
  await at.page.getByRole('button', { name: 'Organization: Plant' }).click()
  await at.page.getByRole('menuitem', { name: 'DEFAULT' }).waitFor()
  expect(await at.page.getByRole('menuitem', { name: 'Organization list' }).count()).toBe(0)
})

test('without a licence there are no organizations to manage', async () => {
  at.fixture.settings.XPACK_LICENSE_IS_VALID = false
  await at.open('/ui/settings/orgs')
  await at.page.getByRole('heading', { name: 'Page not found' }).waitFor()
})

test('an organization shows its members and what it holds, and the question before it is deleted says what has to go first', async () => {
  await at.open('/ui/settings/orgs')
  await rowOf('Plant').hover()
  await rowOf('Plant').getByRole('button', { name: 'More' }).click()
  await at.page.getByRole('menuitem', { name: 'Delete' }).click()
  const question = at.page.getByRole('dialog')
  await question.getByText('Users: 3').waitFor()
  await question.getByText('User groups: 1').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await at.page.getByRole('link', { name: 'Plant' }).click()
  await at.page.getByRole('heading', { name: 'Organization: Plant' }).waitFor()
  await at.page.getByText('Asset permissions').waitFor()
  await at.page.getByRole('tab', { name: 'Members' }).click()
  await at.page.getByText('c@example.com').waitFor()
  const asked = at.fixture.requests.findLast(({ path }) => path === '/api/v1/users/users/')
  expect(asked?.query.get('oid')).toBe(plant.id)
})

test('the default organization cannot be deleted', async () => {
  await at.open('/ui/settings/orgs')
  await rowOf('Dock').hover()
  await rowOf('Dock').getByRole('button', { name: 'More' }).click()
  expect(await at.page.getByRole('menuitem', { name: 'Delete' }).isDisabled()).toBe(true)
})

test('what is asked for beside the password is one thing: switching it on switches the others off', async () => {
  at.fixture.profile.perms.push('settings.change_security')
  const names = Object.keys(SecuritySettings.fields) as (keyof typeof settings)[]
  serveOne(
    at.fixture,
    SecuritySettings,
    Object.fromEntries(names.map((name) => [name, settings[name].default])),
  )
  await at.open('/ui/settings/security')
  const [captcha, code, mfa] = [
    'Captcha after failed logins',
    'Login dynamic code',
    'MFA on the login page',
  ].map((name) => at.page.getByRole('switch', { name }))
  await expect.poll(() => captcha?.isChecked()).toBe(true)
  await code?.click()
  await expect.poll(() => captcha?.isChecked()).toBe(false)
  expect(await mfa?.count()).toBe(0)
  await at.page.getByRole('radio', { name: 'All users' }).check()
  await mfa?.click()
  await expect.poll(() => code?.isChecked()).toBe(false)
  await at.button('Submit').click()
  await at.page.getByText('Saved successfully').waitFor()
  expect(at.sentTo('PATCH', '/api/v1/settings/setting/security/')).toEqual({
    SECURITY_MFA_AUTH: 1,
    SECURITY_MFA_IN_LOGIN_PAGE: true,
    SECURITY_LOGIN_CAPTCHA_ENABLED: false,
  })
})

test('of the security settings only what was changed is sent', async () => {
  at.fixture.profile.perms.push('settings.change_security')
  serveOne(at.fixture, SecuritySettings, defaultsOf(SecuritySettings))
  await at.open('/ui/settings/security')
  await at.page.getByRole('radio', { name: 'All users' }).check()
  await at.page.getByLabel('Minimum length', { exact: true }).fill('12')
  await at.button('Submit').click()
  await at.page.getByText('Saved successfully').waitFor()
  expect(at.sentTo('PATCH', '/api/v1/settings/setting/security/')).toEqual({
    SECURITY_MFA_AUTH: 1,
    SECURITY_PASSWORD_MIN_LENGTH: 12,
  })
})

test('on an address of no settings no organization is offered', async () => {
  await at.open('/ui/settings/nothing-here')
  await at.page.getByRole('heading', { name: 'Page not found' }).waitFor()
  expect(await at.page.getByText('SystemSetting').count()).toBe(0)
})

test('how long records are kept is set in days, and nothing is kept for none', async () => {
  at.fixture.profile.perms.push('settings.change_clean')
  serveOne(at.fixture, CleanSettings, defaultsOf(CleanSettings))
  await at.open('/ui/settings/clean')
  // As the clock of whoever reads it says.
  const local = await at.page.evaluate(() => {
    const time = new Date()
    time.setUTCHours(2, 0, 0, 0)
    return time.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' }).replaceAll('\u202f', ' ')
  })
  await at.page.getByText(`every day at ${local}.`).waitFor()
  const days = at.page.getByLabel('Login logs are kept for (days)')
  await days.fill('0')
  await at.page.getByLabel('Sessions and recordings are kept for (days)').fill('365')
  await at.button('Submit').click()
  await at.page.getByText('At least 1').waitFor()
  expect(at.sentTo('PATCH', '/api/v1/settings/setting/clean/')).toBeUndefined()
  await days.fill('1')
  await at.button('Submit').click()
  await at.page.getByText('Saved successfully').waitFor()
  expect(at.sentTo('PATCH', '/api/v1/settings/setting/clean/')).toEqual({
    LOGIN_LOG_KEEP_DAYS: 1,
    TERMINAL_SESSION_KEEP_DURATION: 365,
  })
})
