import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedBrowser } from '../../testing/browser.ts'
import { FakeServer } from '../testing/api.ts'
import { sessionRow } from '../testing/rows.ts'

let worker: Page
let auditor: Page
let server: FakeServer

beforeAll(async () => {
  const browser = await sharedBrowser()
  server = new FakeServer()
  worker = await browser.newPage({ locale: 'en-US', viewport: { width: 1400, height: 900 } })
  auditor = await browser.newPage({ locale: 'en-US', viewport: { width: 900, height: 600 } })
}, 60_000)

afterAll(async () => {
  await worker?.close()
  await auditor?.close()
  await server?.stop()
})

const screenOf = (page: Page) => () =>
  page.evaluate(() =>
    [...document.querySelectorAll('.xterm-rows > div')]
      .map((row) => (row.textContent ?? '').trimEnd())
      .join('\n'),
  )

describe('the monitor page', () => {
  it('shows a session from its beginning and then as it goes on, types nothing into it, and can end it', async () => {
    const origin = await server.start()
    await worker.goto(`${origin}/luna/`)
    await worker.getByRole('treeitem', { name: 'web-01' }).click()
    await expect.poll(screenOf(worker)).toMatch(/^\$/m)
    await worker.keyboard.type('echo early\n')
    await expect.poll(screenOf(worker)).toMatch(/\nearly/)
    const live = server.gateway.lastSession
    server.sessions.set(
      live.id,
      sessionRow(live.id, { user: 'Bob(bob)', can_join: true, can_terminate: true, is_finished: false }),
    )

    await auditor.goto(`${origin}/luna/monitor/${live.id}`)
    await expect.poll(screenOf(auditor)).toMatch(/\nearly/)
    await auditor.getByText('Live', { exact: true }).waitFor()
    // Who looks, and not who is looked at.
    const watermark = await auditor.locator('.watermark').getAttribute('style')
    expect(decodeURIComponent(watermark ?? '')).toMatch(/>Ann\(ann\)<.*>web-01\(10\.1\.1\.5\)</u)
    await worker.keyboard.type('echo later\n')
    await expect.poll(screenOf(auditor)).toMatch(/\nlater/)

    await auditor.locator('.terminal-pane').click()
    await auditor.keyboard.type('rm -rf nothing\n')
    await worker.keyboard.type('echo after-all\n')
    await expect.poll(screenOf(auditor)).toMatch(/\nafter-all/)
    expect(live.typed.join('')).not.toContain('rm')
    // somebody else's wide terminal fits the smaller window
    const fits = await auditor.evaluate(() => {
      const [screen, stage] = [
        document.querySelector('.xterm-screen'),
        document.querySelector('.watch-stage'),
      ]
      return (screen?.clientWidth ?? 1) <= (stage?.clientWidth ?? 0)
    })
    expect(fits).toBe(true)

    await auditor.getByRole('button', { name: 'End session' }).click()
    const question = auditor.getByRole('dialog')
    await question.getByLabel(/^Reason/).fill('Maintenance at noon')
    await question.getByRole('button', { name: 'End session' }).click()
    await expect.poll(() => server.killed).toEqual([{ sessions: [live.id], reason: 'Maintenance at noon' }])
    live.end({ reason: 'killed', message: 'This session was ended by Eve' })
    await auditor.getByRole('alert').getByText('This session was ended by Eve').waitFor()
    await auditor.getByRole('link', { name: 'Replay it' }).waitFor()
  })
})
