/** People as the tests of domains need them: made by somebody, and signed in. */
import { defaultOrgId, permissionId } from '@sallyport/contract'
import type { PermissionName } from '@sallyport/contract/rbac/permissions'
import { expect } from 'vitest'
import type { TestBody, TestClient, TestSystem } from './testing.ts'

export interface TestPerson {
  id: string
  username: string
  password: string
  row: TestBody
  /** Signed in anew, as another browser of this person. */
  signedIn(): Promise<TestClient>
}

/** Theirs, unless said otherwise. */
export const password = 'A-password-of-9'
let made = 0

/** Says again who is there, by password. */
export const confirm = async (client: TestClient, secret_key: string): Promise<void> => {
  const answer = await client.post('authentication/confirm/', { confirm_type: 'password', secret_key })
  expect(answer.status).toBe(200)
}

/** Somebody new, made in the default organization by the first administrator unless said otherwise. */
export async function addPerson(
  system: TestSystem,
  by: TestClient,
  fields: { username?: string } & Record<string, unknown> = {},
  org = defaultOrgId,
): Promise<TestPerson> {
  const username = fields.username ?? `somebody${++made}`
  const answer = await by.post(
    'users/users/',
    {
      name: username,
      username,
      email: `${username}@example.com`,
      password_strategy: 'custom',
      password,
      ...fields,
    },
    { org },
  )
  expect(answer).toMatchObject({ status: 201 })
  return {
    id: String(answer.body['id']),
    username,
    password,
    row: answer.body,
    signedIn: async () => {
      const client = system.client()
      expect((await client.signIn(username, password)).status).toBe(200)
      return client
    },
  }
}

/** Somebody new with a role of the system that gives these permissions, signed in. */
export async function addHolder(
  system: TestSystem,
  by: TestClient,
  ...permissions: PermissionName[]
): Promise<TestClient> {
  const name = `Role of somebody${made + 1}`
  const role = await by.post('rbac/system-roles/', {
    name,
    scope: 'system',
    permissions: permissions.map((one) => permissionId(one)),
  })
  expect(role).toMatchObject({ status: 201 })
  return await (await addPerson(system, by, { system_roles: [String(role.body['id'])] })).signedIn()
}
