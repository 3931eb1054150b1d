/** Rules about who connects to which asset, on every way to a session. */
import { randomUUID } from 'node:crypto'
import { sessionFacts } from '@sallyport/contract/gateway/books'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestSystem, type TestBody, type TestClient } from '../../testing.ts'
import { addPerson, type TestPerson } from '../../testing-people.ts'
import { everything, type Ground, layGround } from './testing.ts'

const system = await startTestSystem()
let at: Ground
let chief: TestPerson
let chiefHere: TestClient
beforeAll(async () => {
  at = await layGround(system)
  chief = await addPerson(system, at.admin, { name: 'Chief' })
  chiefHere = await chief.signedIn()
})
beforeEach(async () => {
  await system.database.pool.query('delete from login_asset_acls')
  await system.database.pool.query('delete from login_counters')
})

const path = 'acls/login-asset-acls/'
const rule = (fields: Record<string, unknown> = {}) => at.rule('login-asset-acls', fields)
const reviewed = (fields: Record<string, unknown> = {}) =>
  rule({ action: 'review', reviewers: [chief.id], ...fields })
const superToken = (query = '') =>
  at.gateway.post(`authentication/super-connection-token/${query}`, {
    user: at.person.id,
    asset: at.assetId,
    account: 'root',
    protocol: 'ssh',
    connect_method: 'ssh',
  })
/** A token made before there was a rule. */
const earlier = async () => String((await at.token()).body['id'])

describe('a rule that rejects', () => {
  test('keeps from every way to a session, and says so', async () => {
    const token = await earlier()
    const used = await earlier()
    await rule()
    const refused = { status: 400, body: { code: 'acl_reject', detail: expect.any(String) } }
    expect(await at.token()).toMatchObject(refused)
    expect(await at.token('?create_ticket=1')).toMatchObject(refused)
    expect(await superToken()).toMatchObject(refused)
    expect(await at.begin()).toMatchObject(refused)
    expect(await at.take(token)).toMatchObject(refused)
    expect(await at.here.post('authentication/connection-token/exchange/', { id: used })).toMatchObject(
      refused,
    )
  })

  test('is lifted by one of a higher priority that accepts, and by switching it off', async () => {
    const low = await rule({ priority: 10 })
    const high = await rule({ priority: 90, action: 'accept' })
    expect((await at.begin()).status).toBe(201)
    await at.admin.patch(`${path}${high}/`, { accounts: { username_group: ['nobody'] } })
    expect((await at.begin()).status).toBe(400)
    await at.admin.patch(`${path}${low}/`, { is_active: false })
    expect((await at.begin()).status).toBe(201)
  })

  test('is about a typed account, too', async () => {
    await rule({ accounts: { username_group: ['root'] } })
    const typed = (input_username: string) => at.begin({ account: '@INPUT', input_username })
    expect((await typed('root')).status).toBe(400)
    expect((await typed('bob')).status).toBe(201)
  })

  test.each(['Root', 'ROOT', String.raw`CORP\root`, String.raw`.\Root`, 'root@corp.example', ' root'])(
    'is not passed by typing the account as %s',
    async (input_username) => {
      await rule({ accounts: { username_group: ['root'] } })
      expect(await at.begin({ account: '@INPUT', input_username })).toMatchObject({
        status: 400,
        body: { code: 'acl_reject' },
      })
    },
  )

  test('lets in by the very name only', async () => {
    await rule({ priority: 10 })
    await rule({ priority: 90, action: 'accept', accounts: { username_group: ['deploy'] } })
    const typed = (input_username: string) => at.begin({ account: '@INPUT', input_username })
    expect((await typed('deploy')).status).toBe(201)
    expect((await typed(String.raw`EVIL\deploy`)).status).toBe(400)
  })
})

