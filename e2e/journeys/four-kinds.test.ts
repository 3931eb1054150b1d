/** Four kinds of person, each with their own rights: the views, menus, lists and buttons they see, and what they are refused. */
import { roleIds } from '@sallyport/contract'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Api } from '../src/api.ts'
import { openBrowser, pathOf, signIn } from '../src/browser.ts'
import { adminPassword, startSystem, type System } from '../src/system.ts'
import { addHost, addPerson, grant } from '../src/world.ts'

type Kind = 'administrator' | 'organization administrator' | 'auditor' | 'ordinary person'

let system: System
let browser: Browser
let people: Record<Kind, { username: string; password: string }>

beforeAll(async () => {
  ;[system, browser] = await Promise.all([startSystem({}, { withGateway: false }), openBrowser()])
  const ordinary = await addPerson(system.admin)
  people = {
    administrator: { username: 'admin', password: adminPassword },
    'organization administrator': await addPerson(system.admin, { org_roles: [roleIds.orgAdmin] }),
    auditor: await addPerson(system.admin, { org_roles: [roleIds.orgAuditor] }),
    'ordinary person': ordinary,
  }
  const host = await addHost(system.admin, { name: 'db-01', address: '127.0.2.7', port: 22 })
  await grant(system.admin, { users: [ordinary.id], assets: [host.id] })
})
afterAll(async () => {
  await browser?.close()
  await system?.stop()
})

async function open(page: Page, address: string): Promise<void> {
  await page.goto(`${system.origin}/ui${address}`)
  await page.getByRole('navigation', { name: 'Main menu' }).waitFor()
}
const words = (page: Page, selector: string) => page.locator(selector).allTextContents()

/** What the header leads to, and the menu of every view; a view that is not theirs leads to another one. */
async function surroundings(page: Page) {
  await open(page, '/workbench/assets')
  const links = page.locator('header').getByRole('link')
  const tools = await links.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
  const views = await words(page, 'nav[aria-label="Switch view"] a')
  const menus: Record<string, string[] | string> = {}
  for (const view of ['console', 'audit', 'workbench', 'settings']) {
    await open(page, `/${view}`)
    const at = pathOf(page).split('/')[2] ?? ''
    menus[view] = at === view ? await words(page, 'nav[aria-label="Main menu"] a') : `leads to ${at}`
  }
  return { views, tools: tools.filter((name) => name !== null).slice(1), menus }
}

const oneRow = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text }).first()

/** The entries of a menu that a button opens. */
async function entriesOf(page: Page, button: ReturnType<Page['getByRole']>): Promise<string[]> {
  await button.click()
  await page.getByRole('menuitem').first().waitFor()
  const entries = await page.getByRole('menuitem').allTextContents()
  await page.keyboard.press('Escape')
  await page.getByRole('menuitem').first().waitFor({ state: 'detached' })
  return entries
}

/** The list of people for who has one, and the fields about roles in their form. */
async function peopleScreens(page: Page) {
  await open(page, '/console/users/users')
  const row = oneRow(page, people['ordinary person'].username)
  await row.waitFor()
  const list = {
    columns: (await words(page, 'thead th')).filter((name) => name.includes('roles')),
    buttons: await Promise.all(
      ['Create', 'Invite', 'Import', 'Export'].map((name) =>
        page.getByRole('button', { name, exact: true }).count(),
      ),
    ),
    selected: await entriesOf(page, page.getByRole('button', { name: /^Actions/ })),
    row: await entriesOf(page, row.getByRole('button', { name: /^More/ })),
  }
  await open(page, '/console/users/users/create')
  await page.getByLabel('Username', { exact: true }).waitFor()
  const fields = await page
    .locator('[data-field$=_roles]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-field')))
  await open(page, '/console/assets/platforms/create')
  const heading = page.getByRole('heading', { level: 1 })
  const refused = page.getByText('Nothing is at this address, or you have no permission to see it.')
  await heading.or(refused).first().waitFor()
  return { ...list, fields, platformForm: (await refused.count()) === 0 }
}

