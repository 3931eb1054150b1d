/** Rules about commands: which hold for a connection, in which order, and who is asked and told. */
import { randomUUID } from 'node:crypto'
import { begunSessionSchema } from '@sallyport/contract/gateway/books'
import { droppedFields } from '@sallyport/contract/gateway/dropped'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestSystem, type TestBody } from '../../testing.ts'
import { addPerson, type TestPerson } from '../../testing-people.ts'
import { everything, type Ground, layGround } from './testing.ts'

const system = await startTestSystem()
let at: Ground
let groupId: string
beforeAll(async () => {
  at = await layGround(system)
  const group = await at.admin.post('acls/command-groups/', { name: 'danger', content: 'rm\nshut  down' })
  groupId = String(group.body['id'])
})
beforeEach(async () => {
  await system.database.pool.query('delete from command_filter_acls')
  await system.database.pool.query('delete from login_counters')
})

const path = 'acls/command-filter-acls/'
const rule = (fields: Record<string, unknown> = {}) =>
  at.rule('command-filter-acls', { command_groups: [groupId], ...fields })
/** The names of the rules a session is begun with. */
const held = async (fields?: Record<string, unknown>): Promise<string[]> => {
  const { status, body } = await at.begin(fields)
  expect({ status, body }).toMatchObject({ status: 201 })
  const told = body['grant']?.['command_filter_acls'] as unknown as { name: string }[]
  return told.map(({ name }) => name)
}

test('a rule is on the wire as clients of the compatible system expect it', async () => {
  const chief = await addPerson(system, at.admin, { name: 'Chief' })
  const { status, body } = await at.admin.post(path, {
    name: 'prod',
    ...everything,
    accounts: { username_group: ['root'] },
    action: 'review',
    reviewers: [chief.id],
    command_groups: [groupId],
  })
  expect({ status, body }).toMatchObject({
    status: 201,
    body: {
      name: 'prod',
      users: { username_group: ['*'] },
      assets: { name_group: ['*'], address_group: ['*'] },
      accounts: { username_group: ['root'] },
      users_username_group: ['*'],
      assets_name_group: ['*'],
      assets_address_group: ['*'],
      accounts_username_group: ['root'],
      priority: 50,
      action: { value: 'review', label: 'Review' },
      reviewers: [{ id: chief.id, name: 'Chief' }],
      reviewers_amount: 1,
      command_groups: [{ id: groupId, name: 'danger' }],
      command_groups_amount: 1,
      is_active: true,
      comment: '',
      org_name: 'Default',
    },
  })
  const plain = await at.admin.post(path, { name: 'plain', users: {}, assets: {}, accounts: {} })
  expect(plain).toMatchObject({
    status: 201,
    body: { ...everything, action: { value: 'reject' }, priority: 50, command_groups: [], reviewers: [] },
  })
  expect((await at.admin.get(`${path}?name=prod`)).body).toHaveLength(1)
  expect(Object.keys((await at.admin.get(`${path}?name=prod&fields_size=mini`)).body[0] ?? {})).toEqual([
    'id',
    'name',
  ])
})

test.each([
  [{ users: undefined }, { users: ['This field is required.'] }],
  [{ users: { username_group: [] } }, { users: { username_group: [expect.any(String)] } }],
  [
    { assets: { name_group: ['*'], address_group: ['10.0.0.0/99'] } },
    { assets: { address_group: { 0: ['IP address invalid: `10.0.0.0/99`'] } } },
  ],
  ...['10.0.0.256', 'a b', '5', '10.0.0.1-10.0.0.999'].map((item): [object, object] => [
    { assets: { name_group: ['*'], address_group: ['*', item] } },
    { assets: { address_group: { 1: [`IP address invalid: \`${item}\``] } } },
  ]),
  [{ priority: 0 }, { priority: ['Ensure this value is greater than or equal to 1.'] }],
  [{ priority: 101 }, { priority: ['Ensure this value is less than or equal to 100.'] }],
  [{ action: 'explode' }, { action: ['"explode" is not a valid choice.'] }],
  [{ action: 'review' }, { reviewers: ['This field is required.'] }],
  [{ action: 'review', reviewers: [] }, { reviewers: [expect.any(String)] }],
  [{ command_groups: [randomUUID()] }, { command_groups: [expect.any(String)] }],
])('%j is refused at the field', async (fields, body) => {
  const answer = await at.admin.post(path, { name: 'bad', ...everything, ...fields })
  expect(answer).toMatchObject({ status: 400, body })
})

