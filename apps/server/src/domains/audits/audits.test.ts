/** The books: every change is written down with its change, and read only by those who may. */
import { AssetPermission, defaultOrgId, LdapSettings, User, UserGroup } from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../kernel/context.ts'
import type { DomainEvent } from '../../kernel/events.ts'
import { route } from '../../kernel/http/route.ts'
import { startTestServer, otherOrgId } from '../../kernel/testing/http.ts'
import { createTestDatabase } from '../../kernel/testing/index.ts'
import { domain } from './index.ts'
import { keepBooks } from './recording.ts'

const database = await createTestDatabase()
const members = {
  ids: () => sql`select '7d1c0000-0000-4000-8000-000000000001'::uuid`,
  usernames: () => sql`select 'member'`,
  orgs: () => sql`select ${defaultOrgId}::uuid`,
  since: () => sql`'-infinity'::timestamptz`,
  isOfSystem: () => sql`false`,
}
/** Tells something of which the books keep nothing. */
const silentRoute = route({
  method: 'POST',
  path: '/api/v1/tests/silent/',
  byHand: 'no declaration is served without its records',
  access: 'valid_user',
  transaction: true,
  records: 'changes',
  handler: async (inside) => {
    await inside.db.execute(sql`insert into operate_logs ("user", action, resource_type, resource, org_id)
      values ('nobody', 'update', 'users.user', 'forged', ${defaultOrgId})`)
    await inside.emit({
      type: 'happened',
      name: 'sign_ins_ended',
      data: { session_ids: [], bearer_ids: [] },
    } as never)
  },
})
let app: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  app = await startTestServer(database, [domain(members), { name: 'silent', routes: [silentRoute] }])
})

const caller = { id: '7d1c0000-0000-4000-8000-000000000001', name: 'Ann', username: 'ann' }
const ctx = {
  db: database.db,
  identity: { ...caller, isComponent: false, isSuperAdmin: false, by: 'session', sessionId: undefined },
  org: { id: defaultOrgId, name: 'DEFAULT', is_root: false, is_default: true },
  remoteAddr: '192.0.2.7',
  told: { booked: 0, kept: false },
} as Partial<Context> as Context
const tell = (event: DomainEvent) => keepBooks(members)(ctx, [event])

type Body = Row[] & Row & { diff: { after: string }[] }
interface Row {
  id: string
  resource: string
  [name: string]: unknown
}
async function read(
  url: string,
  given: { as?: string; org?: string; language?: string } = {},
): Promise<{ status: number; body: Body }> {
  const answer = await app.inject({
    url: `/api/v1/audits/${url}`,
    headers: {
      authorization: `Test eve ${given.as ?? 'audits.view_operatelog audits.view_userloginlog audits.view_activitylog audits.view_passwordchangelog'}`,
      'x-jms-org': given.org ?? defaultOrgId,
      'accept-language': given.language ?? 'en',
      'x-tz': 'UTC',
    },
  })
  return { status: answer.statusCode, body: answer.json<Body>() }
}
const group = (more: Record<string, unknown>) => ({
  id: 'g1',
  name: 'ops',
  comment: '',
  users: [],
  org_id: defaultOrgId,
  ...more,
})

describe('what happened to an object', () => {
  it('is told of the last 30 times in both books, the last first', async () => {
    const id = '7d1c0000-0000-4000-8000-0000000000a1'
    const end = '2030-01-01T00:00:00Z'
    await database.db
      .execute(sql`insert into operate_logs ("user", action, resource_type, resource, resource_id, org_id, datetime)
        select 'Ann(ann)', 'update', 'users.user', '', ${id}, ${defaultOrgId}, ${end}::timestamptz - 2 * n * interval '1 min'
        from generate_series(0, 39) as n`)
    await database.db.execute(sql`insert into activities (resource_id, r_type, detail, org_id, datetime)
        select ${id}, 'T', '{"title": "Test"}', ${defaultOrgId}, ${end}::timestamptz - (2 * n + 1) * interval '1 min'
        from generate_series(0, 39) as n`)
    const { body } = await read(`activities/?resource_id=${id}`)
    const minutesAgo = body.map(
      (row) => (Date.parse(end) - Date.parse(`${String(row['timestamp'])}Z`)) / 60_000,
    )
    expect(minutesAgo).toEqual([...Array(30).keys()])
  })
})

