import { Asset } from '@sallyport/contract/resources/assets'
import { Node } from '@sallyport/contract/resources/nodes'
import { expect, test } from 'vitest'
import { consolePage } from '../../../testing/console-page.ts'
import { countDraws } from '../../../testing/count-draws.ts'
import { serveRows } from '../../../testing/fixture-rows.ts'

const id = '8d1c0000-0000-4000-8000-000000000001'

const node = (key: string, name: string, nodeId: string) => ({
  id: key,
  name: `${name} (3)`,
  pId: key.replace(/:?[^:]*$/u, ''),
  isParent: key === '1',
  open: key === '1',
  meta: { type: 'node', data: { id: nodeId, key, value: name } },
})
const plants = '8d1c0000-0000-4000-8000-000000000002'
const offices = '8d1c0000-0000-4000-8000-000000000003'
const hostCalled = (key: string, name: string) => ({
  id: key,
  name,
  address: '192.0.2.1',
  category: { value: 'host', label: 'Host' },
  type: { value: 'linux', label: 'Linux' },
  platform: { id: 1, name: 'Linux' },
  protocols: [],
  labels: [],
  auto_info: {},
})
const taken = `/api/v1/assets/nodes/${offices}/children/add/`

const at = consolePage((fixture) => {
  fixture.profile.perms.push('assets.change_node', 'assets.delete_node')
  serveRows(fixture, Asset, [])
  let moved = false
  fixture.answers.set('GET /api/v1/assets/nodes/children/tree/', ({ query }) => {
    const below = query.get('key') === '1:2' && moved ? [node('1:2:1', 'Plants', plants)] : []
    const top = [
      node('1', 'Default', id),
      ...(moved ? [] : [node('1:1', 'Plants', plants)]),
      node('1:2', 'Offices', offices),
    ]
    return { body: query.has('key') ? below : top }
  })
  fixture.answers.set(`PUT ${taken}`, () => {
    moved = true
    return { body: 'OK' }
  })
})
const treeItem = (name: string) => at.page.getByRole('treeitem', { name: `${name} (3)` })

test('a node is dragged into another, once that is confirmed', async () => {
  await at.open('/ui/console/assets/assets')
  await treeItem('Plants').dragTo(treeItem('Offices'))
  await at.page.getByText('Move Plants (3) into Offices (3), with everything below it?').waitFor()
  expect(at.sentTo('PUT', taken)).toBeUndefined()
  await at.page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
  await expect.poll(() => treeItem('Plants').getAttribute('aria-level')).toBe('3')
  expect(at.sentTo('PUT', taken)).toEqual({ nodes: [plants] })
})

test('the rows beside the tree are drawn once for a node that is chosen, for the answer and not for the address', async () => {
  at.fixture.profile.perms.push('assets.view_asset', 'assets.change_asset')
  serveRows(at.fixture, Asset, [hostCalled(plants, 'web-0')])
  const draws = await countDraws(at.page, 'tbody tr')
  await at.open('/ui/console/assets/assets')
  await at.page.getByRole('row', { name: /web-0/u }).waitFor()
  const before = await draws()
  const answered = at.page.waitForResponse(/node_id=/u)
  await treeItem('Plants').click()
  await answered
  await at.page.locator('table[aria-busy=false]').waitFor()
  expect((await draws()) - before).toBe(1)
})

test('a node is not dragged to where it is, nor below itself', async () => {
  await at.open('/ui/console/assets/assets')
  await treeItem('Plants').dragTo(treeItem('Default'))
  expect(await at.page.getByRole('dialog').count()).toBe(0)
  expect(await treeItem('Default').getAttribute('draggable')).toBe('false')
})

test('by keyboard a node is moved from its menu', async () => {
  await at.open('/ui/console/assets/assets')
  await treeItem('Plants').focus()
  await at.page.keyboard.press('Shift+F10')
  await at.page.getByRole('menuitem', { name: 'Move to…' }).press('Enter')
  const places = at.page.getByRole('dialog', { name: 'Move Plants (3)' })
  await expect.poll(() => places.locator('[role=treeitem]:focus').count()).toBe(1)
  await places.getByRole('treeitem', { name: 'Offices (3)' }).press('Enter')
  await places.getByRole('button', { name: 'Move' }).press('Enter')
  const question = at.page.getByRole('dialog').filter({ hasText: 'with everything below it?' })
  await question.getByRole('button', { name: 'Move' }).press('Enter')
  await expect.poll(() => at.sentTo('PUT', taken)).toEqual({ nodes: [plants] })
  // The row that took its place.
  await expect
    .poll(() => at.page.locator('[role=treeitem]:focus').getAttribute('aria-label'))
    .toBe('Offices (3)')
})

