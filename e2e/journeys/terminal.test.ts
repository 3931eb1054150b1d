/** A person works in the browser's terminal; an auditor watches, ends, replays and finds it. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSshd, type TestSshd } from '@sallyport/ssh/testing/sshd'
import { openBrowser, signIn, type Visit } from '../src/browser.ts'
import { eventually } from '../src/processes.ts'
import { startSystem, type System } from '../src/system.ts'
import { addAccount, addHost, addPerson, grant, type Person } from '../src/world.ts'

const orgAuditorRole = '00000000-0000-0000-0000-000000000006'
const systemUserRole = '00000000-0000-0000-0000-000000000003'

let system: System
let sshd: TestSshd
let browser: Browser
let person: Person
let auditor: Person
let work: Visit
let watch: Visit

beforeAll(async () => {
  sshd = await startSshd()
  system = await startSystem()
  browser = await openBrowser()
  const host = await addHost(system.admin, { port: sshd.port, name: 'web-01' })
  await addAccount(system.admin, host.id, { username: sshd.username, privateKey: sshd.privateKey })
  person = await addPerson(system.admin)
  auditor = await addPerson(system.admin, { system_roles: [systemUserRole], org_roles: [orgAuditorRole] })
  await grant(system.admin, { users: [person.id], assets: [host.id] })
})
afterAll(async () => {
  await browser?.close()
  await system?.stop()
  await sshd?.stop()
})

/** What the visible terminal of a page shows. */
const screenOf = (page: Page) => page.locator('.xterm-rows:visible').first().innerText()
const shows = (page: Page, text: string | RegExp, timeoutMs = 15_000) =>
  eventually(
    `the terminal shows ${String(text)}`,
    async () => {
      const screen = await screenOf(page)
      return typeof text === 'string' ? screen.includes(text) : text.test(screen)
    },
    timeoutMs,
  )
const type = (page: Page, text: string) => page.keyboard.type(text, { delay: 5 })
const running = async () =>
  (
    await system.admin.get<{ results: { id: string }[] }>(
      '/api/v1/terminal/sessions/?is_finished=false&limit=15',
    )
  ).results

describe('a person with a granted host', () => {
  it('finds it among their assets and gets a shell', async () => {
    work = await signIn(browser, system, person, '/luna/')
    await work.page.getByRole('treeitem', { name: /web-01/ }).click()
    await shows(work.page, /\$/)
  })

  it('sees colours, wide characters and the size of their window', async () => {
    await type(work.page, 'clear; printf "\\e[31mred\\e[0m 中文 é 😀\\n"; stty size; echo $TERM\n')
    await shows(work.page, 'xterm-256color')
    const screen = await screenOf(work.page)
    expect(screen).toContain('中文 é 😀')
    const red = work.page.locator('.xterm-rows:visible span', { hasText: /^red$/ }).first()
    expect(await red.evaluate((element) => getComputedStyle(element).color)).not.toBe(
      await work.page
        .locator('.xterm-rows:visible')
        .first()
        .evaluate((element) => getComputedStyle(element).color),
    )
    const rows = /(\d+) (\d+)\n/.exec(screen)
    await work.page.setViewportSize({ width: 900, height: 600 })
    await type(work.page, 'clear; sleep 0.5; stty size; echo re""sized\n')
    await shows(work.page, 'resized')
    const smaller = /(\d+) (\d+)\n/.exec(await screenOf(work.page))
    expect(Number(smaller?.[2])).toBeLessThan(Number(rows?.[2]))
    await work.page.setViewportSize({ width: 1280, height: 800 })
  })

  it('works in vim and top', async () => {
    await type(work.page, 'clear; vim --clean +startinsert /tmp/sallyport-$$.txt\n')
    await shows(work.page, '-- INSERT --')
    await type(work.page, 'written in vim')
    await work.page.keyboard.press('Escape')
    await type(work.page, ':wq\n')
    await type(work.page, 'clear; cat /tmp/sallyport-$$.txt; rm /tmp/sallyport-$$.txt; top\n')
    await shows(work.page, /Tasks:/)
    await type(work.page, 'q')
    await type(work.page, 'clear; echo back-$((6*7))\n')
    await shows(work.page, 'back-42')
  })

  it('opens a second tab on the same host', async () => {
    await work.page.getByRole('treeitem', { name: /web-01/ }).click()
    await eventually('two sessions', async () => (await running()).length === 2)
    expect(await work.page.getByRole('tab').count()).toBe(2)
    await shows(work.page, /\$/)
    await type(work.page, 'exit\n')
    await eventually('one session', async () => (await running()).length === 1)
  })
})

describe('an auditor', () => {
  let sessionId: string

  it('sees the session live and watches it from its beginning', async () => {
    sessionId = (await running())[0]?.id ?? ''
    watch = await signIn(browser, system, auditor, '/ui/audit/sessions/sessions')
    await watch.page
      .getByRole('row', { name: /web-01/ })
      .first()
      .waitFor()
    await watch.page.goto(`${system.origin}/luna/monitor/${sessionId}`)
    await shows(watch.page, 'back-42')
    await work.page.getByRole('tab').first().click()
    await type(work.page, 'echo seen-$((40+2))-live\n')
    await shows(watch.page, 'seen-42-live')
  })

  it('ends it, and the person is told by whom', async () => {
    await watch.page.getByRole('button', { name: 'End session' }).click()
    await watch.page.getByRole('dialog').getByRole('button').last().click()
    await shows(work.page, 'This session was ended by')
    expect(await screenOf(work.page)).toContain(auditor.username)
    await eventually('closed on the books', async () => (await running()).length === 0)
  })

  it('replays it afterwards, with seek and speed', async () => {
    await watch.page.goto(`${system.origin}/luna/replay/${sessionId}`)
    const seek = watch.page.getByRole('slider')
    await seek.waitFor()
    await watch.page.getByRole('combobox').selectOption({ label: '8×' })
    await seek.focus()
    await watch.page.keyboard.press('End')
    await shows(watch.page, 'seen-42-live')
    await watch.page.keyboard.press('Home')
    await eventually('the beginning', async () => !(await screenOf(watch.page)).includes('seen-42-live'))
  })

  it('finds it by a command that was typed', async () => {
    await watch.page.goto(`${system.origin}/ui/audit/sessions/command?search=seen`)
    await watch.page
      .getByRole('row', { name: /echo seen-\$\(\(40\+2\)\)-live/ })
      .first()
      .waitFor()
  })

  it('sees nothing it may not: no console, no accounts', async () => {
    const answer = await watch.page.evaluate(async () => (await fetch('/api/v1/accounts/accounts/')).status)
    expect(answer).toBe(403)
  })

  it('neither page complained', () => {
    expect([...work.complaints, ...watch.complaints]).toEqual([])
  })
})

it('a person without the right to it can neither watch nor replay', async () => {
  const { results } = await system.admin.get<{ results: { id: string }[] }>(
    '/api/v1/terminal/sessions/?limit=1',
  )
  const outsider = await signIn(browser, system, await addPerson(system.admin), '/luna/')
  const status = (path: string) =>
    outsider.page.evaluate(
      async (address) => (await fetch(address)).status,
      `/api/v1/terminal/sessions/${results[0]?.id}/${path}`,
    )
  expect([await status('recording/'), await status('recording/chunks/1/'), await status('replay/')]).toEqual([
    403, 403, 403,
  ])
  await outsider.page.goto(`${system.origin}/luna/monitor/${results[0]?.id}`)
  await outsider.page.getByRole('alert').first().waitFor()
})
