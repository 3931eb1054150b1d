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
  await dialog.getByRole('button', { name: 'Terminate' }).click()
  await at.page.getByText('The session is being ended').waitFor()
  expect(killed).toEqual([{ sessions: [sessionId], reason: 'Maintenance at noon' }])
})

test('a command leads to the replay of its session', async () => {
  await at.open('/ui/audit/sessions/command')
  await at.page.getByText('rm -rf /srv').waitFor()
  const opened = at.page.context().waitForEvent('page')
  await at.page.getByRole('button', { name: 'Replay' }).click()
  expect((await opened).url()).toBe(`${at.fixture.origin}/luna/replay/${sessionId}`)
})