test('a node is renamed from its menu, keeps its count, and offers only what the person may do', async () => {
  const renamed: unknown[] = []
  at.fixture.answers.set(`PATCH /api/v1/assets/nodes/${plants}/`, ({ body }) => {
    renamed.push(body)
    return { body: {} }
  })
  await at.open('/ui/console/assets/assets')
  await treeItem('Plants').click({ button: 'right' })
  await expect
    .poll(() => at.page.getByRole('menuitem').allTextContents())
    .toEqual([
      'Rename node',
      'Delete node',
      'Show only the assets of this node',
      'Check assets amount',
      'Node information',
      'Move to…',
    ])
  await at.page.getByRole('menuitem', { name: 'Rename node' }).click()
  await at.page.getByRole('textbox', { name: 'Name' }).fill('Works')
  await at.page.keyboard.press('Enter')
  await at.page.getByRole('treeitem', { name: 'Works (3)' }).waitFor()
  expect(renamed).toEqual([{ value: 'Works' }])
})

test('by keyboard a node is renamed with F2 and deleted with Delete, where it may be', async () => {
  await at.open('/ui/console/assets/assets')
  await treeItem('Plants').focus()
  await at.page.keyboard.press('F2')
  await expect.poll(() => at.page.locator('input:focus').inputValue()).toBe('Plants')
  await at.page.keyboard.press('Escape')
  await at.page.keyboard.press('Delete')
  await at.page.getByRole('dialog').getByText('Plants').waitFor()
  await at.page.keyboard.press('Escape')
  await at.page.getByRole('dialog').waitFor({ state: 'detached' })
  await treeItem('Default').focus()
  await at.page.keyboard.press('F2')
  await at.page.keyboard.press('Delete')
  expect(await at.page.getByRole('textbox', { name: 'Name' }).count()).toBe(0)
  expect(await at.page.getByRole('dialog').count()).toBe(0)
})

test('the keyboard goes on where a name was typed, or given up', async () => {
  at.fixture.answers.set(`PATCH /api/v1/assets/nodes/${plants}/`, () => ({ body: {} }))
  await at.open('/ui/console/assets/assets')
  const isFocused = (name: string) => treeItem(name).evaluate((element) => element === document.activeElement)
  for (const [key, name] of [
    ['Escape', 'Plants'],
    ['Enter', 'Works'],
  ] as const) {
    await treeItem('Plants').click({ button: 'right' })
    await at.page.getByRole('menuitem', { name: 'Rename node' }).click()
    await at.page.getByRole('textbox', { name: 'Name' }).fill('Works')
    await at.page.keyboard.press(key)
    await expect.poll(() => isFocused(name)).toBe(true)
  }
})