const calls = [
  'GET /api/v1/users/users/',
  'POST /api/v1/users/users/',
  'GET /api/v1/rbac/system-roles/',
  'GET /api/v1/rbac/org-roles/',
  'POST /api/v1/assets/platforms/',
  'GET /api/v1/orgs/orgs/',
  'GET /api/v1/settings/setting/',
  'GET /api/v1/audits/operate-logs/',
  'GET /api/v1/terminal/sessions/',
  'GET /api/v1/perms/users/self/assets/',
]
/** Which of these calls are forbidden to somebody, whatever they send. */
async function forbiddenTo(person: { username: string; password: string }): Promise<string[]> {
  const api = await Api.signIn(system.origin, person.username, person.password)
  const statuses = await Promise.all(
    calls.map(async (call) => {
      const [method = '', path = ''] = call.split(' ')
      return { call, status: (await api.send(method, path, method === 'POST' ? {} : undefined)).status }
    }),
  )
  expect(statuses.filter(({ status }) => ![200, 400, 403].includes(status))).toEqual([])
  return statuses.filter(({ status }) => status === 403).map(({ call }) => call)
}

const consoleMenu = [
  'Users',
  'Groups',
  'Roles',
  'Assets',
  'Domains',
  'Platforms',
  'Labels',
  'Asset accounts',
  'Account templates',
  'Asset permissions',
  'Asset login rules',
  'Command filters',
]
const auditMenu = ['Sessions', 'Commands', 'Login logs', 'Operation logs', 'Password changes']
const workbenchMenu = ['Overview', 'My assets', 'Web terminal']
const settingsMenu = [
  'Basic settings',
  'Email',
  'Authentication',
  'Messages',
  'SMS',
  'Security',
  'Periodic cleanup',
  'Interface',
  'Organizations',
  'Licence',
]

it('four kinds of person see what they should, and are refused the rest', async () => {
  const seen: Record<string, unknown> = {}
  for (const [kind, person] of Object.entries(people)) {
    const { page, complaints } = await signIn(browser, system, person, '/ui/workbench')
    const around = await surroundings(page)
    const more = around.views.includes('Console') ? { people: await peopleScreens(page) } : {}
    seen[kind] = { ...around, ...more, forbidden: await forbiddenTo(person) }
    expect(complaints, kind).toEqual([])
    await page.context().close()
  }
  expect(seen).toEqual({
    administrator: {
      views: ['Console', 'Audit', 'Workbench'],
      tools: ['Web terminal', 'Tickets', 'System settings'],
      menus: {
        console: consoleMenu,
        audit: auditMenu,
        workbench: workbenchMenu,
        settings: settingsMenu,
      },
      people: {
        columns: ['System roles', 'Organization roles'],
        buttons: [1, 1, 1, 1],
        selected: [
          'Disable selected',
          'Activate selected',
          'Remove selected',
          'Delete selected',
          'Update selected',
        ],
        row: ['Duplicate', 'Delete', 'Remove'],
        fields: ['system_roles', 'org_roles'],
        platformForm: true,
      },
      forbidden: [],
    },
    'organization administrator': {
      views: ['Console', 'Audit', 'Workbench'],
      tools: ['Web terminal', 'Tickets'],
      menus: {
        console: consoleMenu,
        audit: auditMenu,
        workbench: workbenchMenu,
        settings: 'leads to workbench',
      },
      people: {
        columns: ['Organization roles'],
        buttons: [1, 1, 1, 1],
        selected: ['Disable selected', 'Activate selected', 'Remove selected', 'Update selected'],
        row: ['Duplicate', 'Remove'],
        fields: ['org_roles'],
        platformForm: false,
      },
      forbidden: [
        'GET /api/v1/rbac/system-roles/',
        'POST /api/v1/assets/platforms/',
        'GET /api/v1/orgs/orgs/',
        'GET /api/v1/settings/setting/',
      ],
    },
    auditor: {
      views: ['Audit', 'Workbench'],
      tools: ['Web terminal', 'Tickets'],
      menus: {
        console: 'leads to workbench',
        audit: auditMenu,
        workbench: workbenchMenu,
        settings: 'leads to workbench',
      },
      forbidden: calls.slice(0, 7),
    },
    'ordinary person': {
      views: [],
      tools: ['Web terminal', 'Tickets'],
      menus: {
        console: 'leads to workbench',
        audit: 'leads to workbench',
        workbench: workbenchMenu,
        settings: 'leads to workbench',
      },
      forbidden: calls.slice(0, 9),
    },
  })
}, 180_000)