describe('operate logs', () => {
  it('tell who changed what, field by field, in the words of the reader', async () => {
    await tell({
      type: 'updated',
      resource: UserGroup,
      id: 'group-1',
      before: group({ users: [{ id: 'u', name: 'Ann' }] }),
      after: group({
        comment: 'night shift',
        users: [
          { id: 'u', name: 'Ann' },
          { id: 'v', name: 'Bob' },
        ],
      }),
      secrets: [],
    })
    const { body: rows } = await read('operate-logs/?resource=ops')
    expect(rows).toMatchObject([
      {
        user: 'Ann(ann)',
        action: { value: 'update', label: 'Update' },
        resource_type: 'User group',
        resource: 'ops',
        remote_addr: '192.0.2.7',
        has_changes: true,
      },
    ])
    const id = rows[0]?.id ?? ''
    expect((await read(`operate-logs/${id}/?type=action_detail`)).body).toEqual({
      diff: [
        { field: 'Comment', before: 'empty', after: 'night shift' },
        { field: 'Users', before: 'Ann', after: 'Ann, Bob' },
      ],
    })
    expect((await read(`operate-logs/${id}/`, { language: 'zh' })).body.resource_type).toBe('用户组')
    // Its own page is told the same as the list.
    const { body: row } = await read(`operate-logs/${id}/`)
    expect(row).toEqual(rows[0])
    expect(row).toMatchObject({ summary: expect.stringMatching(/^Ann\(ann\) changed the user group ops/) })
  })

  it('tell in the words of the reader what became of somebody\u2019s second factor', async () => {
    const data = { user_id: 'ann', user: 'Zoe(zoe)', by: 'Ann(ann)', change: 'passkey_added' } as const
    await tell({ type: 'happened', name: 'mfa_changed', data })
    const { body: rows } = await read('operate-logs/?resource=Zoe(zoe)')
    const address = `operate-logs/${rows[0]?.id ?? ''}/?type=action_detail`
    expect((await read(address)).body.diff).toEqual([
      { field: 'MFA', before: 'empty', after: 'Passkey added' },
    ])
    expect((await read(address, { language: 'zh' })).body.diff).toMatchObject([{ after: '已添加通行密钥' }])
  })

  it('read like sentences, in the words of the reader', async () => {
    const person = { id: 'bob', name: 'bob', source: 'local', is_active: true }
    await tell({
      type: 'updated',
      resource: User,
      id: 'bob',
      before: person,
      after: { ...person, is_active: false },
      secrets: [],
    })
    await tell({ type: 'deleted', resource: User, id: 'bob', before: person, after: undefined, secrets: [] })
    await tell({
      type: 'called',
      resource: User,
      id: 'bob',
      call: 'unblock',
      action: 'update',
      before: person,
      after: person,
    })
    const { body } = await read('operate-logs/?resource=bob&order=datetime')
    expect(body.map((row) => String(row['summary'])).toSorted()).toEqual([
      'Ann(ann) deleted the user bob',
      'Ann(ann) disabled the user bob',
      'Ann(ann) used "Unlock" on the user bob',
    ])
    const after = { ...person, is_active: false, source: 'ldap' }
    await tell({
      type: 'updated',
      resource: User,
      id: 'eve',
      before: { ...person, name: 'eva' },
      after: { ...after, name: 'eva' },
      secrets: ['password'],
    })
    const both = await read('operate-logs/?resource=eva&fields=summary')
    expect(both.body).toEqual([{ summary: expect.stringMatching(/^Ann\(ann\) changed the user eva \(/) }])
    expect(String(both.body[0]?.['summary'])).toMatch(/Active.*Source|Source.*Active/)
    expect((await read('operate-logs/?limit=1&fields!=action')).status).toBe(200)
    const happened = await read('activities/?resource_id=bob', { language: 'ja' })
    expect(happened.body.map((row) => row['content'])).toContain('Ann(ann) がユーザー bob を無効にしました')
  })

  it('show what was chosen, yes and no, and times as the reader knows them', async () => {
    const grant = {
      id: 'grant',
      name: 'grant',
      actions: 1,
      is_active: true,
      date_expired: new Date('2030-05-10T12:00:00Z'),
    }
    const after = { ...grant, actions: 0, is_active: false, date_expired: new Date('2031-05-10T12:00:00Z') }
    const changed = { type: 'updated', id: 'grant', secrets: [] } as const
    await tell({ ...changed, resource: AssetPermission, before: grant, after })
    const person = { id: 'eve', name: 'eve', source: 'local' }
    await tell({ ...changed, resource: User, before: person, after: { ...person, source: 'ldap' } })
    const changesOf = async (resource: string) => {
      const { body } = await read(`operate-logs/?resource=${resource}`)
      return (await read(`operate-logs/${body[0]?.id}/?type=action_detail`)).body.diff
    }
    expect(await changesOf('grant')).toEqual([
      { field: 'Actions', before: 'Connect', after: 'empty' },
      { field: 'Active', before: 'Yes', after: 'No' },
      { field: 'Expires on', before: '2030/05/10 12:00:00 +0000', after: '2031/05/10 12:00:00 +0000' },
    ])
    expect(await changesOf('eve')).toEqual([{ field: 'Source', before: 'Local', after: 'LDAP/AD' }])
  })

  it('name what there is one of by its fields, and tell of names with values each that has another', async () => {
    const map = { username: 'uid', name: 'cn', email: 'mail', groups: 'memberOf' }
    await tell({
      type: 'updated',
      resource: LdapSettings,
      id: '',
      before: { AUTH_LDAP: false, AUTH_LDAP_USER_ATTR_MAP: map },
      after: { AUTH_LDAP: true, AUTH_LDAP_USER_ATTR_MAP: { ...map, username: 'mail', name: 'uid' } },
      secrets: [],
    })
    const { body } = await read('operate-logs/?search=LDAP settings')
    expect(body).toMatchObject([
      {
        resource: '[LDAP settings] User attributes, Enable LDAP authentication',
        summary: 'Ann(ann) changed the LDAP settings',
      },
    ])
    const { body: detail } = await read(`operate-logs/${body[0]?.id}/?type=action_detail`)
    expect(detail.diff).toContainEqual({
      field: 'User attributes',
      before: 'username uid; name cn',
      after: 'username mail; name uid',
    })
  })

  it('show stars for secrets and nothing for a save that changed nothing', async () => {
    await tell({
      type: 'updated',
      resource: UserGroup,
      id: 'same',
      before: group({ name: 'same' }),
      after: group({ name: 'same' }),
      secrets: [],
    })
    expect((await read('operate-logs/?resource=same')).body).toEqual([])
    await tell({
      type: 'updated',
      resource: UserGroup,
      id: 'sec',
      before: group({ name: 'sec' }),
      after: group({ name: 'sec' }),
      secrets: ['password'],
    })
    const { body } = await read('operate-logs/?resource=sec')
    const { body: detail } = await read(`operate-logs/${body[0]?.id}/?type=action_detail`)
    expect(detail.diff.map(({ after }) => after)).toEqual(['******'])
  })

  it('are demanded of every change: what tells only what the books do not keep is undone', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/tests/silent/',
      headers: { authorization: 'Test eve' },
    })
    expect(answer.statusCode).toBe(500)
    expect((await read('operate-logs/?resource=forged')).body).toEqual([])
  })

  it('stay within their organization and need their permission', async () => {
    const { body } = await read('operate-logs/?resource=Zoe(zoe)')
    const id = body[0]?.id ?? ''
    expect((await read('operate-logs/', { org: otherOrgId })).body).toEqual([])
    expect((await read(`operate-logs/${id}/?type=action_detail`, { org: otherOrgId })).status).toBe(404)
    expect((await read(`operate-logs/${id}/`, { as: 'audits.view_userloginlog' })).status).toBe(403)
    expect((await read('operate-logs/', { as: 'users.view_user' })).status).toBe(403)
  })

  it.each([
    ['User group', 'en'],
    ['User group', 'zh'],
    ['用户组', 'zh'],
    ['users.usergroup', 'en'],
  ])('are found by the kind of what was changed: %s, read in %s', async (kind, language) => {
    const path = `operate-logs/?resource_type=${encodeURIComponent(kind)}`
    const found = (await read(path, { language })).body
    expect(new Set(found.map((row) => row['resource_type']))).toEqual(
      new Set([language === 'en' ? 'User group' : '用户组']),
    )
    expect((await read('operate-logs/?resource_type=User', { language: 'en' })).body).not.toContainEqual(
      expect.objectContaining({ resource_type: 'User group' }),
    )
  })

  it('are found by parts of what they name: who, what, and the kind of it as the reader calls it', async () => {
    await tell({
      type: 'created',
      resource: AssetPermission,
      id: 'perm-1',
      after: { id: 'perm-1', name: 'Ended Yesterday', org_id: defaultOrgId },
      secrets: [],
    } as unknown as DomainEvent)
    const names = async (query: string, language = 'en') =>
      (await read(`operate-logs/?${query}&resource=Ended%20Yesterday`, { language })).body.map(
        ({ resource }) => resource,
      )
    for (const query of [
      'resource__icontains=ended%20yest',
      'resource_type__icontains=PERMISSION',
      'search=asset%20permission',
      'search=permission,created',
      'search=PERMISSION,create',
    ])
      expect(await names(query), query).toEqual(['Ended Yesterday'])
    expect(await names('resource_type__icontains=授权', 'zh')).toEqual(['Ended Yesterday'])
    expect(await names('search=授权,创建', 'zh')).toEqual(['Ended Yesterday'])
    expect(await names('user__icontains=ANN(&resource__icontains=yesterday')).toEqual(['Ended Yesterday'])
    for (const query of [
      'user__icontains=nobody',
      'resource_type__icontains=nothing',
      'search=permission,deleted',
    ])
      expect(await names(query), query).toEqual([])
  })

  it('are the activities of an object', async () => {
    expect((await read('activities/?resource_id=group-1')).body).toMatchObject([
      { content: 'Ann(ann) changed the user group ops', r_type: 'O' },
    ])
    expect((await read('activities/?resource_id=group-1&limit=1')).body).toMatchObject({
      count: 1,
      next: null,
      previous: null,
      results: [{ r_type: 'O' }],
    })
    expect((await read('activities/?resource_id=group-1', { as: 'audits.view_operatelog' })).status).toBe(403)
  })
})

