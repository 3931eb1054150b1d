/** People as the tests of domains need them: made by somebody, and signed in. */
import { defaultOrgId } from '@sallyport/contract'
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
