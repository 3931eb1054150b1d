/** Setting up SMS, and trying it. */
import { expect, test } from 'vitest'
import { addHolder, confirm } from '../../testing-people.ts'
import { secret, settingsOf, startCmpp2, startHuawei } from '../../testing-sms.ts'
import { adminPassword, startTestSystem } from '../../testing.ts'
import { createSettings } from '../settings/index.ts'

const system = await startTestSystem()
const admin = await system.admin()
const [huawei, gateway] = await Promise.all([startHuawei(), startCmpp2()])
const page = (category: string) => `settings/setting/?category=${category}`
const set = async (category: string, values: Record<string, unknown>) => {
  await confirm(admin, adminPassword)
  return await admin.patch(page(category), values)
}
const phone = '13912345678'
const byHuawei = settingsOf(huawei)
const byCmpp2 = {
  CMPP2_HOST: '127.0.0.1',
  CMPP2_PORT: gateway.port,
  CMPP2_SP_ID: '903001',
  CMPP2_SP_SECRET: secret,
  CMPP2_SERVICE_ID: 'VERIFY',
  CMPP2_VERIFY_SIGN_NAME: '岗亭',
  CMPP2_VERIFY_TEMPLATE_CODE: '验证码 {code}',
}

test('there are four ways, each with a page of its own, and SMS is off until it is switched on', async () => {
  expect((await admin.get('settings/sms/backend/')).body).toEqual([
    { name: 'alibaba', label: 'Alibaba Cloud' },
    { name: 'tencent', label: 'Tencent Cloud' },
    { name: 'huawei', label: 'Huawei Cloud' },
    { name: 'cmpp2', label: 'CMPP v2.0' },
  ])
  expect((await admin.get(page('sms'))).body).toEqual({ SMS_ENABLED: false, SMS_BACKEND: 'alibaba' })
  expect((await admin.get(page('alibaba'))).body).toEqual({
    ALIBABA_ACCESS_KEY_ID: '',
    ALIBABA_VERIFY_SIGN_NAME: '',
    ALIBABA_VERIFY_TEMPLATE_CODE: '',
    SMS_TEST_PHONE: '',
  })
  expect((await admin.get(page('cmpp2'))).body).toMatchObject({
    CMPP2_PORT: 7890,
    CMPP2_VERIFY_TEMPLATE_CODE: '{code}',
  })
})

test('the secret of a way is kept sealed and never told', async () => {
  expect((await set('huawei', byHuawei)).status).toBe(200)
  expect((await admin.get(page('huawei'))).body).not.toHaveProperty('HUAWEI_APP_SECRET')
  const { rows } = await system.database.pool.query<{ value: string; encrypted: boolean }>(
    `select value, encrypted from settings where name = 'HUAWEI_APP_SECRET'`,
  )
  expect(rows).toEqual([{ encrypted: true, value: expect.not.stringContaining(secret) as string }])
  const logs = await admin.get('audits/operate-logs/?limit=100')
  expect(logs.bytes.toString()).not.toContain(secret)
})

test.each([
  [
    'huawei',
    'another address without its secret',
    { HUAWEI_SMS_ENDPOINT: 'https://example.com' },
    'HUAWEI_APP_SECRET',
  ],
  ['huawei', 'another account without its secret', { HUAWEI_APP_KEY: 'other' }, 'HUAWEI_APP_SECRET'],
  ['huawei', 'an address that is none', { HUAWEI_SMS_ENDPOINT: 'ftp://example.com' }, 'HUAWEI_SMS_ENDPOINT'],
  ['huawei', 'a phone that is none', { SMS_TEST_PHONE: '12' }, 'SMS_TEST_PHONE'],
  ['cmpp2', 'a host that is none', { CMPP2_HOST: 'a b' }, 'CMPP2_HOST'],
  [
    'cmpp2',
    'a template without the code',
    { CMPP2_VERIFY_TEMPLATE_CODE: 'hello' },
    'CMPP2_VERIFY_TEMPLATE_CODE',
  ],
  ['cmpp2', 'an enterprise code that does not fit', { CMPP2_SP_ID: '9030011' }, 'CMPP2_SP_ID'],
  ['cmpp2', 'a service in letters nobody can send', { CMPP2_SERVICE_ID: '业务' }, 'CMPP2_SERVICE_ID'],
  ['cmpp2', 'more than one text', { CMPP2_VERIFY_SIGN_NAME: '岗'.repeat(60) }, 'CMPP2_VERIFY_TEMPLATE_CODE'],
])('%s: %s is refused', async (category, _what, values, field) => {
  const refused = await set(category, values)
  expect(refused.status).toBe(400)
  expect(Object.keys(refused.body)).toEqual([field])
})

