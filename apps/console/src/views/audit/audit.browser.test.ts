import { LoginLog, OperateLog } from '@sallyport/contract/resources/audits'
import { Command, Session } from '@sallyport/contract/resources/terminal'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { serveRows } from '../../testing/fixture-rows.ts'

const sessionId = '8d1c0000-0000-4000-8000-000000000001'

const at = consolePage(
  (fixture) => {
    fixture.profile.perms.push('terminal.terminate_session', 'terminal.view_sessionreplay')
    serveRows(fixture, Session, [
      {
        id: sessionId,
        user: 'Ben(ben)',
        asset: 'web-01',
        account: 'root(root)',
        protocol: 'ssh',
        date_start: new Date(Date.now() - 5400_000).toISOString(),
        date_end: null,
        can_terminate: true,
        can_join: true,
        can_replay: true,
      },
    ])
    serveRows(fixture, Command, [
      {
        id: '9d1c0000-0000-4000-8000-000000000001',
        user: 'Ben(ben)',
        input: 'rm -rf /srv',
        output: "rm: cannot remove '/srv'",
        session: sessionId,
        timestamp: 1_790_000_000,
      },
      {
        id: '9d1c0000-0000-4000-8000-000000000002',
        user: 'Ben(ben)',
        input: 'ls /srv',
        output: 'backup.tar',
        session: sessionId,
      },
    ])
  },
  { widthPx: 1600 },
)

test('an auditor ends a running session after being asked why, and may only watch with the right to', async () => {
  const killed: unknown[] = []
  at.fixture.answers.set('POST /api/v1/terminal/tasks/kill-session/', ({ body }) => {
    killed.push(body)
    return { body: { ok: [sessionId] } }
  })
  await at.open('/ui/audit/sessions/sessions')
  await at.page.getByRole('cell', { name: '1.5h' }).waitFor()
  expect(await at.page.getByRole('button', { name: 'Monitor' }).isDisabled()).toBe(true)

  await at.page.getByRole('button', { name: 'Terminate' }).click()
  const dialog = at.page.getByRole('dialog')
  await dialog.getByText('Terminate the session of Ben(ben) on web-01?').waitFor()
  expect(killed).toEqual([])
  await dialog.getByLabel('Reason (optional)').fill('Maintenance at noon')
  await at.page.keyboard.press('Escape')
  expect(await dialog.getByLabel('Reason (optional)').inputValue()).toBe('Maintenance at noon')
  await dialog.getByRole('button', { name: 'Terminate' }).click()
  await at.page.getByText('The session is being terminated').waitFor()
  expect(killed).toEqual([{ sessions: [sessionId], reason: 'Maintenance at noon' }])
})

test('a command leads to the replay of its session, at the moment it was typed', async () => {
  await at.open('/ui/audit/sessions/command')
  await at.page.getByText('rm -rf /srv').waitFor()
  const opened = at.page.context().waitForEvent('page')
  await at.page.getByRole('button', { name: 'Replay' }).first().click()
  expect((await opened).url()).toBe(`${at.fixture.origin}/luna/replay/${sessionId}?timestamp=1790000000`)
})

