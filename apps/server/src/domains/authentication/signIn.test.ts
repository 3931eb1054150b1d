import { defaultOrgId } from '@sallyport/contract'
import { describe, expect, test } from 'vitest'
import { adminPassword, startTestSystem } from '../../testing.ts'

const system = await startTestSystem()

describe('signing in', () => {
  test('the first administrator signs in and is told where to go', async () => {
    const client = system.client()
    const answer = await client.signIn('admin', adminPassword)
    expect(answer).toMatchObject({ status: 200, body: { next: '/' } })
    expect((await client.get('users/profile/')).body).toMatchObject({ username: 'admin', is_valid: true })
    expect((await client.get('orgs/orgs/current/')).body).toMatchObject({ id: defaultOrgId, name: 'Default' })
  })
})
