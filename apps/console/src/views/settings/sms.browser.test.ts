import { smsPages, SmsSettings } from '@sallyport/contract/resources/setting-pages'
import { type SettingName, settings, type SmsBackend, smsBackends } from '@sallyport/contract/settings'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { serveOne } from '../../testing/fixture-rows.ts'

const page = (category: string) => `/api/v1/settings/setting/${category}/`
const testing = (backend: SmsBackend) => `/api/v1/settings/sms/${backend}/testing/`
const defaults = (names: readonly string[]) =>
  Object.fromEntries(
    names.filter((name) => name in settings).map((name) => [name, settings[name as SettingName].default]),
  )
const at = consolePage((fixture) => {
  fixture.profile.perms.push('settings.view_setting', 'settings.change_sms')
  serveOne(fixture, SmsSettings, defaults(Object.keys(SmsSettings.fields)))
  for (const backend of smsBackends.values)
    serveOne(fixture, smsPages[backend], defaults(Object.keys(smsPages[backend].fields)))
})
const dialog = () => at.page.getByRole('dialog')
const field = (label: string) => dialog().getByLabel(label, { exact: true })
const press = (name: string) => dialog().getByRole('button', { name }).click()
const choose = (name: string) => at.page.getByRole('radio', { name }).check()

test('SMS is switched on, and sent by the provider that is chosen', async () => {
  await at.open('/ui/settings/basic')
  await at.page.getByRole('link', { name: 'SMS' }).click()
  await at.page.getByRole('switch', { name: 'Enable SMS' }).click()
  await choose('Huawei Cloud')
  await at.button('Submit').click()
  await at.page.getByText('Saved successfully').waitFor()
  expect(at.sentTo('PATCH', page('sms'))).toEqual({ SMS_ENABLED: true, SMS_BACKEND: 'huawei' })
})

test('the provider that is chosen is set in a dialog, tried with what is filled in, and closed when it is saved', async () => {
  let isConfirmed = false
  at.fixture.answers.set(`POST ${testing('huawei')}`, ({ body }) =>
    (body as { SMS_TEST_PHONE: string }).SMS_TEST_PHONE === ''
      ? { status: 400, body: { code: 'test_phone_required', detail: 'Enter a test phone first.' } }
      : isConfirmed
        ? { body: { msg: 'Test success' } }
        : { status: 400, body: { code: 'mfa', detail: 'Confirm first' } },
  )
  at.fixture.answers.set('GET /api/v1/authentication/confirm/', () => ({
    body: { confirm_type: 'password', content: '' },
  }))
  at.fixture.answers.set('POST /api/v1/authentication/confirm/', () => {
    isConfirmed = true
    return { body: 'ok' }
  })
  await at.open('/ui/settings/sms')
  await choose('Huawei Cloud')
  await at.button('Setting').click()
  await field('App key').fill('app')
  await field('App secret').fill('of the app')
  await field('App access address').fill('https://sms.example.com')
  await field('Signature channel number').fill('8824')
  await field('Signature').fill('Sallyport')
  await field('Template ID').fill('template-1')
  await press('Test connection')
  await dialog().getByText('Enter a test phone first.').waitFor()
  await field('Test phone').fill('13912345678')
  await press('Test connection')
  const proof = at.page.getByRole('dialog', { name: 'Verify Current User' })
  await proof.getByLabel('Password').fill('correct horse')
  await proof.getByRole('button', { name: 'Confirm' }).click()
  await dialog().getByText('Test success').waitFor()
  const filledIn = {
    HUAWEI_APP_KEY: 'app',
    HUAWEI_SMS_ENDPOINT: 'https://sms.example.com',
    HUAWEI_SIGN_CHANNEL_NUM: '8824',
    HUAWEI_VERIFY_SIGN_NAME: 'Sallyport',
    HUAWEI_VERIFY_TEMPLATE_CODE: 'template-1',
    SMS_TEST_PHONE: '13912345678',
  }
  expect(at.sentTo('POST', testing('huawei'))).toMatchObject(filledIn)
  await press('Submit')
  await dialog().waitFor({ state: 'detached' })
  expect(at.sentTo('PATCH', page('huawei'))).toEqual({
    ...filledIn,
    HUAWEI_APP_SECRET: 'of the app',
  })
})

test.each([
  ['Alibaba Cloud', ['Access key ID', 'Access key secret', 'Signature', 'Template code', 'Test phone']],
  ['Tencent Cloud', ['Secret ID', 'Secret key', 'SDK app ID', 'Signature', 'Template ID', 'Test phone']],
  [
    'CMPP v2.0',
    ['Host', 'Port', 'Enterprise code (SP ID)', 'Shared secret', 'Source number', 'Service ID', 'Template'],
  ],
])('%s has a dialog of its own', async (name, labels) => {
  await at.open('/ui/settings/sms')
  if (name !== 'Alibaba Cloud') await choose(name)
  await at.button('Setting').click()
  for (const label of labels) await field(label).waitFor()
})

test('without a licence there is no page of SMS', async () => {
  at.fixture.settings.XPACK_LICENSE_IS_VALID = false
  await at.open('/ui/settings/basic')
  await at.page.getByRole('link', { name: 'Basic settings' }).waitFor()
  expect(await at.page.getByRole('link', { name: 'SMS' }).count()).toBe(0)
})