test('a row of the operate logs reads like a sentence, and its changes are told in local time', async () => {
  const id = 'ad1c0000-0000-4000-8000-000000000001'
  const summary = 'Ann(ann) changed the asset permission Databases'
  const changed = {
    id,
    summary,
    user: 'Ann(ann)',
    action: { value: 'update', label: 'Update' },
    resource: 'Databases',
    remote_addr: '192.0.2.7',
    has_changes: true,
    datetime: '2030/05/10 12:00:00 +0000',
  }
  serveRows(at.fixture, OperateLog, [
    changed,
    {
      id: 'ad1c0000-0000-4000-8000-000000000002',
      summary: 'Ann(ann) logged in',
      user: 'Ann(ann)',
      action: { value: 'login', label: 'Login' },
      resource: 'Ann',
      remote_addr: '192.0.2.7',
      has_changes: false,
      datetime: '2030/05/10 11:00:00 +0000',
    },
  ])
  const diff = [
    { field: 'Date expired', before: '2030/05/10 12:00:00 +0000', after: '2031/05/10 12:00:00 +0000' },
  ]
  at.fixture.answers.set(`GET /api/v1/audits/operate-logs/${id}/`, ({ query }) => ({
    body: query.get('type') === 'action_detail' ? { diff } : changed,
  }))
  await at.open('/ui/audit/audits/operate-logs')
  await at.page.getByRole('cell', { name: summary }).waitFor()
  const offered = at.page.getByRole('button', { name: 'Changes' })
  expect(await offered.evaluateAll((all) => all.map((one) => (one as HTMLButtonElement).disabled))).toEqual([
    false,
    true,
  ])
  await offered.first().click()
  const changes = at.page.getByRole('dialog', { name: summary })
  await changes.getByRole('row', { name: 'Date expired' }).waitFor()
  const told = await changes.getByRole('row', { name: 'Date expired' }).textContent()
  expect(told).toContain('05/10/2031')
  expect(told).not.toContain('+0000')
  await at.page.keyboard.press('Escape')

  // Each has a page of its own, whose address can be handed on.
  await at.page.getByRole('link', { name: summary }).click()
  await at.page.waitForURL(new RegExp(`/audit/audits/operate-logs/${id}(?:[?]|$)`, 'u'))
  await at.page.getByRole('heading', { name: `Operation log: ${summary}` }).waitFor()
  await at.page.getByText('192.0.2.7').waitFor()
  await at.page.getByRole('button', { name: 'Changes' }).click()
  await at.page.getByRole('dialog', { name: summary }).getByRole('row', { name: 'Date expired' }).waitFor()
})

test('the period of a list is chosen by keyboard: from the usual ones, and as it is typed', async () => {
  serveRows(at.fixture, LoginLog, [])
  const days = () => {
    const { searchParams } = new URL(at.page.url())
    return (['date_from', 'date_to'] as const).map((name) => searchParams.get(name)?.slice(0, 10))
  }
  await at.open('/ui/audit/audits/login-logs')
  await at.page.getByRole('button', { name: 'Period' }).press('Enter')
  await at.page.getByRole('menuitem', { name: 'Last 24 hours' }).press('ArrowDown')
  await at.page.keyboard.press('ArrowDown')
  await at.page.keyboard.press('Enter')
  const monthAgo = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10)
  await expect.poll(() => days()[0]).toBe(monthAgo)
  const start = at.page.getByRole('textbox', { name: 'Start', exact: true })
  const end = at.page.getByRole('textbox', { name: 'End', exact: true })
  const [year, month, day] = monthAgo.split('-')
  await expect.poll(() => start.inputValue()).toContain(`${month}/${day}/${year}`)

  await at.page.keyboard.press('Tab')
  await at.page.keyboard.press('Control+A')
  await at.page.keyboard.type('2026-01-02 12:00:00')
  await at.page.keyboard.press('Enter')
  await expect.poll(() => days()[0]).toBe('2026-01-02')
  await at.page.keyboard.press('Escape')
  await at.page.keyboard.press('Tab')
  await expect.poll(() => end.evaluate((input) => input === document.activeElement)).toBe(true)
  await at.page.keyboard.press('Control+A')
  await at.page.keyboard.type('2/3/2026 12:00')
  await at.page.keyboard.press('Enter')
  await expect.poll(days).toEqual(['2026-01-02', '2026-02-03'])
  await expect.poll(() => start.inputValue()).toBe('01/02/2026 12:00:00 PM')
  await expect.poll(() => end.inputValue()).toBe('02/03/2026 12:00:00 PM')

  // A day that is typed is all of it, spelled at once.
  await at.page.keyboard.press('Control+A')
  await at.page.keyboard.type('2026-02-04')
  await at.page.keyboard.press('Enter')
  await expect.poll(() => end.inputValue()).toBe('02/04/2026 11:59:59 PM')
  await at.page.locator('.ant-picker-dropdown:visible').waitFor({ state: 'hidden' })
  await at.page.getByText('The list shows 01/02/2026 12:00:00 PM to 02/04/2026 11:59:59 PM.').waitFor()
  // So is the moment it is already.
  await at.page.keyboard.press('Control+A')
  await at.page.keyboard.type('2026-02-04 23:59:59')
  await start.focus()
  await expect.poll(() => end.inputValue()).toBe('02/04/2026 11:59:59 PM')
  await end.focus()
  await at.page.keyboard.press('Control+A')
  await at.page.keyboard.type('2/3/2026 12:00')
  await at.page.keyboard.press('Enter')
  await expect.poll(() => end.inputValue()).toBe('02/03/2026 12:00:00 PM')

  // What is no date is said to be none, and the list and all around it stay as they were.
  const search = at.page.getByRole('button', { name: 'Search by field' })
  const before = await search.boundingBox()
  await at.page.keyboard.press('Control+A')
  await at.page.keyboard.type('soon')
  await at.page.getByRole('alert').filter({ hasText: 'This is not a date.' }).waitFor()
  expect(await end.inputValue()).toBe('soon')
  expect(await search.boundingBox()).toEqual(before)
  expect(days()).toEqual(['2026-01-02', '2026-02-03'])
})