describe('a rule that wants a review', () => {
  const ticketOf = (body: TestBody) =>
    /tickets\/tickets\/([\w-]+)\/$/.exec(String(body['from_ticket_info']?.['check_ticket_api']?.['url']))?.[1]
  const approve = (ticket: unknown) => chiefHere.put(`tickets/tickets/${String(ticket)}/approve/`)
  const check = (account_username = 'root') =>
    at.gateway.post('acls/login-asset/check/', {
      user_id: at.person.id,
      asset_id: at.assetId,
      account_username,
    })

  test('refuses a token without asking, and makes one that waits where asking is wanted', async () => {
    const id = await reviewed({ name: 'ask first' })
    for (const answer of [await at.token(), await superToken(), await at.begin()])
      expect(answer).toMatchObject({ status: 400, body: { code: 'acl_review' } })
    const { status, body } = await at.token('?create_ticket=1')
    const ticket = ticketOf(body)
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        is_active: false,
        from_ticket: ticket,
        from_ticket_info: {
          check_ticket_api: { method: 'GET', url: `/api/v1/tickets/tickets/${ticket}/` },
          close_ticket_api: { method: 'PUT', url: `/api/v1/tickets/tickets/${ticket}/close/` },
          ticket_detail_page_url: expect.stringContaining(
            `/ui/#/tickets/tickets/${ticket}?type=login_asset_confirm`,
          ),
          assignees: [`Chief(${chief.username})`],
        },
      },
    })
    expect((await at.take(body['id'])).status).toBe(400)
    expect((await chiefHere.get(`tickets/apply-login-asset-tickets/${ticket}/`)).body).toMatchObject({
      title: `Login asset confirm (Ann(${at.person.username}))`,
      type: { value: 'login_asset_confirm' },
      apply_login_user: { id: at.person.id, name: 'Ann' },
      apply_login_asset: { id: at.assetId },
      apply_login_account: 'root',
      rel_snapshot: { apply_login_asset: expect.stringContaining('192.0.2.10') },
    })
    expect(id).toBeTruthy()
  })

  test('lets a token through once a reviewer approved, who is never the applicant', async () => {
    await reviewed({ reviewers: [chief.id, at.person.id] })
    const { body } = await at.token('?create_ticket=1')
    const ticket = ticketOf(body)
    expect((await at.here.put(`tickets/tickets/${ticket}/approve/`)).status).toBe(403)
    expect((await approve(ticket)).status).toBe(200)
    expect((await at.here.get(`tickets/tickets/${ticket}/`)).body).toMatchObject({
      status: { value: 'closed' },
      state: { value: 'approved' },
    })
    expect(await at.take(body['id'])).toMatchObject({ status: 200, body: { from_ticket: ticket } })
    // An approval is for one connection.
    const again = await at.here.post('authentication/connection-token/exchange/', { id: body['id'] })
    expect(again).toMatchObject({ status: 400, body: { code: 'acl_review' } })
  })

  test('keeps a token that was rejected, or taken back, from ever working', async () => {
    await reviewed()
    for (const end of ['reject', 'close']) {
      const { body } = await at.token('?create_ticket=1')
      const by = end === 'reject' ? chiefHere : at.here
      expect((await by.put(`tickets/tickets/${ticketOf(body)}/${end}/`)).status).toBe(200)
      expect((await at.take(body['id'])).status).toBe(400)
    }
  })

  test('lets a gateway ask, wait, and begin one session with the approval', async () => {
    await reviewed()
    const { status, body } = await check()
    const ticket = String(body['ticket_id'])
    const url = `/api/v1/tickets/super-tickets/${ticket}/status/`
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        need_review: true,
        check_review_status: { method: 'GET', url },
        close_review: { method: 'DELETE', url },
        ticket_detail_url: expect.stringContaining('?type=login_asset_confirm'),
        reviewers: [`Chief(${chief.username})`],
      },
    })
    expect(await at.begin({ ticket })).toMatchObject({ status: 400, body: { code: 'acl_review' } })
    await approve(ticket)
    const id = randomUUID()
    expect(await at.begin({ id, ticket })).toMatchObject({
      status: 201,
      body: { grant: { from_ticket: ticket } },
    })
    // Asked again because the answer was lost: the same session.
    expect((await at.begin({ id, ticket })).status).toBe(201)
    expect(await at.begin({ ticket })).toMatchObject({ status: 400, body: { code: 'acl_review' } })
  })

  test('shows those who were asked the session that came of it, which they may read, watch and end', async () => {
    await reviewed()
    const ticket = String((await check()).body['ticket_id'])
    const sessionOf = (by: TestClient, org?: string) =>
      by.get(`tickets/tickets/${ticket}/session/`, org === undefined ? {} : { org })
    await approve(ticket)
    const notYet = await sessionOf(chiefHere)
    expect([notYet.status, notYet.bytes.length]).toEqual([404, 0])
    const id = randomUUID()
    const mayJoin = async () =>
      (await at.gateway.post('terminal/sessions/join/validate/', { user_id: chief.id, session_id: id })).body
    const killed = (by: TestClient, ids: unknown[]) => by.post('terminal/tasks/kill-session-for-ticket/', ids)
    expect((await at.begin({ id, ticket })).status).toBe(201)
    expect(await sessionOf(chiefHere)).toMatchObject({
      status: 200,
      body: { id, account: 'root(root)', protocol: 'ssh', can_join: true, can_terminate: true },
    })
    expect((await sessionOf(at.here)).status).toBe(200)
    expect((await sessionOf(at.admin)).status).toBe(404)
    const read = (by: TestClient, address: string) => by.get(`terminal/sessions/${address}`)
    expect(await read(chiefHere, `${id}/`)).toMatchObject({
      status: 200,
      body: { id, account: 'root(root)' },
    })
    for (const address of ['', `${id}/recording/`, `${id}/replay/`, `${randomUUID()}/`])
      expect([address, (await read(chiefHere, address)).status]).toEqual([address, 403])
    expect((await read(at.here, `${id}/`)).status).toBe(403)
    expect((await read(at.admin, `${randomUUID()}/`)).status).toBe(404)
    expect(await mayJoin()).toEqual({ ok: true, msg: '' })
    const other = randomUUID()
    await system.database.pool.query('delete from login_asset_acls')
    expect((await at.begin({ id: other })).status).toBe(201)
    expect((await read(chiefHere, `${other}/`)).status).toBe(403)
    expect(await killed(chiefHere, [id, other])).toMatchObject({ status: 403, body: {} })
    expect((await killed(at.here, [id])).status).toBe(403)
    expect(await killed(chiefHere, [id])).toMatchObject({ status: 200, body: { ok: [id] } })
    await system.database.pool.query('delete from ticket_assignees where ticket_id = $1', [ticket])
    expect(await mayJoin()).toMatchObject({ ok: false })
  })

  test('shows them the session a connection token began, and lets them end it', async () => {
    await reviewed()
    const { body } = await at.token('?create_ticket=1')
    const ticket = ticketOf(body)
    await approve(ticket)
    const grant = (await at.take(body['id'])).body
    const begun = (id: string) =>
      at.gateway.post('terminal/sessions/', {
        ...sessionFacts(grant as never, {
          id,
          type: 'normal',
          login_from: 'WT',
          remote_addr: '198.51.100.7',
          date_start: new Date().toISOString(),
        }),
        ticket: grant['from_ticket'],
      })
    const id = randomUUID()
    expect(await begun(id)).toMatchObject({ status: 201, body: { id } })
    expect(await chiefHere.get(`tickets/tickets/${ticket}/session/`)).toMatchObject({
      status: 200,
      body: { id, login_from: { value: 'WT' }, can_join: true, can_terminate: true },
    })
    expect(await chiefHere.post('terminal/tasks/kill-session-for-ticket/', [id])).toMatchObject({
      status: 200,
      body: { ok: [id] },
    })
    // One session: another that names the approval does not begin.
    const second = randomUUID()
    expect(await begun(second)).toMatchObject({ status: 400, body: { ticket: expect.anything() } })
    expect((await at.admin.get(`terminal/sessions/${second}/`)).status).toBe(404)
    expect((await at.begin({ ticket })).status).toBe(400)
  })

  test('is told by other components for which session it was', async () => {
    await reviewed()
    const ticket = String((await check()).body['ticket_id'])
    const opened = async (fields: Record<string, unknown> = {}) => {
      const made = await at.gateway.post('terminal/sessions/', {
        user: 'Ann',
        asset: 'web',
        account: 'root',
        user_id: at.person.id,
        asset_id: at.assetId,
        protocol: 'ssh',
        ...fields,
      })
      expect(made.status).toBe(201)
      return String(made.body['id'])
    }
    const session = await opened()
    const relate = (body: object, by: TestClient = at.gateway) =>
      by.post('tickets/ticket-session-relation/', body)
    expect((await relate({ ticket, session })).status).toBe(400)
    await approve(ticket)
    expect((await relate({ ticket, session: await opened({ user_id: chief.id }) })).status).toBe(400)
    expect((await relate({ ticket, session }, at.admin)).status).toBe(403)
    expect(await relate({ ticket, session })).toMatchObject({ status: 201, body: { ticket, session } })
    expect((await relate({ ticket, session })).status).toBe(201)
    expect((await relate({ ticket, session: await opened() })).status).toBe(400)
    expect((await chiefHere.get(`tickets/tickets/${ticket}/session/`)).body).toMatchObject({ id: session })
  })

  test('takes an approval of that person, asset and account alone, for some minutes', async () => {
    await reviewed()
    const other = await layGround(system)
    const approved = async () => {
      const ticket = String((await check()).body['ticket_id'])
      await approve(ticket)
      return ticket
    }
    const ticket = await approved()
    expect(await other.begin({ ticket })).toMatchObject({ status: 400, body: { code: 'acl_review' } })
    const typed = { ticket, account: '@INPUT', input_username: 'bob' }
    expect(await at.begin(typed)).toMatchObject({ status: 400, body: { code: 'acl_review' } })
    await system.database.pool.query('update tickets set date_expired = now() where id = $1', [ticket])
    expect(await at.begin({ ticket })).toMatchObject({ status: 400, body: { code: 'acl_review' } })
    const second = await approved()
    await system.database.pool.query('delete from login_asset_acl_reviewers')
    expect(await at.begin({ ticket: second })).toMatchObject({ status: 400, body: { code: 'acl_review' } })
  })

  test('denies where nobody is left who could approve', async () => {
    await reviewed()
    await system.database.pool.query('delete from login_asset_acl_reviewers')
    for (const answer of [await at.token('?create_ticket=1'), await check()])
      expect(answer).toMatchObject({ status: 400, body: { code: 'acl_review_unavailable' } })
  })

  test('is asked about without effect where none decides', async () => {
    expect(await check()).toMatchObject({ status: 200, body: { need_review: false } })
    await reviewed({ accounts: { username_group: ['root'] } })
    expect((await check('bob')).body).toEqual({ need_review: false })
    const unknown = await at.gateway.post('acls/login-asset/check/', {
      user_id: randomUUID(),
      asset_id: at.assetId,
    })
    expect(unknown).toMatchObject({ status: 400, body: { user_id: ['User Model object does not exist'] } })
    expect((await at.admin.post('acls/login-asset/check/', {})).status).toBe(403)
  })

  test('is not asked about without end', async () => {
    await reviewed()
    const answers: number[] = []
    for (let asked = 0; asked < 12; asked++) answers.push((await check()).status)
    expect(answers.filter((status) => status === 200)).toHaveLength(10)
    expect((await check()).body).toMatchObject({ code: 'acl_review_too_often' })
  })
})

