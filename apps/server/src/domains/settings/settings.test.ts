import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { serveConsole } from '../../kernel/http/console.ts'
import { adminPassword, startTestSystem } from '../../testing.ts'
import { addHolder, addPerson, confirm, password } from '../../testing-people.ts'
import { createSettings } from './index.ts'

const system = await startTestSystem()

test('forty people save at once while settings change: all are answered', async () => {
  const admin = await system.admin()
  const settings = createSettings(system.ground)
  const over = new AbortController()
  const changing = (async () => {
    for (let count = 0; !over.signal.aborted; count += 1) {
      await settings.store(system.database.db, { SECURITY_MAX_IDLE_TIME: 30 + (count % 10) })
      await sleep(20)
    }
  })()
  const statuses: number[] = []
  await Promise.all(
    Array.from({ length: 40 }, async (_, person) => {
      for (let round = 0; round < 5; round += 1) {
        const answer = await admin.patch('users/profile/', { comment: `${person} ${round}` })
        statuses.push(answer.status)
      }
    }),
  )
  over.abort()
  await changing
  expect(new Set(statuses)).toEqual(new Set([200]))
})

test('links lead to where the server listens, its port, too, until somebody says where the site is', async () => {
  const admin = await system.admin()
  const { host, port } = system.ground.config.http
  const site = async () =>
    (await admin.get('settings/setting/?category=basic', { headers: { host: 'elsewhere.example.com' } }))
      .body['SITE_URL']
  expect(await site()).toBe(`http://${host}:${port}`)
  await createSettings(system.ground).store(system.database.db, { SITE_URL: 'https://gate.example.com' })
  await expect.poll(site).toBe('https://gate.example.com')
})

test('the category that is not named, or named by nothing, is the first', async () => {
  const admin = await system.admin()
  for (const query of ['', '?category=', '?category=basic'])
    expect([query, (await admin.get(`settings/setting/${query}`)).body], query).toMatchObject([
      query,
      { SITE_URL: expect.any(String) as string },
    ])
  expect((await admin.get('settings/setting/?category=nonsense')).status).toBe(404)
})

test('the pictures the sign-in page is told of are there', async () => {
  const shown = fileURLToPath(new URL('../../../../console/public/', import.meta.url))
  const served = Fastify()
  await serveConsole(served, shown)
  const { INTERFACE: looks } = (await system.client().get('settings/public/open/')).body
  for (const name of ['logo_logout', 'logo_index', 'login_image', 'favicon']) {
    const picture = await served.inject(String(looks?.[name]))
    expect([name, picture.statusCode, picture.headers['content-type']]).toEqual([name, 200, 'image/svg+xml'])
  }
})

test('what is asked for beside the password is one thing, and addresses have to be such', async () => {
  const admin = await system.admin()
  const page = 'settings/setting/?category=security'
  await admin.patch(page, { SECURITY_LOGIN_CAPTCHA_ENABLED: true })
  expect((await admin.get(page)).body).toMatchObject({ SECURITY_MFA_AUTH: 0 })
  await admin.patch(page, { SECURITY_MFA_AUTH: 1, SECURITY_MFA_IN_LOGIN_PAGE: true })
  expect((await admin.get(page)).body).toMatchObject({
    SECURITY_MFA_IN_LOGIN_PAGE: true,
    SECURITY_LOGIN_CAPTCHA_ENABLED: false,
  })
  await admin.patch(page, { SECURITY_MFA_AUTH: 0 })
  expect((await admin.get(page)).body).toMatchObject({ SECURITY_MFA_IN_LOGIN_PAGE: false })

  const answer = await admin.patch(page, { SECURITY_LOGIN_IP_BLACK_LIST: ['10.0.0.0/8', 'everywhere'] })
  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({
    SECURITY_LOGIN_IP_BLACK_LIST: ['Neither an address, a network, a range nor *: everywhere'],
  })
  expect((await admin.get(page)).body).toMatchObject({ SECURITY_LOGIN_IP_BLACK_LIST: [] })
})

test('only who may change the security settings sees them', async () => {
  const admin = await system.admin()
  const somebody = await (await addPerson(system, admin)).signedIn()
  expect((await somebody.get('settings/setting/?category=security')).status).toBe(403)
  expect((await somebody.patch('settings/setting/?category=security', {})).status).toBe(403)
})