test('one end of the period of a list is picked, and the list shows what stands there', async () => {
  serveRows(at.fixture, LoginLog, [])
  await at.open('/ui/audit/audits/login-logs?date_from=2026-01-02T12:00:00Z&date_to=2026-01-08T12:00:00Z')
  const start = at.page.getByRole('textbox', { name: 'Start', exact: true })
  await start.click()
  await at.page.locator('.ant-picker-dropdown').getByText('5', { exact: true }).first().click()
  await at.page.getByRole('heading', { name: 'Login logs' }).click()
  await expect.poll(() => start.inputValue()).toBe('01/05/2026 12:00:01 AM')
  await expect.poll(() => new URL(at.page.url()).searchParams.get('date_from')).toContain('2026-01-05T')
})

test('who signed in, and who could not and why, is told in sentences', async () => {
  const login = { username: 'ben', type: { value: 'W', label: 'Web' }, ip: '192.0.2.9' }
  const status = (value: boolean) => ({ value, label: value ? 'Success' : 'Failed' })
  serveRows(at.fixture, LoginLog, [
    { ...login, id: sessionId, status: status(true), reason_display: '' },
    {
      ...login,
      id: '8d1c0000-0000-4000-8000-000000000002',
      status: status(false),
      reason_display: 'This account is expired',
    },
  ])
  await at.open('/ui/audit/audits/login-logs')
  await at.page.getByRole('link', { name: 'ben logged in from 192.0.2.9' }).waitFor()
  await at.page
    .getByRole('link', { name: 'ben could not log in from 192.0.2.9: This account is expired' })
    .waitFor()
})

test('the commands of a session are in a tab of it, and lead nowhere, as they have no page of their own', async () => {
  await at.open(`/ui/audit/sessions/sessions/${sessionId}`)
  await at.page.getByRole('heading', { name: 'Ben(ben)@web-01' }).waitFor()
  await at.page.getByRole('tab', { name: 'Commands' }).click()
  const row = at.page.getByRole('row').filter({ hasText: 'rm -rf /srv' })
  await row.waitFor()
  const asked = at.fixture.requests.findLast(({ path }) => path === '/api/v1/terminal/commands/')
  expect(asked?.query.get('session_id')).toBe(sessionId)
  expect(await row.getByRole('link').count()).toBe(0)
  const before = at.page.url()
  await row.press('Enter')
  expect(at.page.url()).toBe(before)
})

test('what a command answered unfolds below its row, by mouse and by keyboard', async () => {
  await at.open('/ui/audit/sessions/command')
  const row = at.page.getByRole('row').filter({ hasText: 'ls /srv' })
  const answer = at.page.getByText('backup.tar')
  await row.waitFor()
  expect(await answer.count()).toBe(0)
  const open = row.getByRole('button', { name: 'Detail', exact: true })
  await open.click()
  await answer.waitFor()
  expect(await open.getAttribute('aria-expanded')).toBe('true')
  await open.click()
  await answer.waitFor({ state: 'detached' })

  const first = at.page.getByRole('row').filter({ hasText: 'rm -rf /srv' }).first()
  await first.press('ArrowRight')
  await at.page.getByText("cannot remove '/srv'").waitFor()
  // The next row is the next command, not what was unfolded.
  await at.page.keyboard.press('ArrowDown')
  await at.page.keyboard.press('ArrowRight')
  await answer.waitFor()
  await at.page.keyboard.press('ArrowLeft')
  await answer.waitFor({ state: 'detached' })
})