describe('a rule that lets through', () => {
  const messages = async (client: TestClient) =>
    JSON.stringify((await client.get('notifications/site-messages/')).body)

  test('and notifies tells its reviewers, of a warning the person, too', async () => {
    await rule({ name: 'just notify', action: 'notice', reviewers: [chief.id] })
    expect((await at.begin()).status).toBe(201)
    expect(await messages(chiefHere)).toContain('just notify')
    expect(await messages(at.here)).not.toContain('just notify')
    await rule({ name: 'also warn', priority: 90, action: 'warning', reviewers: [chief.id] })
    const { body } = await at.token()
    expect((await at.take(body['id'])).status).toBe(200)
    expect(await messages(chiefHere)).toContain('also warn')
    expect(await messages(at.here)).toContain('also warn')
  })

  test('tells the administrators where it names no reviewers', async () => {
    await rule({ name: 'nobody in particular', action: 'notice' })
    expect((await at.begin()).status).toBe(201)
    expect(await messages(at.admin)).toContain('nobody in particular')
  })
})

test('without a licence rules are read and deleted, not written, and hold', async () => {
  const id = await rule()
  expect(await at.admin.delete('xpack/license/detail/')).toMatchObject({ status: 204 })
  expect(await at.admin.post(path, { name: 'late', ...everything })).toMatchObject({
    status: 403,
    body: { code: 'license_required' },
  })
  expect((await at.admin.patch(`${path}${id}/`, { is_active: false })).status).toBe(403)
  expect((await at.admin.get(path)).body).toHaveLength(1)
  expect(await at.begin()).toMatchObject({ status: 400, body: { code: 'acl_reject' } })
})
