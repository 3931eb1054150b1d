import { Command, Session } from '@sallyport/contract/resources/terminal'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from '../../testing/browser.ts'
import { builtFolder } from '../../testing/built-folder.ts'
import { serveRows } from '../../testing/fixture-rows.ts'
import { type Fixture, startFixture } from '../../testing/fixture-server.ts'

const sessionId = '8d1c0000-0000-4000-8000-000000000001'

let browser: Browser
let fixture: Fixture
let page: Page

beforeAll(async () => {
  browser = await launchBrowser()
  fixture = await startFixture(builtFolder())
  fixture.isSignedIn = true
}, 60_000)

afterAll(async () => {
  await browser.close()
  await fixture.close()
})

beforeEach(async () => {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1600, height: 800 } })
  context.setDefaultTimeout(5000)
  await context.addCookies([{ name: 'jms_session_expire', value: 'age', url: fixture.origin }])
  page = await context.newPage()
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
})

test('an auditor ends a running session after being asked, and may only watch with the right to', async () => {
  const killed: unknown[] = []
  fixture.answers.set('POST /api/v1/terminal/tasks/kill-session/', ({ body }) => {
    killed.push(body)
    return { body: { ok: [sessionId] } }
  })
  await page.goto(`${fixture.origin}/ui/audit/sessions/sessions`)
  await page.getByRole('cell', { name: '1.5h' }).waitFor()
  expect(await page.getByRole('button', { name: 'Monitor' }).isDisabled()).toBe(true)

  await page.getByRole('button', { name: 'Terminate' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Terminate the session of Ben(ben) on web-01?').waitFor()
  expect(killed).toEqual([])
  await dialog.getByRole('button', { name: 'Terminate' }).click()
  await page.getByText('The session is being ended').waitFor()
  expect(killed).toEqual([[sessionId]])
})

test('a command leads to the replay of its session', async () => {
  await page.goto(`${fixture.origin}/ui/audit/sessions/command`)
  await page.getByText('rm -rf /srv').waitFor()
  const opened = page.context().waitForEvent('page')
  await page.getByRole('button', { name: 'Replay' }).click()
  expect((await opened).url()).toBe(`${fixture.origin}/luna/replay/${sessionId}`)
})
