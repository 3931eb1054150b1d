/** Who is removed from an organization at the moment something of theirs is written there. */
import { randomUUID } from 'node:crypto'
import { defaultOrgId as org } from '@sallyport/contract'
import { expect, test } from 'vitest'
import { waitingForLocks, whileLocked } from '../../kernel/testing/locks.ts'
import { startTestSystem, type TestAnswer } from '../../testing.ts'
import { addPerson } from '../../testing-people.ts'

const system = await startTestSystem()
const admin = await system.admin()
const gateway = await system.component('gateway')
const host = await admin.post(
  'assets/hosts/',
  {
    name: 'web-1',
    address: '192.0.2.10',
    platform: 1,
    protocols: [{ name: 'ssh', port: 22 }],
    accounts: [{ name: 'root', username: 'root', secret_type: 'password', secret: 'Root-secret-1' }],
  },
  { org },
)
const granting = (id: string) => ({
  name: `of ${id}`,
  users: [id],
  assets: [host.body['id']],
  accounts: ['@ALL'],
  actions: ['connect'],
})

/** What is written is held up on its way into the table, and the person removed meanwhile. */
async function removedDuring(id: string, table: string, write: () => Promise<TestAnswer>) {
  const sent = await whileLocked(
    system.database,
    table,
    async () => {
      const written = write()
      await expect.poll(() => waitingForLocks(system.database)).toBe(1)
      const removed = admin.post(`users/users/${id}/remove/`, undefined, { org })
      let isRemoved = false
      void removed.then(() => (isRemoved = true))
      const settled = async () => isRemoved || (await waitingForLocks(system.database)) === 2
      await expect.poll(settled).toBe(true)
      return { written, removed }
    },
    { in: 'share' },
  )
  expect(await sent.removed).toMatchObject({ status: 204 })
  return await sent.written
}

test.each([
  [
    'a permission',
    'asset_permission_users',
    'perms/asset-permissions/',
    granting,
    'perms/asset-permissions-users-relations/',
  ],
  [
    'a group',
    'user_group_members',
    'users/groups/',
    (id: string) => ({ name: id, users: [id] }),
    'users/users-groups-relations/',
  ],
])('is in no %s that names them', async (_what, table, path, body, relations) => {
  const { id } = await addPerson(system, admin)
  const written = await removedDuring(id, table, () => admin.post(path, body(id), { org }))
  expect(written.status).toBe(201)
  expect((await admin.get(`${relations}?user=${id}`, { org })).body).toEqual([])
})

test('has no session there: one that has begun is ordered to end', async () => {
  const { id } = await addPerson(system, admin)
  expect((await admin.post('perms/asset-permissions/', granting(id), { org })).status).toBe(201)
  const session = {
    id: randomUUID(),
    user: id,
    asset: host.body['id'],
    account: 'root',
    protocol: 'ssh',
    connect_method: 'ssh',
    type: 'normal',
    login_from: 'ST',
    remote_addr: '198.51.100.7',
    date_start: new Date().toISOString(),
  }
  const begun = await removedDuring(id, 'sessions', () => gateway.post('terminal/sessions/begin/', session))
  expect(begun.status).toBe(201)
  const tasks = await gateway.get('terminal/tasks/?limit=100&is_finished=false')
  expect(JSON.stringify(tasks.body)).toContain(session.id)
  const again = await gateway.post('terminal/sessions/begin/', { ...session, id: randomUUID() })
  expect(again.status).toBe(400)
})
