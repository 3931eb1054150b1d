import { randomUUID } from 'node:crypto'
import { defaultOrgId, roleIds } from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { startTestSystem, type TestClient } from '../../testing.ts'
import { begin, chunkOf, hangUp, link, listenOn, person, putChunk, until } from './testing.ts'

const system = await startTestSystem()
const { db } = system.database
const admin = await system.admin()
const org = defaultOrgId
const here = await listenOn(system.http)
const first = await system.component('first')
const second = await system.component('second')

/** Every documented call, with ids of nothing. */
async function everyCall(): Promise<{ method: string; path: string; url: string }[]> {
  const { body } = await admin.get('/api/swagger.json')
  return Object.entries(body['paths'] ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((name) => name !== 'parameters')
      .map((method) => ({
        method: method.toUpperCase(),
        path,
        url: path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-00000000dead'),
      })),
  )
}

describe('the key of a component', () => {
  test('opens what is on its list and nothing else, whatever roles it holds', async () => {
    const powerful = await system.component('powerful')
    await db.execute(sql`insert into role_bindings (user_id, role_id)
      select user_id, ${roleIds.systemAdmin}::uuid from terminals where name = 'powerful'`)
    const calls = await everyCall()
    expect(calls.length).toBeGreaterThan(150)
    const nobody = system.client()
    const open: string[] = []
    for (const { method, path, url } of calls) {
      const ask = async (client: TestClient) => (await client[method.toLowerCase() as 'post'](url, {})).status
      const status = await ask(powerful)
      // What anybody is answered the same needs no leave.
      if (status !== 403 && status !== (await ask(nobody))) open.push(`${method} ${path}`)
    }
    expect(open.toSorted()).toMatchInlineSnapshot(`
      [
        "DELETE /api/v1/tickets/super-tickets/{id}/status/",
        "GET /api/v1/authentication/super-connection-token/owner/",
        "GET /api/v1/perms/users/{user}/assets/",
        "GET /api/v1/perms/users/{user}/assets/{asset}/accounts/",
        "GET /api/v1/perms/users/{user}/direct/",
        "GET /api/v1/perms/users/{user}/nodes/",
        "GET /api/v1/perms/users/{user}/nodes/children-with-assets/tree/",
        "GET /api/v1/perms/users/{user}/nodes/{node}/assets/",
        "GET /api/v1/settings/public/",
        "GET /api/v1/terminal/host-keys/accepted/",
        "GET /api/v1/terminal/tasks/",
        "GET /api/v1/terminal/tasks/{id}/",
        "GET /api/v1/terminal/terminals/config/",
        "GET /api/v1/tickets/super-tickets/{id}/status/",
        "GET /api/v1/users/profile/",
        "PATCH /api/v1/authentication/super-connection-token/renewal/",
        "PATCH /api/v1/terminal/sessions/",
        "PATCH /api/v1/terminal/sessions/{id}/",
        "PATCH /api/v1/terminal/tasks/{id}/",
        "POST /api/v1/acls/command-filter-acls/command-review/",
        "POST /api/v1/acls/login-asset/check/",
        "POST /api/v1/authentication/super-connection-token/",
        "POST /api/v1/authentication/super-connection-token/secret/",
        "POST /api/v1/terminal/commands/",
        "POST /api/v1/terminal/commands/insecure-command/",
        "POST /api/v1/terminal/host-keys/own/",
        "POST /api/v1/terminal/host-keys/seen/",
        "POST /api/v1/terminal/probe-batches/{id}/claim/",
        "POST /api/v1/terminal/probe-batches/{id}/report/",
        "POST /api/v1/terminal/sessions/",
        "POST /api/v1/terminal/sessions/begin/",
        "POST /api/v1/terminal/sessions/{id}/recording/finish/",
        "POST /api/v1/terminal/sessions/{id}/recordings/{recording}/finish/",
        "POST /api/v1/terminal/status/",
        "POST /api/v1/terminal/terminals/status/",
        "POST /api/v1/tickets/ticket-session-relation/",
        "PUT /api/v1/terminal/sessions/",
        "PUT /api/v1/terminal/sessions/{id}/recording/chunks/{number}/",
        "PUT /api/v1/terminal/sessions/{id}/recordings/{recording}/chunks/{number}/",
      ]
    `)
  })

  test('resets nobody’s password and changes no grant', async () => {
    const { id } = await person(system, admin, 'somebody')
    const reset = await first.patch(`users/users/${id}/password/`, { password: 'Tr0ub4dor&4y' }, { org })
    expect(reset.status).toBe(403)
    expect((await first.post('perms/asset-permissions/', { name: 'mine' }, { org })).status).toBe(403)
    expect((await first.get('accounts/account-secrets/', { org })).status).toBe(403)
  })
})