describe('login logs', () => {
  const login = (data: { username: string; reason: string }) =>
    tell({
      type: 'happened',
      name: 'login',
      data: { type: 'W', ip: '10.0.0.9', user_agent: '', status: false, backend: 'Local', mfa: 2, ...data },
    })

  it('show reasons in words, and to an organization its members only', async () => {
    await login({ username: 'member', reason: 'password_failed' })
    await login({ username: 'stranger', reason: 'something else' })
    expect((await read('login-logs/')).body).toMatchObject([
      {
        username: 'member',
        city: 'LAN',
        reason_display: 'Wrong username or password',
        status: { value: false, label: 'Failed' },
        mfa: { value: 2, label: '-' },
      },
    ])
    const all = await read('login-logs/', { org: '00000000-0000-0000-0000-000000000000' })
    expect(all.body.map((row) => row['reason_display'])).toContain('something else')
    for (const city of ['LAN', 'lan'])
      expect((await read(`login-logs/?city=${city}`)).body, city).toMatchObject([{ city: 'LAN' }])
    expect((await read('login-logs/?city=Unknown')).body).toEqual([])
    for (const [said, shown] of [
      ['0', 1],
      ['false', 1],
      ['1', 0],
      ['True', 0],
    ] as const)
      expect((await read(`login-logs/?status=${said}`)).body, said).toHaveLength(shown)
    expect((await read('login-logs/?date_from=2999-01-01T00:00:00Z')).body).toEqual([])
  })

  it('are found by parts of a name, and by the reason and the method as they are read', async () => {
    for (const query of [
      'username__icontains=MEMB',
      'city__icontains=la',
      'search=wrong,username',
      'search=local',
      'search=lan',
    ])
      expect((await read(`login-logs/?${query}`)).body, query).toMatchObject([{ username: 'member' }])
    for (const query of ['username__icontains=nobody', 'city__icontains=unknown', 'search=passkey'])
      expect((await read(`login-logs/?${query}`)).body, query).toEqual([])
  })
})