test('reviewers are members of the organization', async () => {
  const stranger = await addPerson(system, at.admin)
  await system.database.pool.query('delete from role_bindings where user_id = $1 and org_id is not null', [
    stranger.id,
  ])
  const fields = { name: 'bad', ...everything, action: 'review', reviewers: [stranger.id] }
  expect(await at.admin.post(path, fields)).toMatchObject({
    status: 400,
    body: { reviewers: [expect.any(String)] },
  })
})

test('a gateway gets the rules that hold for a connection and who reviews by them, the higher priority first', async () => {
  const chief = await addPerson(system, at.admin, { name: 'Chief' })
  await rule({ name: 'low', priority: 10 })
  await rule({ name: 'high', priority: 90, action: 'accept', reviewers: [chief.id] })
  await rule({ name: 'middle', action: 'warning' })
  await rule({ name: 'off', priority: 99, is_active: false })
  await rule({ name: 'empty', priority: 98, command_groups: [] })
  expect(await held()).toEqual(['high', 'middle', 'low'])
  const { body } = await at.begin()
  expect(droppedFields(begunSessionSchema, body)).toEqual([])
  expect(body['grant']?.['command_filter_acls']?.[0]).toEqual({
    id: expect.any(String),
    name: 'high',
    action: 'accept',
    priority: 90,
    is_active: true,
    reviewers: [{ id: chief.id, name: 'Chief' }],
    command_groups: [
      {
        id: groupId,
        name: 'danger',
        type: 'command',
        content: 'rm\nshut  down',
        ignore_case: true,
        pattern: String.raw`\brm\b|shut\s+down`,
      },
    ],
  })
  const token = await at.token()
  const taken = await at.take(token.body['id'])
  expect(
    (taken.body['command_filter_acls'] as unknown as { name: string }[]).map(({ name }) => name),
  ).toEqual(['high', 'middle', 'low'])
})

describe('a rule is about', () => {
  const about = (group: string, name: string, items: string[]) => ({
    [group]: { ...everything[group as keyof typeof everything], [name]: items },
  })
  test('people, assets and accounts by their names, and nobody else’s', async () => {
    const { body: asset } = await at.admin.get(`assets/hosts/${at.assetId}/`)
    await rule({ name: 'person', ...about('users', 'username_group', ['x', at.person.username]) })
    await rule({ name: 'other person', ...about('users', 'username_group', ['x']) })
    await rule({ name: 'asset', ...about('assets', 'name_group', [String(asset['name'])]) })
    await rule({ name: 'other asset', ...about('assets', 'name_group', ['x']) })
    await rule({ name: 'account', ...about('accounts', 'username_group', ['root']) })
    await rule({ name: 'other account', ...about('accounts', 'username_group', ['@INPUT']) })
    expect((await held()).toSorted()).toEqual(['account', 'asset', 'person'])
  })

  test.each([
    ['192.0.2.10', true],
    ['192.0.2.0/24', true],
    ['192.0.2.1-192.0.2.20', true],
    ['192.0.3.0/24', false],
    ['192.0.2.1', false],
    ['web.example.com', false],
    ['web_1', false],
  ])('the asset at its address, as %s: %s', async (item, expected) => {
    await rule({ name: 'there', ...about('assets', 'address_group', ['nowhere', item]) })
    expect(await held()).toEqual(expected ? ['there'] : [])
  })

  test('a typed account by its alias, and by what was typed', async () => {
    await rule({ name: 'root', ...about('accounts', 'username_group', ['root']) })
    await rule({ name: 'manual', ...about('accounts', 'username_group', ['@INPUT']) })
    const typed = (input_username: string) => held({ account: '@INPUT', input_username, input_secret: '' })
    expect((await typed('root')).toSorted()).toEqual(['manual', 'root'])
    expect(await typed('bob')).toEqual(['manual'])
  })

  test('its own organization', async () => {
    const { body: org } = await at.admin.post('orgs/orgs/', { name: 'Other' })
    const elsewhere = { org: String(org['id']) }
    const group = await at.admin.post('acls/command-groups/', { name: 'x', content: 'x' }, elsewhere)
    const fields = { name: 'elsewhere', ...everything, command_groups: [group.body['id']] }
    expect((await at.admin.post(path, fields, elsewhere)).status).toBe(201)
    expect(await held()).toEqual([])
    expect((await at.admin.post(path, fields)).status).toBe(400)
    await system.database.pool.query(`delete from command_filter_acls`)
    await system.database.pool.query(`delete from command_groups where name = 'x'`)
  })
})

