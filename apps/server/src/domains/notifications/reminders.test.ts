import { expect, test, vi } from 'vitest'
import { startTestSystem, type TestClient } from '../../testing.ts'
import { addPerson } from '../../testing-people.ts'
import { reminders } from './jobs.ts'
import { createNotifications } from './index.ts'
import { createSettings } from '../settings/index.ts'
import { createContext } from '../../kernel/context.ts'
import { defaultOrgId } from '@sallyport/contract'

const system = await startTestSystem()
const admin = await system.admin()
const settings = createSettings(system.ground)
const kinds = reminders(createNotifications(system.ground, settings))
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** As the worker does it once a day. */
async function remind(kind: string) {
  const ctx = createContext(
    { emit: () => Promise.resolve() },
    {
      db: system.database.db,
      identity: undefined,
      org: { id: defaultOrgId, name: '', is_root: false, is_default: true },
      language: 'en',
      zone: 'UTC',
      remoteAddr: '',
      origin: '',
      settings: await settings.all(),
      hasLicence: true,
      can: () => false,
      orgName: () => '',
    },
  )
  const work = {
    input: {},
    log: () => Promise.resolve(),
    progress: () => {},
    signal: new AbortController().signal,
  }
  return await kinds.find((one) => one.kind === kind)?.run(ctx, work as never)
}
const subjects = async (client: TestClient) =>
  ((await client.get('notifications/site-messages/?limit=50')).body.results ?? []).map((one) =>
    String(one['content']?.['subject']),
  )

test('people are told some days before their account, password or grant ends, and others are not', async () => {
  const ending = await addPerson(system, admin, { username: 'ending', date_expired: inDays(3) })
  const staying = await addPerson(system, admin, { username: 'staying', date_expired: inDays(30) })
  const [one, other] = [await ending.signedIn(), await staying.signedIn()]
  await settings.store(system.database.db, { SECURITY_PASSWORD_EXPIRATION_TIME: 10 })
  await system.database.pool.query(
    `update users set date_password_last_updated = now() - interval '7 days' where id = $1`,
    [ending.id],
  )
  const grant = { actions: ['all'], accounts: ['@ALL'], date_start: inDays(-1) }
  await admin.post('perms/asset-permissions/', {
    ...grant,
    name: 'Soon',
    users: [ending.id],
    date_expired: inDays(2),
  })
  await admin.post('perms/asset-permissions/', {
    ...grant,
    name: 'Later',
    users: [staying.id],
    date_expired: inDays(9),
  })
  expect(await remind('notifications.remind-of-accounts')).toEqual({ told: 1 })
  expect(await remind('notifications.remind-of-passwords')).toEqual({ told: 1 })
  expect(await remind('notifications.remind-of-grants')).toEqual({ told: 1 })
  expect((await subjects(one)).toSorted()).toEqual([
    'Account is about expire',
    'Password is about expire',
    'You permed assets is about to expire',
  ])
  expect(await subjects(other)).toEqual([])
  const messages = (await admin.get('notifications/site-messages/?limit=50')).body.results ?? []
  const told = messages
    .map(({ content }) => content)
    .filter((content) => String(content?.['subject']) === 'Asset permissions is about to expire')
    .map((content) => String(content?.['message']))
  expect(told).toEqual([expect.stringContaining('1 permission of your organization')])
  expect(told[0]).toContain('Soon')
  expect(told[0]).not.toContain('Later')
})

test('a sign-in from a network somebody never signed in from is told of, once', async () => {
  const person = await addPerson(system, admin, { username: 'mover' })
  const from = async (address: string) => {
    const client = system.client({ address })
    expect((await client.signIn('mover', person.password)).status).toBe(200)
    return client
  }
  const client = await from('10.1.1.1')
  await from('10.1.1.200')
  await from('10.2.2.2')
  await vi.waitFor(
    async () => expect(await subjects(client)).toEqual(['Different city login reminder']),
    10_000,
  )
  await from('10.2.2.3')
  await from('10.3.3.3')
  await vi.waitFor(async () => expect(await subjects(client)).toHaveLength(2), 10_000)
})
