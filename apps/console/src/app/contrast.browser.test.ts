import { createRequire } from 'node:module'
import { readFile } from 'node:fs/promises'
import { Asset } from '@sallyport/contract/resources/assets'
import { LoginLog } from '@sallyport/contract/resources/audits'
import { Session } from '@sallyport/contract/resources/terminal'
import { UserGroup } from '@sallyport/contract/resources/users'
import { expect, test } from 'vitest'
import { consolePage } from '../testing/console-page.ts'
import { serveRows } from '../testing/fixture-rows.ts'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const id = '8d1c0000-0000-4000-8000-000000000001'
const at = consolePage((fixture) => {
  serveRows(fixture, UserGroup, [{ id, name: 'Databases', comment: '', users_amount: 2, users: [] }])
  serveRows(fixture, Asset, [
    {
      id,
      name: 'first-host',
      address: '192.0.2.1',
      protocols: [{ name: 'ssh', port: 22 }],
      labels: [],
      nodes_display: ['/Default'],
      platform: { id: 1, name: 'Linux' },
      is_active: false,
    },
  ])
  fixture.answers.set('GET /api/v1/assets/nodes/children/tree/', () => ({ body: [] }))
  serveRows(fixture, Session, [
    {
      id,
      user: 'Ann(ann)',
      asset: 'first-host(192.0.2.1)',
      account: 'root(root)',
      protocol: 'ssh',
      login_from: { value: 'WT', label: 'Web terminal' },
      is_finished: false,
      date_start: new Date().toISOString(),
    },
  ])
  serveRows(fixture, LoginLog, [
    {
      id,
      username: 'ann',
      type: { value: 'W', label: 'Web' },
      status: { value: false, label: 'Failed' },
      datetime: new Date().toISOString(),
    },
  ])
})

const screens = [
  ['the sign-in page', '/core/auth/login/'],
  ['a list', '/ui/console/users/groups'],
  ['an empty search', '/ui/console/users/groups?search=nobody'],
  ['a form', '/ui/console/users/groups/create'],
  ['a detail', `/ui/console/users/groups/${id}`],
  ['a list beside its tree', '/ui/console/assets/assets'],
  ['the sessions', '/ui/audit/sessions/sessions'],
  ['the login logs', '/ui/audit/audits/login-logs'],
  ['the home page', '/ui/workbench/home'],
  ['a page that is not there', '/ui/nowhere'],
] as const

interface Found {
  /** How many texts were found readable. */
  read: number
  violations: { nodes: { html: string; failureSummary?: string }[] }[]
}

for (const mode of ['light', 'dark']) {
  test(`all text of the main screens can be read in ${mode}`, async () => {
    await at.page.addInitScript(`localStorage.setItem('themeMode', '${mode}')`)
    const faint: string[] = []
    for (const [name, address] of screens) {
      await at.open(address)
      await at.page.getByRole('heading', { level: 1 }).first().waitFor()
      await at.page.waitForLoadState('networkidle')
      await at.page.evaluate(axe)
      const found = await at.page.evaluate<Found>(
        "axe.run(document, { runOnly: ['color-contrast'] }).then(({ violations, passes }) => ({ violations, read: passes[0]?.nodes.length ?? 0 }))",
      )
      expect(found.read).toBeGreaterThan(3)
      for (const { nodes } of found.violations)
        for (const node of nodes) faint.push(`${name}: ${node.html.slice(0, 120)} ${node.failureSummary}`)
    }
    expect(faint).toEqual([])
  })
}