test('a name that is refused stays to be mended, with the reason, and an empty one gives the old one back', async () => {
  let isLost = false
  let called = 'Plants'
  at.fixture.answers.set('GET /api/v1/assets/nodes/children/tree/', ({ query }) => {
    const below = [node('1:1', called, plants), node('1:2', 'Offices', offices)]
    return { body: query.has('key') ? below : [node('1', 'Default', id), ...below] }
  })
  at.fixture.answers.set(`PATCH /api/v1/assets/nodes/${plants}/`, ({ body }) => {
    const { value } = body as { value: string }
    if (isLost) return { status: 500, body: { detail: 'Not now.' } }
    if (value === 'Offices')
      return { status: 400, body: { value: ['A node with this name is already there.'] } }
    called = value
    return { body: {} }
  })
  await at.open('/ui/console/assets/assets')
  const rename = async (name: string) => {
    await treeItem(name).click({ button: 'right' })
    await at.page.getByRole('menuitem', { name: 'Rename node' }).click()
  }
  const box = at.page.getByRole('textbox', { name: 'Name' })
  const refusal = at.page.getByRole('tree').getByRole('alert')
  await rename('Plants')
  await box.fill('Offices')
  await at.page.keyboard.press('Enter')
  await refusal.getByText('A node with this name is already there.').waitFor()
  await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await box.inputValue()).toBe('Offices')
  await at.page.keyboard.type(' 2')
  expect(await refusal.count()).toBe(0)
  isLost = true
  await at.page.keyboard.press('Enter')
  await refusal.getByText('Not now.').waitFor()
  isLost = false
  await at.page.keyboard.press('Enter')
  await treeItem('Offices 2').waitFor()
  expect(await box.count()).toBe(0)

  // Whoever goes elsewhere with a refused name gives it up.
  await rename('Offices 2')
  await box.fill('Offices')
  await at.page.keyboard.press('Enter')
  await refusal.waitFor()
  await treeItem('Default').click()
  await expect.poll(() => box.count()).toBe(0)

  await rename('Offices 2')
  await box.fill(' ')
  await at.page.keyboard.press('Enter')
  await treeItem('Offices 2').getByText('Offices 2 (3)').waitFor()
})

test('the root of the tree is neither renamed nor deleted', async () => {
  at.fixture.profile.perms.push('assets.add_node')
  await at.open('/ui/console/assets/assets')
  await treeItem('Default').click({ button: 'right' })
  const entries = at.page.getByRole('menuitem')
  await expect.poll(() => entries.allTextContents()).toContain('Create node')
  expect((await entries.allTextContents()).filter((one) => /^(?:Rename|Delete)/u.test(one))).toEqual([])
})

test('a tree that could not be read is asked for again', async () => {
  const served = at.fixture.answers.get('GET /api/v1/assets/nodes/children/tree/')
  at.fixture.answers.set('GET /api/v1/assets/nodes/children/tree/', () => ({ status: 500, body: {} }))
  await at.open('/ui/console/assets/assets')
  const panel = at.page.getByRole('region', { name: 'Asset tree' })
  const again = panel.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  if (served) at.fixture.answers.set('GET /api/v1/assets/nodes/children/tree/', served)
  await again.click()
  await treeItem('Plants').waitFor()
})

test('the tree opens to the node of the address, as after a reload, and stays as it is folded by hand', async () => {
  const racks = '8d1c0000-0000-4000-8000-000000000004'
  const level = (key: string) => [...key.matchAll(/:/gu)].length
  const nodes = [
    node('1', 'Default', id),
    node('1:2', 'Berlin', offices),
    ...Array.from({ length: 300 }, (_, index) => node(`1:2:${index + 1}`, `Hall ${index + 1}`, plants)),
    node('1:2:300:1', 'Rack 1', racks),
  ].map((one) => ({ ...one, isParent: ['1', '1:2', '1:2:300'].includes(one.id) }))
  at.fixture.answers.set('GET /api/v1/assets/nodes/children/tree/', ({ query }) => {
    const key = query.get('key')
    return { body: nodes.filter((one) => (key === null ? level(one.id) < 2 : one.pId === key)) }
  })
  const row = { id: racks, key: '1:2:300:1', name: 'Rack 1', full_value: '/Default/Berlin/Hall 300/Rack 1' }
  serveRows(at.fixture, Node, [row])
  await at.open(`/ui/console/assets/assets?node_id=${racks}`)
  const rack = treeItem('Rack 1')
  await expect.poll(() => rack.getAttribute('aria-selected')).toBe('true')
  await expect.poll(() => rack.isVisible()).toBe(true)
  expect(await at.page.getByText('Only what is in').count()).toBe(0)
  const asked = at.fixture.requests.filter(({ path }) => path.endsWith('/children/tree/'))
  expect(new Set(asked.map(({ query }) => query.get('key')))).toEqual(new Set([null, '1:2', '1:2:300']))
  expect(asked).toHaveLength(3)

  await treeItem('Berlin').press('ArrowLeft')
  await at.page.getByText('Only what is in /Default/Berlin/Hall 300/Rack 1').waitFor()
  await expect.poll(() => rack.count()).toBe(0)
  await at.page.reload()
  await expect.poll(() => rack.getAttribute('aria-selected')).toBe('true')
})

