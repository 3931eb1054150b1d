import { defaultOrgId } from '@sallyport/contract/constants'
import { callMetadata } from '@sallyport/contract/resource/metadata'
import { Directory } from '@sallyport/contract/resources/directory'
import { Organization } from '@sallyport/contract/resources/orgs'
import { LdapSettings } from '@sallyport/contract/resources/setting-pages'
import { type SettingName, settings } from '@sallyport/contract/settings'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { serveOne, serveRows } from '../../testing/fixture-rows.ts'

const page = '/api/v1/settings/setting/ldap/'
const testing = '/api/v1/settings/ldap/testing'
const list = '/api/v1/settings/ldap/users/'
const dock = '6b0c6d4e-0f4e-4f0e-9d0e-1c2d3e4f5a6b'
const person = (username: string, existing: boolean, groups: string[] = []) => ({
  id: username,
  username,
  name: username.toUpperCase(),
  email: `${username}@corp.example.com`,
  groups,
  existing,
})
let people: ReturnType<typeof person>[] | undefined

const at = consolePage((fixture) => {
  people = undefined
  fixture.settings.AUTH_LDAP_SYNC_ORG_ID = defaultOrgId
  fixture.profile.perms.push('settings.view_setting', 'settings.change_auth', 'orgs.view_organization')
  const names = Object.keys(LdapSettings.fields).filter((name) => name in settings) as SettingName[]
  serveOne(fixture, LdapSettings, {
    ...Object.fromEntries(names.map((name) => [name, settings[name].default])),
    AUTH_LDAP_USER_ATTR_MAP: { username: 'uid', name: 'cn', email: 'mail' },
  })
  serveRows(fixture, Organization, [
    { id: defaultOrgId, name: 'Default' },
    { id: dock, name: 'Dock' },
  ])
  fixture.answers.set(`POST ${testing}/config/`, ({ body }) =>
    (body as { AUTH_LDAP: boolean }).AUTH_LDAP
      ? { body: 'Succeed: Match 2 s user' }
      : { status: 400, body: 'Error (LDAP authentication is not enabled)' },
  )
  fixture.answers.set(`OPTIONS ${testing}/login/`, () => ({
    body: callMetadata(Directory, [Directory.calls.testLogin], 'en'),
  }))
  fixture.answers.set(`POST ${testing}/login/`, ({ body }) =>
    (body as { username: string }).username === 'ann'
      ? { body: 'Authentication success: ann' }
      : { status: 400, body: 'Authentication failed: the username or password is wrong' },
  )
  fixture.answers.set(`GET ${list}`, ({ query }) => {
    const found = people?.filter(({ username }) => username.includes(query.get('search') ?? ''))
    return found
      ? { body: { count: found.length, next: null, previous: null, results: found } }
      : { status: 409, body: { msg: 'The users of the directory are being read, please retry later' } }
  })
  fixture.answers.set('GET /api/v1/settings/ldap/cache/refresh/', () => {
    people = people?.concat(person('cid', false))
    return { body: { msg: 'success' } }
  })
  fixture.answers.set(`POST ${list}import/`, ({ body }) => {
    const { username_list: chosen } = body as { username_list: string[] }
    if (chosen.includes('*') || chosen.includes('bob'))
      return {
        status: 400,
        body: { errors: [{ bob: 'exists here already, and comes from elsewhere (Local)' }] },
      }
    people = people?.map((one) => ({ ...one, existing: one.existing || chosen.includes(one.username) }))
    return { body: { msg: 'Imported 1 users successfully (Organization: Dock)' } }
  })
})

test('the directory is set under authentication, and tried with what is filled in before it is saved', async () => {
  await at.open('/ui/settings/basic')
  await at.page.getByRole('link', { name: 'Authentication' }).click()
  await at.page.getByRole('tab', { name: 'LDAP' }).waitFor()
  await at.page.getByLabel('LDAP server', { exact: true }).fill('ldaps://ldap.example.com')
  await at.button('Test connection').click()
  await at.page.getByText('Error (LDAP authentication is not enabled)').first().waitFor()
  await at.page.getByRole('switch', { name: 'Enable LDAP authentication' }).click()
  await at.button('Test connection').click()
  await at.page.getByText('Succeed: Match 2 s user').first().waitFor()
  expect(at.sentTo('POST', `${testing}/config/`)).toMatchObject({
    AUTH_LDAP_SERVER_URI: 'ldaps://ldap.example.com',
    AUTH_LDAP_BIND_PASSWORD: '',
    AUTH_LDAP_USER_ATTR_MAP: { username: 'uid', name: 'cn', email: 'mail' },
    AUTH_LDAP: true,
  })
  await at.button('Submit').click()
  await at.page.getByText('Saved successfully').waitFor()
  expect(at.sentTo('PATCH', page)).toEqual({
    AUTH_LDAP_SERVER_URI: 'ldaps://ldap.example.com',
    AUTH_LDAP: true,
  })
})

