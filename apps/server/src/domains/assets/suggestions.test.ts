/** What is offered to somebody who looks for a machine or a node by a few letters. */
import { defaultOrgId, rootOrgId } from '@sallyport/contract'
import { beforeAll, expect, test } from 'vitest'
import { startTestSystem, type TestClient } from '../../testing.ts'

const system = await startTestSystem()
const password = 'A-password-of-9'
let admin: TestClient
let ann: TestClient
let otherOrg = ''

async function addPerson(username: string): Promise<TestClient> {
  const email = `${username}@example.com`
  const person = { name: username, username, email, password_strategy: 'custom', password }
  expect((await admin.post('users/users/', person, { org: defaultOrgId })).status).toBe(201)
  const client = system.client()
  await client.signIn(username, password)
  return client
}

beforeAll(async () => {
  admin = await system.admin()
  otherOrg = String((await admin.post('orgs/orgs/', { name: 'Secret project' })).body['id'])
  for (const [org, name] of [
    [defaultOrgId, 'box-of-all'],
    [otherOrg, 'box-of-few'],
  ] as const)
    await admin.post('assets/hosts/', { name, address: '10.0.0.1', platform: 1 }, { org })
  ann = await addPerson('box-ann')
})

const offered = async (of: TestClient, list: string, org: string) =>
  (await of.get(`${list}/suggestions/?search=box`, { org })).body.map((row) => String(row['name']))

test('machines are suggested from the organizations one is in only, in whatever view', async () => {
  const own = ['box-of-all']
  expect(await offered(ann, 'assets/assets', rootOrgId)).toEqual(own)
  expect(await offered(ann, 'assets/assets', defaultOrgId)).toEqual(own)
  expect(await offered(ann, 'assets/assets', otherOrg)).toEqual([])
  expect(await offered(admin, 'assets/assets', rootOrgId)).toHaveLength(2)
})

test('nodes are suggested from the organizations one is in only', async () => {
  const roots = async (of: TestClient) =>
    (await of.get('assets/nodes/suggestions/', { org: rootOrgId })).body.map((row) => String(row['org_id']))
  expect(new Set(await roots(ann))).toEqual(new Set([defaultOrgId]))
  expect(await roots(admin)).toContain(otherOrg)
})