test('a move or deletion that is refused says why, and the tree shows what is so by now', async () => {
  at.fixture.answers.set(`PUT ${taken}`, () => ({
    status: 400,
    body: { code: 'error', detail: 'A node cannot be moved below itself.' },
  }))
  at.fixture.answers.set(`DELETE /api/v1/assets/nodes/${offices}/`, () => ({
    status: 403,
    body: { error: 'The node holds assets (also below it) and cannot be deleted.' },
  }))
  await at.open('/ui/console/assets/assets')
  await treeItem('Plants').waitFor()
  const served = at.fixture.answers.get('GET /api/v1/assets/nodes/children/tree/')
  const called = (name: string) =>
    at.fixture.answers.set('GET /api/v1/assets/nodes/children/tree/', (request) => {
      const { body } = served?.(request) ?? {}
      const nodes = (body ?? []) as { name: string }[]
      return { body: nodes.map((one) => ({ ...one, name: one.name.replace('Offices (3)', name) })) }
    })
  called('Offices (4)')
  await treeItem('Plants').dragTo(treeItem('Offices'))
  const question = at.page.getByRole('dialog').filter({ hasText: 'with everything below it?' })
  await question.getByRole('button', { name: 'Move' }).click()
  await at.page.getByText('A node cannot be moved below itself.').waitFor()
  await at.page.getByRole('treeitem', { name: 'Offices (4)' }).waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  called('Offices (5)')
  await at.page.getByRole('treeitem', { name: 'Offices (4)' }).click({ button: 'right' })
  await at.page.getByRole('menuitem', { name: 'Delete node' }).click()
  await at.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await at.page.getByText('The node holds assets').waitFor()
  await at.page.getByRole('treeitem', { name: 'Offices (5)' }).waitFor()
})

test('a list that is narrowed to what the tree does not show says to what, and shows all again', async () => {
  serveRows(at.fixture, Node, [{ id: offices, name: 'Rack 1', full_value: '/Default/Berlin/Rack 1' }])
  at.fixture.answers.set('GET /api/v1/assets/nodes/children/tree/', () => ({
    body: [{ ...node('1', 'Default', id), open: false }],
  }))
  await at.open(`/ui/console/assets/assets?node_id=${offices}`)
  await at.page.getByText('Only what is in /Default/Berlin/Rack 1').waitFor()
  await at.page.getByText('Nothing here yet').waitFor()
  await at.button('Show all').click()
  await expect.poll(() => new URL(at.page.url()).searchParams.has('node_id')).toBe(false)
  await expect.poll(() => at.page.getByText('Only what is in').count()).toBe(0)
  expect(await at.page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('treeitem')

  const linux = { label: 'Linux servers', value: 'linux', category: 'host' }
  at.fixture.answers.set('GET /api/v1/assets/categories/', () => ({
    body: [{ label: 'Hosts', value: 'host', types: [linux] }],
  }))
  await at.open('/ui/console/assets/assets?type=linux')
  await at.page.getByText('Only what is in Linux servers').waitFor()

  await at.open(`/ui/console/assets/assets?node_id=${plants}`)
  await at.page.getByText('Only what is in a place that does not exist any more').waitFor()
})

test('the tree counts anew when assets are deleted in the list beside it', async () => {
  at.fixture.profile.perms.push('assets.view_asset', 'assets.delete_asset')
  const rows = [plants, offices].map((one, index) => hostCalled(one, `web-${index}`))
  serveRows(at.fixture, Asset, rows)
  at.fixture.answers.set('GET /api/v1/assets/nodes/children/tree/', () => ({
    body: [{ ...node('1', 'Default', id), name: `Default (${rows.length})` }],
  }))
  await at.open('/ui/console/assets/assets')
  await at.page.getByRole('treeitem', { name: 'Default (2)' }).waitFor()
  await at.page.getByRole('row', { name: /web-0/u }).getByRole('checkbox').check()
  await at.page.getByRole('button', { name: 'Actions (1)' }).click()
  await at.page.getByRole('menuitem', { name: 'Delete selected' }).click()
  await at.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await at.page.getByRole('treeitem', { name: 'Default (1)' }).waitFor()
})