test('what is tried with the stored password is confirmed first where the server wants that', async () => {
  let isConfirmed = false
  at.fixture.answers.set(`POST ${testing}/config/`, () =>
    isConfirmed
      ? { body: 'Succeed: Match 2 s user' }
      : { status: 400, body: { code: 'mfa', error: 'Confirm first' } },
  )
  at.fixture.answers.set('GET /api/v1/authentication/confirm/', () => ({
    body: { confirm_type: 'password', content: [] },
  }))
  at.fixture.answers.set('POST /api/v1/authentication/confirm/', () => {
    isConfirmed = true
    return { body: {} }
  })
  await at.open('/ui/settings/auth')
  await at.page.getByLabel('User search filter', { exact: true }).fill('(sn=%(user)s)')
  await at.button('Test connection').click()
  const proof = at.page.getByRole('dialog', { name: 'Verify Current User' })
  await proof.getByLabel('Password').fill('correct horse')
  await proof.getByRole('button', { name: 'Confirm' }).click()
  await at.page.getByText('Succeed: Match 2 s user').first().waitFor()
})

test('somebody is logged in on trial', async () => {
  await at.open('/ui/settings/auth')
  await at.button('Test login').click()
  const dialog = at.page.getByRole('dialog')
  await dialog.getByLabel('Username').fill('bob')
  await dialog.getByLabel('Password').fill('wrong')
  await dialog.getByRole('button', { name: 'Test login' }).click()
  await dialog.getByText('the username or password is wrong').waitFor()
  await dialog.getByLabel('Username').fill('ann')
  await dialog.getByRole('button', { name: 'Test login' }).click()
  await at.page.getByText('Authentication success: ann').waitFor()
})

test('people of the directory are listed once they are read, searched, ticked and imported', async () => {
  await at.open('/ui/settings/auth')
  await at.button('Import users').click()
  const dialog = at.page.getByRole('dialog')
  await dialog.getByRole('status').getByText('are being read').waitFor()
  people = [person('ann', false, ['Ops', 'Night']), person('bob', true)]
  const row = (name: string) => dialog.getByRole('row').filter({ hasText: `${name}@corp` })
  await row('ann').getByText('Ops | Night').waitFor()
  await row('bob').getByText('Yes').waitFor()
  await dialog.getByRole('searchbox', { name: 'Search' }).fill('ann')
  await dialog.getByRole('searchbox', { name: 'Search' }).press('Enter')
  await row('bob').waitFor({ state: 'detached' })
  await dialog.getByRole('checkbox', { name: 'Choose ann' }).check()
  await dialog.getByRole('button', { name: 'Import (1)' }).click()
  await at.page.getByText('Imported 1 users successfully').waitFor()
  expect(at.sentTo('POST', `${list}import/`)).toEqual({ username_list: ['ann'], org_id: defaultOrgId })
  await row('ann').getByText('Yes').waitFor()
})

test('all are imported at once, into another organization, and who could not be is told', async () => {
  people = [person('ann', false), person('bob', true)]
  await at.open('/ui/settings/auth')
  await at.button('Import users').click()
  const dialog = at.page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Organization' }).click()
  await at.page.getByText('Dock', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Import all' }).click()
  await dialog.getByText('exists here already').waitFor()
  expect(at.sentTo('POST', `${list}import/`)).toEqual({ username_list: ['*'], org_id: dock })
  await dialog.getByRole('button', { name: 'Refresh' }).click()
  await dialog.getByText('cid@corp.example.com').waitFor()
})

test('ticks are asked about before they are lost, who was imported loses them, and an empty search says so', async () => {
  people = [person('ann', false), person('bob', true)]
  await at.open('/ui/settings/auth')
  await at.button('Import users').click()
  const dialog = at.page.getByRole('dialog', { name: 'LDAP user list' })
  await dialog.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
  for (const leave of [() => at.page.keyboard.press('Escape'), () => at.button('Cancel').click()]) {
    await leave()
    await at.button('Keep editing').click()
  }
  await dialog.getByRole('button', { name: 'Import (2)' }).click()
  await dialog.getByText('Could not be imported: 1. The others were.').waitFor()
  await dialog.getByRole('button', { name: 'Import (1)' }).waitFor()
  expect(await dialog.getByRole('checkbox', { name: 'Choose bob' }).isChecked()).toBe(true)
  await dialog.getByRole('searchbox', { name: 'Search' }).fill('nobody')
  await dialog.getByRole('searchbox', { name: 'Search' }).press('Enter')
  await dialog.getByText('Nothing here yet').waitFor()
})

test('who may not change how people log in is not offered the page', async () => {
  at.fixture.profile.perms = at.fixture.profile.perms.filter((name) => name !== 'settings.change_auth')
  await at.open('/ui/settings/basic')
  await at.page.getByRole('link', { name: 'Basic settings' }).waitFor()
  expect(await at.page.getByRole('link', { name: 'Authentication' }).count()).toBe(0)
})
