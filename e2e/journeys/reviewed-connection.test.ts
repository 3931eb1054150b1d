/** A connection that a rule wants approved: made in the console, asked for in the terminal workspace, decided by somebody else. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startSshd, type TestSshd } from '@sallyport/ssh/testing/sshd'
import { openBrowser, signIn, signInAsAdmin } from '../src/browser.ts'
import { startSystem, type System } from '../src/system.ts'
import { addAccount, addHost, addPerson, grant, type Person } from '../src/world.ts'

const testTimeoutMs = 120_000

let system: System
let browser: Browser
let sshd: TestSshd
let person: Person
let chief: Person
let host: { id: string; name: string }
let chiefPage: Page
beforeAll(async () => {
  ;[sshd, system, browser] = await Promise.all([startSshd(), startSystem(), openBrowser()])
  host = await addHost(system.admin, { port: sshd.port })
  await addAccount(system.admin, host.id, { username: sshd.username, privateKey: sshd.privateKey })
  ;[person, chief] = [await addPerson(system.admin), await addPerson(system.admin)]
  await grant(system.admin, { users: [person.id], assets: [host.id] })
})
afterAll(async () => {
  await browser?.close()
  await system?.stop()
  await sshd?.stop()
})

it(
  'an administrator has the connections of a person approved by another',
  async () => {
    const { page, complaints } = await signInAsAdmin(browser, system, '/ui/console/perms/host-acls')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Ask the chief')
    expect(await page.getByRole('combobox', { name: 'Reviewers' }).count()).toBe(0)
    await page.getByRole('radio', { name: 'Review' }).check()
    await page.getByRole('combobox', { name: 'Reviewers' }).fill(chief.username)
    await page.locator('.ant-select-item-option', { hasText: chief.username }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Submit', exact: true }).click()
    await page.getByRole('link', { name: 'Ask the chief' }).waitFor()
    await page.getByRole('link', { name: 'Ask the chief' }).click()
    await page
      .getByText(`Person ${chief.username.slice(-6)}`)
      .first()
      .waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  },
  testTimeoutMs,
)

/** The person's page, waiting for somebody to decide. */
async function asking(): Promise<Page> {
  const { page } = await signIn(browser, system, person, `/luna/?login_to=${host.id}`)
  await page.getByRole('button', { name: 'Ask for approval' }).click()
  await page.getByText(/^Waiting for /).waitFor()
  return page
}

it(
  'the person asks, and the terminal opens once it is accepted in the console',
  async () => {
    const page = await asking()
    await page.context().setOffline(true)
    await page.getByText(/The server cannot be reached/).waitFor()
    await page.context().setOffline(false)
    await page.getByText(/The server cannot be reached/).waitFor({ state: 'detached' })
    const visit = await signIn(browser, system, chief, '/ui/tickets/assigned-tickets')
    chiefPage = visit.page
    await chiefPage.getByRole('link', { name: /^Login asset confirm / }).click()
    await chiefPage.getByRole('heading', { name: /^Ticket detail: Login asset confirm / }).waitFor()
    await chiefPage.getByText(host.name).first().waitFor()
    await chiefPage.getByText(sshd.username, { exact: true }).first().waitFor()
    await chiefPage.getByRole('button', { name: 'Accept' }).click()
    await chiefPage.getByText(/approved the ticket$/).waitFor()
    await page.locator('.xterm-rows', { hasText: '$' }).waitFor()
    expect(visit.complaints).toEqual([])
    await page.context().close()
  },
  testTimeoutMs,
)

it(
  'one that is rejected says so, and one that the person gives up, or leaves, is taken back',
  async () => {
    const rejected = await asking()
    await chiefPage.goto(`${system.origin}/ui/tickets/assigned-tickets`)
    await chiefPage.getByRole('link', { name: /^Login asset confirm / }).click()
    await chiefPage.getByRole('button', { name: 'Reject' }).click()
    await rejected.getByText('The connection was not approved.').waitFor()
    await rejected.context().close()

    const given = await asking()
    await given.getByRole('button', { name: 'Close' }).first().click()
    await expect.poll(async () => await openTickets(), { timeout: 30_000 }).toEqual([])
    await given.context().close()

    const left = await asking()
    await expect.poll(async () => await openTickets(), { timeout: 30_000 }).toHaveLength(1)
    await left.reload()
    await expect.poll(async () => await openTickets(), { timeout: 30_000 }).toEqual([])
    await left.context().close()
  },
  testTimeoutMs,
)

async function openTickets(): Promise<unknown> {
  return await chiefPage.evaluate(async () => {
    const answer = await fetch('/api/v1/tickets/tickets/?state=pending')
    return (await answer.json()) as unknown
  })
}