test('a way by which nothing could be sent is not switched on', async () => {
  const stored = `select count(*)::int as count from settings where name = 'TENCENT_SECRET_KEY'`
  expect((await system.database.pool.query(stored)).rows).toEqual([{ count: 0 }])
  expect(await set('sms', { SMS_ENABLED: true, SMS_BACKEND: 'tencent' })).toMatchObject({
    status: 400,
    body: { SMS_BACKEND: ['Set up this provider, with its secret, before codes go by it.'] },
  })
})

test('who decides where codes go says again who they are, and nobody else comes near it', async () => {
  const clerk = await addHolder(system, admin, 'settings.view_setting', 'settings.change_sms')
  const asked = { status: 400, body: { code: 'mfa' } }
  expect(await clerk.patch(page('sms'), { SMS_ENABLED: true })).toMatchObject(asked)
  expect(await clerk.patch(page('huawei'), { HUAWEI_VERIFY_SIGN_NAME: 'other' })).toMatchObject(asked)
  expect((await clerk.patch(page('huawei'), { SMS_TEST_PHONE: phone })).status).toBe(200)
  const other = await addHolder(system, admin, 'settings.view_setting', 'settings.change_email')
  for (const category of ['sms', 'alibaba', 'tencent', 'huawei', 'cmpp2'])
    expect((await other.get(page(category))).status).toBe(403)
  expect((await other.post('settings/sms/huawei/testing/', {})).status).toBe(403)
})

const tried = (backend: string, values: Record<string, unknown>) =>
  admin.post(`settings/sms/${backend}/testing/`, { SMS_TEST_PHONE: phone, ...values })

test('a way is tried by what is filled in: a code goes to the test phone', async () => {
  expect(await tried('cmpp2', byCmpp2)).toMatchObject({ status: 200, body: { msg: 'Test success' } })
  expect(gateway.taken.at(-1)).toMatchObject({
    phone,
    code: '666666',
    said: { content: '【岗亭】验证码 666666' },
  })
  expect(await tried('huawei', { ...byHuawei, HUAWEI_APP_SECRET: '' })).toMatchObject({ status: 200 })
  expect(huawei.taken.at(-1)).toMatchObject({ phone: `+86${phone}`, code: '666666' })
})

test('what is missing for a try is told', async () => {
  expect(await tried('huawei', { ...byHuawei, SMS_TEST_PHONE: '' })).toMatchObject({
    status: 400,
    body: { code: 'test_phone_required' },
  })
  expect(await tried('pigeon', {})).toMatchObject({ status: 400, body: { error: 'Invalid SMS platform' } })
  expect(Object.keys((await tried('alibaba', {})).body)).toEqual([
    'ALIBABA_ACCESS_KEY_ID',
    'ALIBABA_VERIFY_SIGN_NAME',
    'ALIBABA_VERIFY_TEMPLATE_CODE',
  ])
  huawei.behave = 'refuse'
  expect(await tried('huawei', byHuawei)).toMatchObject({
    status: 400,
    body: { error: 'The text was not sent: the provider refused it (E000510): -' },
  })
  huawei.behave = 'take'
})

test('the stored secret is tried where it was stored for, and with other words after a confirmation alone', async () => {
  const clerk = await addHolder(system, admin, 'settings.view_setting', 'settings.change_sms')
  const tries = (values: Record<string, unknown>) =>
    clerk.post('settings/sms/huawei/testing/', {
      ...byHuawei,
      HUAWEI_APP_SECRET: '',
      SMS_TEST_PHONE: phone,
      ...values,
    })
  const before = gateway.asked
  const elsewhere = await tries({ HUAWEI_SMS_ENDPOINT: `http://127.0.0.1:${gateway.port}` })
  expect(elsewhere).toMatchObject({ status: 400, body: { HUAWEI_APP_SECRET: [expect.any(String)] } })
  expect(gateway.asked).toBe(before)
  expect(await tries({ HUAWEI_VERIFY_SIGN_NAME: 'x' })).toMatchObject({ status: 400, body: { code: 'mfa' } })
  expect((await tries({})).status).toBe(200)
})

test('without a licence SMS can be looked at, and neither set nor tried', async () => {
  await createSettings(system.ground).store(system.database.db, { LICENSE_FILE: '' })
  expect((await admin.get(page('sms'))).status).toBe(200)
  const refused = { status: 403, body: { code: 'license_required' } }
  expect(await set('huawei', { SMS_TEST_PHONE: '' })).toMatchObject(refused)
  expect(await tried('huawei', byHuawei)).toMatchObject(refused)
})
