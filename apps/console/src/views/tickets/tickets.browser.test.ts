import {
  ApplyCommandTicket,
  ApplyLoginAssetTicket,
  ApplyLoginTicket,
  Ticket,
  TicketComment,
} from '@sallyport/contract/resources/tickets'
import { beforeEach, expect, test } from 'vitest'
import type { Row } from '../../kit/api/resource.ts'
import { consolePage } from '../../testing/console-page.ts'
import { serveRows } from '../../testing/fixture-rows.ts'

const id = '7d1c0000-0000-4000-8000-000000000001'
const tickets = `/api/v1/${Ticket.path}/`
const approve = `/api/v1/${ApplyLoginTicket.path}/${id}/approve/`
const comments = `/api/v1/${TicketComment.path}/`

const at = consolePage((fixture) => {
  fixture.profile.perms = [...fixture.profile.perms, 'tickets.view_ticket']
})

const names = ['Ann(ann)', 'Bob(bob)', 'Cleo(cleo)', 'Dan(dan)', 'Eve(eve)']
const choice = (value: string | number, label: string) => ({ value, label })
let row: Row
let said: { id: string; body: string; user_display: string; date_created: string }[]
beforeEach(() => {
  const { fixture } = at
  said = []
  const date = '2026/03/20 10:11:12 +0000'
  const step = { state: 'pending', processor: '', processor_display: '', approval_date: date }
  row = {
    id,
    title: 'Login confirm Guest(guest)',
    comment: '',
    serial_num: '202603200001',
    process_map: [{ ...step, approval_level: 1, assignees: [fixture.profile.id], assignees_display: names }],
    approval_step: choice(1, 'One level'),
    type: choice('login_confirm', 'Login confirm'),
    state: choice('pending', 'Open'),
    status: choice('open', 'Open'),
    applicant: { id: '7d1c0000-0000-4000-8000-0000000000aa', name: 'Guest' },
    org_id: '00000000-0000-0000-0000-000000000000',
    org_name: 'GLOBAL',
    rel_snapshot: { applicant: 'Guest(guest)' },
    apply_login_ip: '192.0.2.7',
    apply_login_city: 'LAN',
    apply_login_datetime: date,
    date_created: date,
    date_updated: date,
  }
  for (const resource of [Ticket, ApplyLoginTicket]) {
    serveRows(fixture, resource, [row])
    fixture.answers.set(`GET /api/v1/${resource.path}/${id}/`, () => ({ body: row }))
  }
  fixture.answers.set(`GET ${comments}`, () => ({ body: said }))
  fixture.answers.set(`POST ${comments}`, ({ body }) => {
    const made = {
      id: String(said.length),
      user_display: 'Me(me)',
      date_created: date,
      ...(body as { body: string }),
    }
    said.push(made)
    return { status: 201, body: made }
  })
  fixture.answers.set(`PUT ${approve}`, () => {
    Object.assign(row, { state: choice('approved', 'Approved'), status: choice('closed', 'Finished') })
    return { body: 'ok' }
  })
})
const asked = (path: string) => at.fixture.requests.filter((request) => request.path === path)

test('the header leads to the tickets that wait, with how many there are', async () => {
  await at.open('/ui/workbench/home')
  await at.page.getByRole('link', { name: 'Tickets: 1 open' }).click()
  await at.page.getByRole('heading', { name: 'Awaiting my approval' }).waitFor()
  const [badge] = asked(tickets)
  expect(Object.fromEntries(badge?.query ?? [])).toMatchObject({
    assignees__id: at.fixture.profile.id,
    state: 'pending',
    limit: '1',
  })
})

test.each([
  ['tickets are switched off', () => (at.fixture.settings.TICKETS_ENABLED = false)],
  ['there is no valid licence', () => (at.fixture.settings.XPACK_LICENSE_IS_VALID = false)],
  ['somebody may not see tickets', () => (at.fixture.profile.perms = ['rbac.view_workbench'])],
])('the header says nothing of tickets where %s', async (_when, change) => {
  change()
  await at.open('/ui/workbench/home')
  await at.page.getByRole('heading', { name: 'Overview' }).waitFor()
  expect(await at.page.getByRole('link', { name: /^Tickets/ }).count()).toBe(0)
  expect(asked(tickets)).toEqual([])
})

test('the view begins with my tickets, the open ones first of all', async () => {
  await at.open('/ui/tickets')
  await at.page.getByRole('heading', { name: 'My tickets' }).waitFor()
  await at.page.getByText('Status: Open').waitFor()
  expect(Object.fromEntries(asked(tickets).at(-1)?.query ?? [])).toMatchObject({
    applicant: at.fixture.profile.id,
    status: 'open',
  })
  await at.page
    .getByRole('button', { name: /Remove|Clear/ })
    .first()
    .click()
  await expect.poll(() => asked(tickets).at(-1)?.query.has('status')).toBe(false)
})

