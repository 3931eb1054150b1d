/** An administrator sets everything up in the browser; the person finds it; the books tell what was done. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, signIn, signInAsAdmin, type Visit } from '../src/browser.ts'
import { adminPassword, startSystem, type System } from '../src/system.ts'

const secret = 'pa55 of root on db-01'
const person = { username: 'ben', password: 'Ben-likes-c0ffee' }

let system: System
let browser: Browser
let admin: Visit
let page: Page

beforeAll(async () => {
  system = await startSystem({}, { withGateway: false })
  browser = await openBrowser()
  admin = await signInAsAdmin(browser, system, '/ui/console')
  page = admin.page
})
afterAll(async () => {
  await browser?.close()
  await system?.stop()
})

/** The first time somebody signs in they agree to the terms. */
async function begin({ page: own }: Visit): Promise<void> {
  await own.getByRole('checkbox', { name: 'I agree' }).check()
  await own.getByRole('button', { name: 'Submit' }).click()
  await own.waitForURL((url) => !url.pathname.includes('improvement'))
}

const open = (address: string) => page.goto(`${system.origin}/ui${address}`)
const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByLabel(name, { exact: true })
const dialog = () => page.getByRole('dialog').last()

/** Chooses from a select that asks the server for its candidates. */
async function choose(label: string, wanted: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.locator('.ant-select-item-option', { hasText: wanted }).last().click()
  await page.keyboard.press('Escape')
}

describe('an administrator', () => {
  it('makes a node, and in it a host with its account', async () => {
    await open('/console/assets/assets')
    await page.getByText('Nothing here yet').first().waitFor()
    await page.getByRole('treeitem', { name: /Default/ }).hover()
    await page.getByRole('button', { name: /^More: Default/ }).click()
    await page.getByRole('menuitem', { name: 'Create node' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Berlin')
    await page.keyboard.press('Enter')
    await page.getByRole('treeitem', { name: /Berlin/ }).click()

    await button('Create').click()
    await dialog().getByRole('button', { name: 'Linux', exact: true }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('db-01')
    await field('IP/Host').fill('127.0.2.7')
    await page.locator('[data-field=protocols] [data-column=port] input').first().fill('2022')
    await button('Add account').click()
    await dialog().getByLabel('Name', { exact: true }).fill('root')
    await dialog().getByLabel('Secret', { exact: true }).fill(secret)
    await dialog().getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('cell', { name: 'root', exact: true }).waitFor()
    await button('Submit').click()

    await page.getByRole('link', { name: 'db-01' }).last().click()
    await page.getByText('ssh/2022').waitFor()
    await page.getByText('/Default/Berlin').waitFor()
  })

  it('reads the secret of the account only after saying who they are', async () => {
    await page.getByRole('tab', { name: 'Accounts' }).click()
    await button('View secret').click()
    await dialog().locator('input[type=password]').fill(adminPassword)
    await dialog().getByRole('button', { name: 'Confirm' }).click()
    expect(await page.locator('body').innerText()).not.toContain(secret)
    const shown = page.getByRole('dialog', { name: 'Account secret' })
    await shown.getByRole('button', { name: 'Show' }).click()
    await shown.getByText(secret).waitFor()
    await shown.getByRole('button', { name: 'Close', exact: true }).last().click()
  })

  it('adds a person with a password of their own', async () => {
    await open('/console/users/users/create')
    await field('Name').fill('Ben')
    await field('Username').fill(person.username)
    await field('Email').fill('ben@example.com')
    await page.getByRole('radio', { name: 'Set password' }).check()
    await field('Password').fill(person.password)
    await page.getByLabel('Change the password at the next login').uncheck()
    await choose('Organization roles', 'User')
    await button('Submit').click()
    // The notice that says so names him, too.
    await page.getByRole('table').getByRole('link', { name: 'Ben', exact: true }).waitFor()
  })

  it('lets the person in with one account, on all assets of the node', async () => {
    await open('/console/perms/asset-permissions/create')
    await field('Name').fill('Databases for Ben')
    await choose('Users', 'Ben(ben)')
    await choose('Nodes', '/Default/Berlin')
    await page.getByLabel(/^Specified accounts/).check()
    await page.getByRole('combobox', { name: 'Specified accounts' }).fill('root')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await button('Submit').click()
    await page.waitForURL(/\/asset-permissions\/[0-9a-f-]{36}/u)
    await page.getByRole('tab', { name: 'Assets and nodes' }).click()
    await page.getByText('db-01(127.0.2.7)').waitFor()
  })
})

describe('the person', () => {
  it('finds the host among their assets until the permission is switched off', async () => {
    const ben = await signIn(browser, system, person, '/ui/workbench/assets')
    await begin(ben)
    await ben.page.goto(`${system.origin}/ui/workbench/assets`)
    await ben.page.getByRole('cell', { name: '127.0.2.7' }).waitFor()
    const opened = ben.page.context().waitForEvent('page')
    await ben.page.getByRole('button', { name: 'Connect', exact: true }).click()
    expect((await opened).url()).toContain('/luna/?login_to=')

    await page.getByRole('tab', { name: 'Basic info' }).click()
    await page.getByRole('switch', { name: 'Activate' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.locator('[role=switch][aria-checked=false]').waitFor()
    await ben.page.getByRole('button', { name: 'Refresh' }).last().click()
    await ben.page.getByText('Nothing here yet').first().waitFor()
    expect(ben.complaints).toEqual([])
  })
})

describe('the books', () => {
  it('tell what was changed, and no secret', async () => {
    await open('/audit/audits/operate-logs')
    const row = page.getByRole('row', { name: /created the account root/ })
    await row.getByRole('button', { name: 'Changes' }).click()
    await dialog().getByText('root').first().waitFor()
    expect(await dialog().innerText()).not.toContain(secret)
    expect(admin.complaints).toEqual([])
  })
})