test('a group that is deleted leaves its rules', async () => {
  const group = await at.admin.post('acls/command-groups/', { name: 'gone', content: 'x' })
  const id = await rule({ name: 'left', command_groups: [group.body['id'], groupId] })
  expect((await at.admin.delete(`acls/command-groups/${String(group.body['id'])}/`)).status).toBe(204)
  expect((await at.admin.get(`${path}${id}/`)).body).toMatchObject({
    command_groups: [{ name: 'danger' }],
    command_groups_amount: 1,
  })
})

describe('a command that wants a review', () => {
  let chief: TestPerson
  beforeAll(async () => {
    chief = await addPerson(system, at.admin, { name: 'Chief' })
  })
  const begun = async () => {
    const id = randomUUID()
    expect((await at.begin({ id })).status).toBe(201)
    return id
  }
  const ask = (session_id: string, cmd_filter_acl_id: string, run_command = 'rm -rf /', by = at.gateway) =>
    by.post(`${path}command-review/`, { session_id, cmd_filter_acl_id, run_command })
  const idOf = (body: TestBody) =>
    /super-tickets\/([\w-]+)\/status/.exec(String(body['check_ticket_api']?.['url']))?.[1]

  test('opens a ticket that its reviewers decide, while the gateway asks how it stands', async () => {
    const acl = await rule({ name: 'ask', action: 'review', reviewers: [chief.id] })
    const session = await begun()
    const command = `rm ${' '.repeat(4000)}; touch it`
    const { status, body } = await ask(session, acl, command)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        check_ticket_api: { method: 'GET' },
        close_ticket_api: { method: 'DELETE', url: body['check_ticket_api']?.['url'] },
        ticket_detail_page_url: expect.stringMatching(
          /\/ui\/#\/tickets\/tickets\/[\w-]+\?type=command_confirm$/,
        ),
        assignees: [`Chief(${chief.username})`],
      },
    })
    const ticket = idOf(body)
    const url = String(body['check_ticket_api']?.['url'])
    expect((await at.gateway.get(url)).body).toMatchObject({
      id: ticket,
      status: { value: 'open' },
      state: { value: 'pending' },
      processor: '',
    })
    const chiefHere = await chief.signedIn()
    expect((await chiefHere.get(`tickets/apply-command-tickets/${ticket}/`)).body).toMatchObject({
      title: `Command confirm (Ann(${at.person.username}))`,
      type: { value: 'command_confirm' },
      applicant: { id: at.person.id },
      apply_run_user: { id: at.person.id, name: 'Ann' },
      apply_run_asset: expect.stringContaining('192.0.2.10'),
      apply_run_account: 'root(root)',
      apply_from_session: { id: session },
      apply_from_cmd_filter_acl: { id: acl, name: 'ask' },
      rel_snapshot: { apply_run_user: `Ann(${at.person.username})` },
    })
    const told = (await chiefHere.get(`tickets/apply-command-tickets/${ticket}/`)).body
    expect(told['apply_run_command']).toBe(command)
    expect((await at.here.put(`tickets/tickets/${ticket}/approve/`)).status).toBe(403)
    expect((await chiefHere.put(`tickets/tickets/${ticket}/approve/`)).status).toBe(200)
    expect((await at.gateway.get(url)).body).toMatchObject({
      status: { value: 'closed' },
      state: { value: 'approved' },
      processor: `Chief(${chief.username})`,
    })
  })

  test('shows those who were asked the session of what was approved, and lets them end it', async () => {
    const acl = await rule({ action: 'review', reviewers: [chief.id] })
    const session = await begun()
    const ticket = idOf((await ask(session, acl)).body)
    const chiefHere = await chief.signedIn()
    const shown = () => chiefHere.get(`tickets/tickets/${ticket}/session/`)
    expect((await shown()).status).toBe(404)
    expect((await chiefHere.put(`tickets/tickets/${ticket}/approve/`)).status).toBe(200)
    expect(await shown()).toMatchObject({ status: 200, body: { id: session, can_terminate: true } })
    expect(await chiefHere.post('terminal/tasks/kill-session-for-ticket/', [session])).toMatchObject({
      status: 200,
      body: { ok: [session] },
    })
  })

  test('is put to nobody where it is too long to be shown whole', async () => {
    const acl = await rule({ action: 'review', reviewers: [chief.id] })
    expect(await ask(await begun(), acl, `rm ${' '.repeat(4200)}; touch it`)).toMatchObject({
      status: 400,
      body: { run_command: [expect.stringContaining('4090')] },
    })
  })

  test('is asked for, and looked at, by the gateway that carries the session alone', async () => {
    const acl = await rule({ action: 'review', reviewers: [chief.id] })
    const other = await system.component('another')
    const session = await begun()
    expect((await ask(session, acl, 'rm', other)).status).toBe(409)
    expect(await ask(randomUUID(), acl)).toMatchObject({
      status: 400,
      body: { session_id: ['Session Model object does not exist'] },
    })
    expect(await ask(session, randomUUID())).toMatchObject({
      status: 400,
      body: { cmd_filter_acl_id: [expect.stringContaining('Model object does not exist')] },
    })
    expect((await at.admin.post(`${path}command-review/`, {})).status).toBe(403)
    const { body } = await ask(session, acl)
    const url = String(body['check_ticket_api']?.['url'])
    expect((await other.get(url)).status).toBe(404)
    expect((await other.delete(url)).status).toBe(404)
    expect((await at.admin.get(url)).status).toBe(403)
    expect((await at.gateway.delete(url)).status).toBe(204)
    expect((await at.gateway.get(url)).body).toMatchObject({ state: { value: 'closed' } })
  })

  test('is refused where nobody is left who could decide', async () => {
    const acl = await rule({ action: 'review', reviewers: [chief.id, at.person.id] })
    await system.database.pool.query('delete from command_filter_acl_reviewers where user_id = $1', [
      chief.id,
    ])
    const answer = await ask(await begun(), acl)
    expect(answer).toMatchObject({ status: 400, body: { code: 'acl_review_unavailable' } })
  })

  test('is decided by nobody whom the rule does not name any more', async () => {
    const acl = await rule({ action: 'review', reviewers: [chief.id] })
    const ticket = idOf((await ask(await begun(), acl)).body)
    await at.admin.patch(`${path}${acl}/`, { is_active: false })
    const chiefHere = await chief.signedIn()
    expect((await chiefHere.put(`tickets/tickets/${ticket}/approve/`)).status).toBe(403)
  })
})