test('a ticket that comes while one looks is listed and counted at once, as its message is', async () => {
  const listed = at.fixture.answers.get(`GET ${tickets}`)
  at.fixture.answers.set(`GET ${tickets}`, () => ({ body: { count: 0, results: [] } }))
  at.fixture.setUnread(1)
  await at.open('/ui/tickets/assigned-tickets')
  await at.page.getByText('Total 0').waitFor()
  // The socket is open once it has told of those before.
  await at.page.getByRole('button', { name: 'Site messages: 1 unread' }).waitFor()
  if (listed) at.fixture.answers.set(`GET ${tickets}`, listed)
  at.fixture.setUnread(2)
  await at.page.getByRole('link', { name: 'Login confirm Guest(guest)' }).waitFor()
  await at.page.getByRole('link', { name: 'Tickets: 1 open' }).waitFor()
})

test('a ticket is accepted with a word, from the address a mail names', async () => {
  await at.open(`/ui/#/tickets/tickets/${id}?type=login_confirm`)
  await at.page.getByRole('heading', { name: 'Ticket detail: Login confirm Guest(guest)' }).waitFor()
  await at.page.getByText('192.0.2.7').waitFor()
  expect(await at.page.getByText('Eve(eve)').count()).toBe(0)
  await at.button('View more assignees').click()
  await at.page.getByRole('dialog').getByText('Eve(eve)').waitFor()
  await at.page.keyboard.press('Escape')
  await at.page.getByLabel('Reply').fill('I know them')
  expect(await at.button('Close').count()).toBe(0)
  await at.button('Accept').click()
  await expect.poll(() => at.sentTo('POST', comments)).toEqual({ body: 'I know them', ticket: id })
  await expect.poll(() => asked(approve)).toHaveLength(1)
  await expect.poll(() => at.button('Reply').isDisabled()).toBe(true)
})

test('nothing is said of a ticket that somebody else has decided meanwhile, and the page shows who did', async () => {
  at.fixture.answers.set(`PUT ${approve}`, () => {
    Object.assign(row, { state: choice('rejected', 'Rejected'), status: choice('closed', 'Finished') })
    const [step] = row['process_map'] as object[]
    row['process_map'] = [{ ...step, state: 'rejected', processor_display: 'Frank(frank)' }]
    return { status: 400, body: { detail: 'This ticket is closed already.', code: 'ticket_closed' } }
  })
  await at.open(`/ui/#/tickets/tickets/${id}?type=login_confirm`)
  await at.page.getByLabel('Reply').fill('I know them')
  await at.button('Accept').click()
  await at.page.getByText('This ticket is closed already.').waitFor()
  await expect.poll(() => at.button('Reply').isDisabled()).toBe(true)
  await at.page.getByText('Frank(frank)').waitFor()
  expect(await at.page.getByLabel('Reply').inputValue()).toBe('I know them')
  expect(at.fixture.requests.filter(({ method, path }) => method === 'POST' && path === comments)).toEqual([])
})

