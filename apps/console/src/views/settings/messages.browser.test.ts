import { EmailSettings } from '@sallyport/contract/resources/setting-pages'
import { SystemMsgSubscription } from '@sallyport/contract/resources/notifications'
import { User } from '@sallyport/contract/resources/users'
import { metadataOf } from '@sallyport/contract/resource/metadata'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { serveRows } from '../../testing/fixture-rows.ts'

const settings = '/api/v1/settings/setting/email/'
const subscriptions = '/api/v1/notifications/system-msg-subscription/'
const ann = { id: '7d1c0000-0000-4000-8000-000000000001', name: 'Ann', username: 'ann' }
const bob = { id: '7d1c0000-0000-4000-8000-000000000002', name: 'Bob', username: 'bob' }

const at = consolePage((fixture) => {
  fixture.profile.perms = [
    ...fixture.profile.perms,
    'settings.view_setting',
    'settings.change_email',
    'settings.change_systemmsgsubscription',
  ]
  let stored: object = {
    EMAIL_HOST: 'smtp.example.com',
    EMAIL_PORT: '25',
    EMAIL_HOST_USER: 'ann',
    EMAIL_SUBJECT_PREFIX: 'x',
  }
  fixture.answers.set(`GET ${settings}`, () => ({ body: stored }))
  fixture.answers.set(`OPTIONS ${settings}`, () => ({ body: metadataOf(EmailSettings, 'en', 'detail') }))
  fixture.answers.set(`PATCH ${settings}`, ({ body }) => ({
    body: (stored = { ...stored, ...(body as object) }),
  }))
  fixture.answers.set('POST /api/v1/settings/mail/testing/', ({ body }) =>
    (body as { EMAIL_RECIPIENT: string }).EMAIL_RECIPIENT === ''
      ? { status: 400, body: { error: 'connect ECONNREFUSED' } }
      : { body: { msg: 'Test mail sent to to@example.com, please check' } },
  )
  fixture.answers.set('GET /api/v1/notifications/backends/', () => ({
    body: [
      { name: 'email', name_display: 'Email' },
      { name: 'site_msg', name_display: 'Site message' },
    ],
  }))
  const child = {
    id: '1',
    message_type: 'CommandAlertMessage',
    message_type_label: 'Dangerous command alert',
    users: [ann.id],
    groups: [],
    receive_backends: ['site_msg'],
    receivers: [{ id: ann.id, name: 'Ann(ann)' }],
  }
  fixture.answers.set(`GET ${subscriptions}`, () => ({
    body: [{ category: 'terminal', category_label: 'Sessions', children: [child] }],
  }))
  fixture.answers.set(`OPTIONS ${subscriptions}CommandAlertMessage/`, () => ({
    body: metadataOf(SystemMsgSubscription, 'en', 'detail'),
  }))
  fixture.answers.set(`PATCH ${subscriptions}CommandAlertMessage/`, ({ body }) => {
    Object.assign(child, body)
    if ('users' in (body as object))
      child.receivers = [
        { id: ann.id, name: 'Ann(ann)' },
        { id: bob.id, name: 'Bob(bob)' },
      ]
    return { body: child }
  })
  serveRows(fixture, User, [ann, bob] as never)
})

test('the mail server is set, its password sealed, and tried with what is typed', async () => {
  await at.open('/ui/settings/email')
  await at.page.getByLabel('SMTP host').fill('mail.example.com')
  await at.button('Test connection').click()
  await at.page.getByText('connect ECONNREFUSED').first().waitFor()
  await at.page.getByLabel('Test recipient').fill('to@example.com')
  await at.button('Test connection').click()
  await at.page.getByText('Test mail sent to to@example.com').first().waitFor()
  await at.button('Submit').click()
  await at.page.getByText('Saved successfully').waitFor()
  expect(at.sentTo('PATCH', settings)).toEqual({
    EMAIL_HOST: 'mail.example.com',
    EMAIL_RECIPIENT: 'to@example.com',
  })
  const asked = at.fixture.requests.filter(({ path }) => path === settings)
  expect(asked.every(({ query }) => query.get('category') === 'email')).toBe(true)
})

test('who hears of what, and by what, is chosen in one table', async () => {
  await at.open('/ui/settings/message')
  const row = at.page.getByRole('row', { name: /Dangerous command alert/ })
  await row.getByText('Ann(ann)').waitFor()
  expect(await row.getByRole('checkbox', { name: /Site message/ }).isDisabled()).toBe(true)
  await row.getByRole('checkbox', { name: /Email/ }).click()
  await at.page.getByText('Saved successfully').waitFor()
  expect(at.sentTo('PATCH', `${subscriptions}CommandAlertMessage/`)).toEqual({
    receive_backends: ['site_msg', 'email'],
  })
  await row.getByRole('button', { name: /Change receivers/ }).click()
  const dialog = at.page.getByRole('dialog')
  await dialog.getByText('Ann(ann)', { exact: true }).filter({ visible: true }).waitFor()
  await dialog.getByRole('combobox').click()
  await at.page.getByText('Bob(bob)').click()
  await dialog.getByRole('button', { name: 'Submit' }).press('Enter')
  await row.getByText('Ann(ann), Bob(bob)').waitFor()
  const { users } = at.sentTo('PATCH', `${subscriptions}CommandAlertMessage/`) as { users: unknown }
  expect(users).toEqual([{ pk: ann.id }, { pk: bob.id }])
})

test('somebody chooses on the profile by what messages come', async () => {
  at.fixture.profile.receive_backends = ['email', 'site_msg']
  const path = `/api/v1/notifications/user-msg-subscription/${at.fixture.profile.id}/`
  at.fixture.answers.set(`PATCH ${path}`, ({ body }) => {
    Object.assign(at.fixture.profile, body)
    return { body }
  })
  await at.open('/ui/profile/info')
  const card = at.page.getByRole('region', { name: 'Message subscription' })
  expect(await card.getByRole('switch', { name: 'Site message' }).isDisabled()).toBe(true)
  await card.getByRole('switch', { name: 'Email' }).click()
  await at.page.getByText('Saved successfully').waitFor()
  expect(at.sentTo('PATCH', path)).toEqual({ receive_backends: ['site_msg'] })
  expect(await card.getByRole('switch', { name: 'Email' }).isChecked()).toBe(false)
})
