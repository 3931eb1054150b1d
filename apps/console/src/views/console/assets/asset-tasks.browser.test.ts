import { Account } from '@sallyport/contract/resources/accounts'
import { Asset } from '@sallyport/contract/resources/assets'
import { expect, test } from 'vitest'
import { assetId, assetRow, serveAssets } from '../../../testing/asset-rows.ts'
import { consolePage } from '../../../testing/console-page.ts'
import { serveRows } from '../../../testing/fixture-rows.ts'

const task = '8d1c0000-0000-4000-8000-0000000000aa'
const node = '8d1c0000-0000-4000-8000-0000000000bb'
const accountId = '8d1c0000-0000-4000-8000-0000000000cc'
const tasks = '/api/v1/assets/assets/tasks/'
const reason = '192.0.2.1:22 refused the connection: nothing listens there'
const unreachable = {
  connectivity: { value: 'err', label: 'Error' },
  connectivity_reason: reason,
  date_verified: '2026/11/20 08:00:00 +0000',
}
const incapable = { ping_enabled: false, ansible_enabled: false, gather_facts_enabled: false }

const at = consolePage((fixture) => {
  fixture.profile.perms.push(
    'assets.test_assetconnectivity',
    'assets.refresh_assethardwareinfo',
    'accounts.view_account',
    'accounts.verify_account',
  )
  const rows = [assetRow(1, 'Linux', unreachable), assetRow(2, 'Website', { auto_info: incapable })]
  serveAssets(fixture, rows)
  serveRows(fixture, Account, [
    {
      id: accountId,
      name: 'root',
      username: 'root',
      asset: rows[0],
      secret_type: { value: 'password', label: 'Password' },
      has_secret: true,
      is_active: true,
      connectivity: { value: 'ok', label: 'Ok' },
    },
  ])
  fixture.answers.set('GET /api/v1/assets/nodes/children/tree/', () => ({
    body: [
      {
        id: '1',
        name: 'Default (2)',
        pId: '',
        isParent: false,
        open: true,
        meta: { type: 'node', data: { id: node, key: '1', value: 'Default' } },
      },
    ],
  }))
  for (const path of [tasks, `/api/v1/assets/nodes/${node}/tasks/`, '/api/v1/accounts/accounts/tasks/'])
    fixture.answers.set(`POST ${path}`, () => ({ status: 201, body: { task } }))
})
const rowOf = (name: string) => at.page.getByRole('row').filter({ hasText: name })

/** What is done opens the log of the task in a window of its own. */
async function opensLog(act: () => Promise<unknown>): Promise<void> {
  const opened = at.page.context().waitForEvent('page')
  await act()
  const log = await opened
  expect(new URL(log.url()).pathname).toBe(`/ui/ops/celery/task/${task}/log/`)
  await log.close()
}
const fromMenu = (name: string) => at.page.getByRole('menuitem', { name, exact: true }).click()

test('an asset is tested from its row, and the log of the test opens', async () => {
  await at.open('/ui/console/assets/assets')
  await rowOf('asset-1').getByRole('button', { name: /^More/u }).click()
  await opensLog(() => fromMenu('Test connectivity'))
  expect(at.sentTo('POST', tasks)).toEqual({ action: 'test', assets: [assetId(1)] })
})

test('the list says when an asset could not be reached, and why', async () => {
  await at.open('/ui/console/assets/assets')
  const state = rowOf('asset-1').getByRole('img', { name: `Error: ${reason}` })
  await state.focus()
  await at.page.getByRole('tooltip').getByText(reason).waitFor()
})

test('the page of an asset tests it and asks what machine it is, and says why it could not be reached', async () => {
  await at.open(`/ui/console/assets/assets/${assetId(1)}`)
  await at.page.getByText(reason).waitFor()
  await opensLog(() => at.button('Test connectivity').click())
  expect(at.sentTo('POST', tasks)).toEqual({ action: 'test', assets: [assetId(1)] })
  await opensLog(() => at.button('Refresh hardware information').click())
  expect(at.sentTo('POST', tasks)).toEqual({ action: 'refresh', assets: [assetId(1)] })
})

test('the page says what a test found as soon as that has ended', async () => {
  let end = () => {}
  const asked: unknown[] = []
  await at.page.routeWebSocket(/\/ws\/ops\/tasks\/log\//u, (socket) => {
    socket.onMessage((message) => asked.push(JSON.parse(String(message))))
    end = () => socket.send(JSON.stringify({ event: 'end', task, message: '' }))
  })
  await at.open(`/ui/console/assets/assets/${assetId(1)}`)
  await at.page.getByText(reason).waitFor()
  await opensLog(() => at.button('Test connectivity').click())
  await expect.poll(() => asked).toEqual([{ task, type: 'celery' }])
  const connectivity = { value: 'ok', label: 'Reachable now' }
  serveRows(at.fixture, Asset, [assetRow(1, 'Linux', { connectivity })])
  expect(await at.page.getByText(reason).count()).toBe(1)
  end()
  await at.page.getByText('Reachable now').waitFor()
})

test('a website is tested, too, and has no hardware to be asked about', async () => {
  await at.open(`/ui/console/assets/assets/${assetId(2)}`)
  await opensLog(() => at.button('Test connectivity').click())
  expect(await at.button('Refresh hardware information').isDisabled()).toBe(true)
})

test('all assets of a node are tested and asked from its menu', async () => {
  await at.open('/ui/console/assets/assets')
  const item = at.page.getByRole('treeitem', { name: 'Default (2)' })
  await item.click({ button: 'right' })
  await opensLog(() => fromMenu('Test node asset connectivity'))
  expect(at.sentTo('POST', `/api/v1/assets/nodes/${node}/tasks/`)).toEqual({ action: 'test' })
  await item.click({ button: 'right' })
  await opensLog(() => fromMenu('Update node asset hardware information'))
  expect(at.sentTo('POST', `/api/v1/assets/nodes/${node}/tasks/`)).toEqual({ action: 'refresh' })
})

test('the amounts of the tree are checked from its menu, by whoever may change nodes', async () => {
  const path = '/api/v1/assets/nodes/check_assets_amount_task/'
  at.fixture.answers.set(`POST ${path}`, () => ({ body: { task } }))
  at.fixture.profile.perms.push('assets.change_node')
  await at.open('/ui/console/assets/assets')
  await at.page.getByRole('treeitem', { name: 'Default (2)' }).click({ button: 'right' })
  await opensLog(() => fromMenu('Check assets amount'))
  expect(at.fixture.requests.filter((request) => request.path === path)).toHaveLength(1)
})

test('an account is verified from its row and its page', async () => {
  await at.open('/ui/console/accounts/accounts')
  await opensLog(() => rowOf('root').getByRole('button', { name: 'Test', exact: true }).click())
  expect(at.sentTo('POST', '/api/v1/accounts/accounts/tasks/')).toEqual({
    action: 'verify',
    accounts: [accountId],
  })
  await at.open(`/ui/console/accounts/accounts/${accountId}`)
  await opensLog(() => at.button('Test Verify account').click())
})

test('without the rights nothing of it can be done', async () => {
  at.fixture.profile.perms = at.fixture.profile.perms.filter((name) => !/test_|refresh_|verify_/u.test(name))
  await at.open(`/ui/console/assets/assets/${assetId(1)}`)
  await at.page.getByText(reason).waitFor()
  for (const name of ['Test', 'Refresh'])
    expect(await at.page.getByRole('button', { name, exact: true, disabled: false }).count()).toBe(0)
})