test('a reply that is half written is not lost by a link, and asked for no more once it is sent', async () => {
  await at.open(`/ui/#/tickets/tickets/${id}?type=login_confirm`)
  await at.page.getByLabel('Reply').fill('I know')
  const leave = () => at.page.getByRole('link', { name: 'My tickets' }).first().click()
  await leave()
  const question = at.page.getByRole('dialog', { name: 'Discard your changes?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  expect(await at.page.getByLabel('Reply').inputValue()).toBe('I know')
  await at.button('Reply').click()
  await at.page.getByText('I know', { exact: true }).waitFor()
  await leave()
  await at.page.getByRole('heading', { name: 'My tickets' }).waitFor()
})

test('a reply that is half written is not lost by another tab', async () => {
  at.fixture.profile.perms = [...at.fixture.profile.perms, 'audits.view_activitylog']
  await at.open(`/ui/#/tickets/tickets/${id}?type=login_confirm`)
  await at.page.getByLabel('Reply').fill('I know')
  const activity = at.page.getByRole('tab', { name: 'Activity' })
  await activity.click()
  const question = at.page.getByRole('dialog', { name: 'Discard your changes?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  expect(await at.page.getByLabel('Reply').inputValue()).toBe('I know')
  await activity.click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await at.page.getByLabel('Reply').waitFor({ state: 'detached' })
  expect(await question.count()).toBe(0)
  await at.page.getByRole('tab').first().click()
  await at.page.getByLabel('Reply').waitFor()
  expect(await at.page.getByLabel('Reply').inputValue()).toBe('')
})

test('the focus stays with what is said: on a reply that was sent, and on the messages once it is decided', async () => {
  await at.open(`/ui/#/tickets/tickets/${id}?type=login_confirm`)
  const isFocused = (what: ReturnType<typeof at.button>) =>
    what.evaluate((element) => element === document.activeElement)
  await at.page.getByLabel('Reply').fill('Wait')
  await at.button('Reply').press('Enter')
  await at.page.getByText('Wait', { exact: true }).waitFor()
  await expect.poll(() => isFocused(at.button('Reply'))).toBe(true)
  await at.button('Accept').press('Enter')
  await expect.poll(() => at.button('Reply').isDisabled()).toBe(true)
  await expect.poll(() => isFocused(at.page.getByRole('group', { name: 'Message' }))).toBe(true)
})

test.each([
  [
    'login_asset_confirm',
    'login-host-confirm',
    ApplyLoginAssetTicket,
    {
      apply_login_user: { id: 'u', name: 'Guest' },
      apply_login_asset: { id: 'a', name: 'web-1' },
      apply_login_account: 'root',
    },
    ['web-1', 'root'],
  ],
  [
    'command_confirm',
    'command-confirm',
    ApplyCommandTicket,
    {
      apply_run_user: { id: 'u', name: 'Guest' },
      apply_run_asset: 'web-1(192.0.2.1)',
      apply_run_account: 'root(root)',
      apply_run_command: 'rm -rf /srv/<b>x</b>',
      apply_from_session: { id: '7d1c0000-0000-4000-8000-0000000000dd' },
      apply_from_cmd_filter_acl: { id: 'f', name: 'Ask first' },
    },
    ['web-1(192.0.2.1)', 'rm -rf /srv/<b>x</b>', 'Ask first'],
  ],
])(
  'a ticket of the type %s says what is asked, on the page %s',
  async (type, path, resource, facts, texts) => {
    Object.assign(row, { type: choice(type, type), ...facts })
    serveRows(at.fixture, resource, [row])
    at.fixture.answers.set(`GET /api/v1/${resource.path}/${id}/`, () => ({ body: row }))
    await at.open(`/ui/#/tickets/tickets/${id}?type=${type}`)
    await at.page.waitForURL(new RegExp(`/tickets/tickets/${path}/${id}`, 'u'))
    await at.page.getByRole('heading', { name: `Ticket detail: ${String(row['title'])}` }).waitFor()
    for (const text of texts) await at.page.getByText(text, { exact: true }).first().waitFor()
  },
)

test('who approved a connection sees the session that came of it, and ends or watches it', async () => {
  const sessionId = '7d1c0000-0000-4000-8000-0000000000dd'
  const approved = {
    type: choice('login_asset_confirm', 'Login asset confirm'),
    state: choice('approved', 'Approved'),
    status: choice('closed', 'Finished'),
    apply_login_user: { id: 'u', name: 'Guest' },
    apply_login_asset: { id: 'a', name: 'web-1' },
    apply_login_account: 'root',
  }
  Object.assign(row, approved)
  serveRows(at.fixture, ApplyLoginAssetTicket, [row])
  at.fixture.answers.set(`GET /api/v1/${ApplyLoginAssetTicket.path}/${id}/`, () => ({ body: row }))
  let isThere = false
  const session = {
    id: sessionId,
    user: 'Guest(guest)',
    asset: 'web-1(192.0.2.1)',
    account: 'root(root)',
    protocol: 'ssh',
    remote_addr: '198.51.100.9',
    is_finished: false,
    can_join: true,
    can_terminate: true,
  }
  at.fixture.answers.set(`GET /api/v1/tickets/tickets/${id}/session/`, () =>
    isThere ? { body: session } : { status: 404, body: '' },
  )
  const kill = '/api/v1/terminal/tasks/kill-session-for-ticket/'
  at.fixture.answers.set(`POST ${kill}`, () => {
    Object.assign(session, { is_finished: true, can_join: false, can_terminate: false })
    return { body: { ok: [sessionId] } }
  })
  await at.open(`/ui/#/tickets/tickets/${id}?type=login_asset_confirm`)
  await at.page.getByText('web-1', { exact: true }).first().waitFor()
  expect(await at.page.getByText('198.51.100.9').count()).toBe(0)
  isThere = true
  await at.page.getByText('198.51.100.9').waitFor()
  await at.page.getByText('Running', { exact: true }).waitFor()
  const opened = at.page.context().waitForEvent('page')
  await at.button('Monitor').click()
  expect(new URL((await opened).url()).pathname + new URL((await opened).url()).search).toBe(
    `/luna/monitor/${sessionId}?ticket=${id}`,
  )
  await at.button('Terminate').click()
  await at.page.getByRole('dialog').getByRole('button', { name: 'Terminate' }).click()
  await at.page.getByText('Finished', { exact: true }).last().waitFor()
  expect(at.sentTo('POST', kill)).toMatchObject({ sessions: [sessionId] })
})