test.each(['patch', 'put'] as const)(
  'a component ends several of its sessions in one call: %s',
  async (method) => {
    const sessions = [await begin(first), await begin(first)]
    const ended = sessions.map((id) => ({ id, is_finished: true, end_reason: 'idle' }))
    const answer = await first[method]('terminal/sessions/', ended)
    expect(answer).toMatchObject({ status: 200, body: sessions.map((id) => ({ id, is_finished: true })) })
    const foreign = [
      { id: await begin(first), is_finished: true },
      { id: await begin(second), is_finished: true },
    ]
    expect(await first[method]('terminal/sessions/', foreign)).toMatchObject({ status: 409 })
    const stays = (await admin.get(`terminal/sessions/${foreign[0]?.id}/`, { org })).body
    expect(stays).toMatchObject({ is_finished: false })
    expect((await admin[method]('terminal/sessions/', ended, { org })).status).toBe(403)
  },
)

test.each(['patch', 'put'] as const)(
  'an administrator comments on several components in one call: %s',
  async (method) => {
    const listed = (await admin.get('terminal/terminals/')).body
    const told = ['first', 'second'].map((name) => {
      const row = listed.find((one) => String(one['name']).startsWith(name))
      return Object.assign({}, row, { comment: `${name} by ${method}` })
    })
    const answer = await admin[method]('terminal/terminals/', told)
    expect(answer).toMatchObject({ status: 200, body: told.map(({ comment }) => ({ comment })) })
    expect((await admin.delete('terminal/terminals/?ids=x')).status).toBe(405)
  },
)

describe('sessions of another component', () => {
  const recordOf = (session: string) => ({
    id: randomUUID(),
    session,
    user: 'Ann(ann)',
    asset: 'web1',
    account: 'root',
    input: 'rm -rf /',
    output: '',
    risk_level: 5,
    org_id: org,
    timestamp: 1_700_000_000,
  })
  const ofAnother = { status: 409, body: { code: 'session_other_terminal' } }

  test('are not ended, recorded or written into by it', async () => {
    const session = await begin(first)
    const url = `terminal/sessions/${session}/`
    expect(await second.patch(url, { is_finished: true, end_reason: 'idle' })).toMatchObject(ofAnother)
    expect(await putChunk(second, session, 1, chunkOf('forged'))).toMatchObject(ofAnother)
    const finish = { chunks: 0, duration_ms: 0, bytes: 0 }
    expect(await second.post(`${url}recording/finish/`, finish)).toMatchObject(ofAnother)
    const own = await begin(second)
    const forged = await second.post('terminal/commands/', [recordOf(own), recordOf(session)])
    expect(forged).toMatchObject(ofAnother)
    expect((await second.post('terminal/commands/', [recordOf(randomUUID())])).status).toBe(404)
    expect((await admin.get(url, { org })).body).toMatchObject({
      is_finished: false,
      has_command: false,
      command_amount: 0,
    })
  })

  test('are not claimed by reporting them', async () => {
    const session = await begin(first)
    const standing = await link(second, here, 'boot-2')
    const own = await begin(second)
    standing.report([session, own])
    const stored = async (id: string) => (await admin.get(`terminal/sessions/${id}/`, { org })).body
    await until(5000, async () => {
      const { body } = await admin.get('terminal/terminals/?limit=10', { org })
      return (
        body['results']?.some(
          (row) => row['name'] === ('second' as never) && String(row['is_alive']) === 'true',
        ) ?? false
      )
    })
    expect(await stored(session)).toMatchObject({ terminal: { name: 'first' } })
    expect((await second.patch(`terminal/sessions/${session}/`, { is_finished: true })).status).toBe(409)
    await hangUp(standing)
  })

  test('are not told again under the same id', async () => {
    const session = await begin(first)
    await expect(begin(second, { id: session })).rejects.toThrow('another component')
  })
})