describe('of commands people are told', () => {
  const messages = async (person: TestPerson) =>
    JSON.stringify((await (await person.signedIn()).get('notifications/site-messages/')).body)
  const alert = async (fields: Record<string, unknown>) => {
    const session = randomUUID()
    await at.begin({ id: session })
    return await at.gateway.post('terminal/commands/insecure-command/', [
      { session, input: 'rm -rf /srv', risk_level: 4, ...fields },
    ])
  }

  test('those who review by the rule that warns or notifies', async () => {
    const chief = await addPerson(system, at.admin)
    for (const action of ['warning', 'notice']) {
      const acl = await rule({ name: `tells by ${action}`, action, reviewers: [chief.id] })
      expect((await alert({ cmd_filter_acl: acl })).status).toBe(200)
      expect(await messages(chief)).toContain(`tells by ${action}`)
    }
    expect(await messages(chief)).toContain('rm -rf /srv')
  })

  test('of dangerous ones those who subscribed, and nobody by a gateway that does not carry the session', async () => {
    const guard = await addPerson(system, at.admin)
    await at.admin.patch('notifications/system-msg-subscription/CommandAlertMessage/', { users: [guard.id] })
    expect((await alert({ risk_level: 4, input: 'harmless' })).status).toBe(200)
    expect(await messages(guard)).not.toContain('harmless')
    expect((await alert({ risk_level: 5, input: 'dangerous' })).status).toBe(200)
    expect(await messages(guard)).toContain('dangerous')
    const other = await system.component('a third')
    const session = randomUUID()
    await at.begin({ id: session })
    const sent = [{ session, input: 'not mine', risk_level: 5 }]
    expect((await other.post('terminal/commands/insecure-command/', sent)).status).toBe(409)
    expect(await messages(guard)).not.toContain('not mine')
  })

  test('of dangerous ones whoever the settings name, as long as that is switched on', async () => {
    const watch = await addPerson(system, at.admin)
    const page = 'settings/setting/?category=security'
    const named = { SECURITY_INSECURE_COMMAND_EMAIL_RECEIVER: `x@example.com, ${watch.username}@EXAMPLE.com` }
    expect(await at.admin.patch(page, named)).toMatchObject({ status: 200, body: named })
    await alert({ risk_level: 5, input: 'before it was on' })
    expect(await messages(watch)).not.toContain('before')
    expect((await at.admin.patch(page, { SECURITY_INSECURE_COMMAND: true })).status).toBe(200)
    await alert({ risk_level: 4, input: 'harmless' })
    await alert({ risk_level: 5, input: 'halt the machine' })
    expect(await messages(watch)).toContain('halt the machine')
    expect(await messages(watch)).not.toContain('harmless')
  })
})