test('where people are sent is changed by whoever looks after security, who says again who it is', async () => {
  const admin = await system.admin()
  const page = 'settings/setting/?category=basic'
  const clerk = await addHolder(system, admin, 'settings.view_setting')
  const { SITE_URL } = (await clerk.get(page)).body
  const moved = { SITE_URL: 'https://elsewhere.example.com' }
  expect(await clerk.patch(page, moved)).toMatchObject({ status: 403, body: { code: 'site_url_denied' } })
  // With the address as it is the rest is theirs to change.
  const rest = { SITE_URL: `${String(SITE_URL)}/`, GLOBAL_ORG_DISPLAY_NAME: 'All' }
  expect((await clerk.patch(page, rest)).body).toMatchObject({ SITE_URL, GLOBAL_ORG_DISPLAY_NAME: 'All' })

  const others = [
    { FORGOT_PASSWORD_URL: 'https://elsewhere.example.com' },
    { USER_GUIDE_URL: 'https://elsewhere.example.com' },
    { ANNOUNCEMENT: { LINK: 'https://elsewhere.example.com' } },
  ]
  for (const other of others)
    expect(await clerk.patch(page, other)).toMatchObject({ status: 403, body: { code: 'site_url_denied' } })
  const same = {
    FORGOT_PASSWORD_URL: '',
    USER_GUIDE_URL: '',
    ANNOUNCEMENT: { CONTENT: 'On Sunday', LINK: '' },
  }
  expect((await clerk.patch(page, same)).status).toBe(200)

  const guard = await addHolder(system, admin, 'settings.view_setting', 'settings.change_security')
  for (const other of [moved, ...others])
    expect(await guard.patch(page, other)).toMatchObject({ status: 400, body: { code: 'mfa' } })
  expect((await admin.patch(page, moved)).status).toBe(400)
  await confirm(guard, password)
  expect((await guard.patch(page, moved)).body).toMatchObject(moved)
  await confirm(admin, adminPassword)
  expect((await admin.patch(page, { SITE_URL })).body).toMatchObject({ SITE_URL })
})

test('null says that there is none, and is kept as the empty text', async () => {
  const admin = await system.admin()
  const page = 'settings/setting/?category=basic'
  const none = { USER_GUIDE_URL: null, FORGOT_PASSWORD_URL: null, GLOBAL_ORG_DISPLAY_NAME: null }
  const answer = await admin.patch(page, { ...none, ANNOUNCEMENT: { CONTENT: 'On Sunday', LINK: null } })
  expect(answer).toMatchObject({
    status: 200,
    body: {
      USER_GUIDE_URL: '',
      FORGOT_PASSWORD_URL: '',
      GLOBAL_ORG_DISPLAY_NAME: '',
      ANNOUNCEMENT: { CONTENT: 'On Sunday', LINK: '' },
    },
  })
  expect(await admin.patch(page, { SITE_URL: null })).toMatchObject({ status: 400 })
})

test('an address people follow is one of the web, and runs no script', async () => {
  const admin = await system.admin()
  const page = 'settings/setting/?category=basic'
  const wrong = ['Enter a valid URL.']
  for (const address of [
    'javascript:alert(1)',
    'JavaScript://x/%0aalert(1)',
    'data:text/html,x',
    'ftp://x/',
  ]) {
    for (const name of ['SITE_URL', 'USER_GUIDE_URL', 'FORGOT_PASSWORD_URL'])
      expect(await admin.patch(page, { [name]: address })).toMatchObject({
        status: 400,
        body: { [name]: wrong },
      })
    expect(await admin.patch(page, { ANNOUNCEMENT: { LINK: address } })).toMatchObject({
      status: 400,
      body: { ANNOUNCEMENT: { LINK: wrong } },
    })
  }
  const good = {
    USER_GUIDE_URL: 'http://guide.example.com/',
    ANNOUNCEMENT: { LINK: 'https://example.com/a' },
  }
  await confirm(admin, adminPassword)
  expect(await admin.patch(page, good)).toMatchObject({ status: 200, body: good })
  await admin.patch(page, { ANNOUNCEMENT: { LINK: '' } })
})

test('an announcement keeps what is not sent of it, and each change is a new one', async () => {
  const admin = await system.admin()
  const page = 'settings/setting/?category=basic'
  const announced = async (ANNOUNCEMENT: object) => {
    const { status, body } = await admin.patch(page, { ANNOUNCEMENT })
    expect(status).toBe(200)
    return body['ANNOUNCEMENT'] as unknown as { ID: string }
  }
  const first = await announced({ SUBJECT: 'Maintenance', CONTENT: 'On Sunday' })
  const second = await announced({ CONTENT: 'On Monday' })
  expect(second).toEqual({ ID: expect.any(String), SUBJECT: 'Maintenance', CONTENT: 'On Monday', LINK: '' })
  expect(second.ID).not.toBe(first.ID)
  const { ANNOUNCEMENT } = (await admin.get('settings/public/')).body
  expect(ANNOUNCEMENT).toEqual(second)
})

test('how long records are kept is for who may change it, in days, and holds for the cleaning', async () => {
  const admin = await system.admin()
  const page = 'settings/setting/?category=clean'
  expect((await admin.get(page)).body).toEqual({
    LOGIN_LOG_KEEP_DAYS: 200,
    TASK_LOG_KEEP_DAYS: 90,
    OPERATE_LOG_KEEP_DAYS: 200,
    FTP_LOG_KEEP_DAYS: 200,
    CLOUD_SYNC_TASK_EXECUTION_KEEP_DAYS: 30,
    TERMINAL_SESSION_KEEP_DURATION: 200,
    ACTIVITY_LOG_KEEP_DAYS: 200,
  })
  expect((await admin.patch(page, { LOGIN_LOG_KEEP_DAYS: 0 })).body).toEqual({
    LOGIN_LOG_KEEP_DAYS: ['Ensure this value is greater than or equal to 1.'],
  })
  await admin.patch(page, { LOGIN_LOG_KEEP_DAYS: 30 })
  expect(await createSettings(system.ground).all()).toMatchObject({ LOGIN_LOG_KEEP_DAYS: 30 })
  const somebody = await (await addPerson(system, admin)).signedIn()
  expect((await somebody.get(page)).status).toBe(403)
})
