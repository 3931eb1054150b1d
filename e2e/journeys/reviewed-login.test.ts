/** A login that somebody else must confirm: it waits at the browser and at SSH, and goes on or ends as that person decides in the console. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startSshd, type TestSshd } from '@sallyport/ssh/testing/sshd'
import { Api } from '../src/api.ts'
import { fillSignIn, openBrowser, openVisit, signIn, signInAsAdmin } from '../src/browser.ts'
import { shell, ssh } from '../src/ssh.ts'
import { startSystem, type System } from '../src/system.ts'
import { addAccount, addHost, addPerson, grant, type Person } from '../src/world.ts'

const testTimeoutMs = 120_000

interface TicketRow {
  id: string
  state: { value: string }
}

let system: System
let browser: Browser
let sshd: TestSshd
let person: Person
let chief: Person
let chiefApi: Api
let chiefPage: Page
beforeAll(async () => {
  ;[sshd, system, browser] = await Promise.all([startSshd(), startSystem(), openBrowser()])
  const host = await addHost(system.admin, { port: sshd.port })
  await addAccount(system.admin, host.id, { username: sshd.username, privateKey: sshd.privateKey })
  ;[person, chief] = [await addPerson(system.admin), await addPerson(system.admin)]
  await grant(system.admin, { users: [person.id], assets: [host.id] })
  chiefApi = await Api.signIn(system.origin, chief.username, chief.password)
})
afterAll(async () => {
  await browser?.close()
  await system?.stop()
  await sshd?.stop()
})

const waitingTicket = async () => {
  const path = `/api/v1/tickets/tickets/?assignees__id=${chief.id}&state=pending`
  const [ticket] = await chiefApi.get<TicketRow[]>(path)
  return ticket?.id
}
/** The ticket of the login that waits now. */
async function waited(): Promise<string> {
  let id: string | undefined
  await expect.poll(async () => (id = await waitingTicket()), { timeout: 30_000 }).toBeTruthy()
  return id ?? ''
}
const decide = (id: string, what: 'approve' | 'reject') =>
  chiefApi.send('PUT', `/api/v1/tickets/tickets/${id}/${what}/`)
const stateOf = async (id: string) =>
  (await chiefApi.get<TicketRow>(`/api/v1/tickets/tickets/${id}/`)).state.value

/** Somebody at the door, who has given name and password and waits. */
async function atTheDoor(): Promise<Page> {
  const { page } = await openVisit(browser)
  await page.goto(`${system.origin}/ui/`)
  await fillSignIn(page, person)
  await page.getByRole('heading', { name: 'Waiting for confirmation' }).waitFor()
  return page
}

it(
  'an administrator has the logins of a person reviewed by another',
  async () => {
    const next = `/ui/console/users/users/user-acl/create?user=${person.id}`
    const { page, complaints } = await signInAsAdmin(browser, system, next)
    await page.getByLabel('Name', { exact: true }).fill('Ask the chief')
    await page.getByRole('button', { name: 'Select all' }).click()
    await page.getByRole('radio', { name: 'Review' }).check()
    await page.getByRole('combobox', { name: 'Reviewers' }).fill(chief.username)
    await page.locator('.ant-select-item-option', { hasText: chief.username }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Submit', exact: true }).click()
    await page.getByRole('link', { name: 'Ask the chief' }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  },
  testTimeoutMs,
)

it(
  'at the browser a login waits until it is accepted in the console, and goes on',
  async () => {
    const door = await atTheDoor()
    const visit = await signIn(browser, system, chief, '/ui/workbench/home')
    chiefPage = visit.page
    await chiefPage.getByRole('link', { name: 'Tickets: 1 open' }).click()
    await chiefPage.getByText('Status: Open').waitFor()
    await chiefPage.getByRole('link', { name: /^Login confirm / }).waitFor()
    await chiefPage.getByRole('link', { name: /^Login confirm / }).click()
    await chiefPage.getByRole('heading', { name: /^Ticket detail: Login confirm / }).waitFor()
    await chiefPage.getByText('127.0.0.1').waitFor()
    await chiefPage.getByLabel('Reply').fill('I know about it')
    await chiefPage.getByRole('button', { name: 'Accept' }).click()
    await chiefPage.getByText(/approved the ticket$/).waitFor()
    await chiefPage.getByText('I know about it').waitFor()
    await door.getByRole('navigation', { name: 'Main menu' }).waitFor()
    expect(visit.complaints).toEqual([])
    await door.getByRole('link', { name: 'Tickets', exact: true }).click()
    await door.getByRole('link', { name: 'My tickets' }).click()
    await door.getByText('Status: Open').waitFor()
    await door.context().close()
  },
  testTimeoutMs,
)

it(
  'one that is rejected says so, and one that is given up is closed',
  async () => {
    const rejected = await atTheDoor()
    await chiefPage.goto(`${system.origin}/ui/#/tickets/tickets/${await waited()}?type=login_confirm`)
    await chiefPage.getByRole('button', { name: 'Reject' }).click()
    await rejected.getByText('Login confirm ticket was Rejected').waitFor()
    await rejected.context().close()

    const cancelled = await atTheDoor()
    const first = await waited()
    await cancelled.getByRole('button', { name: 'Cancel the login' }).click()
    await cancelled.getByRole('textbox', { name: 'Password' }).waitFor()
    expect(await stateOf(first)).toBe('closed')
    await fillSignIn(cancelled, person)
    await cancelled.getByRole('heading', { name: 'Waiting for confirmation' }).waitFor()
    const second = await waited()
    await cancelled.goto('about:blank')
    await expect.poll(() => stateOf(second)).toBe('closed')
    await cancelled.context().close()
  },
  testTimeoutMs,
)

it(
  'OpenSSH waits, goes on when it is approved, says so when not, and gives up with the connection',
  async () => {
    const direct = {
      port: system.sshPort,
      login: `${person.username}@${sshd.username}@127.0.0.1`,
      password: person.password,
    }
    const letIn = ssh(direct, 'exit 7')
    expect((await decide(await waited(), 'approve')).status).toBe(200)
    expect((await letIn).code).toBe(7)

    const refused = ssh(direct, 'exit 7', undefined, ['-oLogLevel=INFO'])
    expect((await decide(await waited(), 'reject')).status).toBe(200)
    expect(await refused).toMatchObject({
      code: 255,
      stderr: expect.stringContaining('The login was not confirmed'),
    })

    const gone = await shell(direct)
    const ticket = await waited()
    gone.kill()
    await expect.poll(() => stateOf(ticket), { timeout: 30_000 }).toBe('closed')
  },
  testTimeoutMs,
)
