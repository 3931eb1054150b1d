import { Asset } from '@sallyport/contract/resources/assets'
import { expect, test } from 'vitest'
import { consolePage } from '../../../testing/console-page.ts'
import { serveRows } from '../../../testing/fixture-rows.ts'

const id = '8d1c0000-0000-4000-8000-000000000001'

const at = consolePage((fixture) => {
  fixture.profile.perms.push('assets.change_node', 'assets.delete_node')
  serveRows(fixture, Asset, [])
  fixture.answers.set('GET /api/v1/assets/nodes/children/tree/', () => ({
    body: [
      {
        id: '1',
        name: 'Default (3)',
        pId: '',
        isParent: true,
        meta: { type: 'node', data: { id, key: '1', value: 'Default' } },
      },
    ],
  }))
})

test('a node is renamed from its menu, keeps its count, and offers only what the person may do', async () => {
  const renamed: unknown[] = []
  at.fixture.answers.set(`PATCH /api/v1/assets/nodes/${id}/`, ({ body }) => {
    renamed.push(body)
    return { body: {} }
  })
  await at.open('/ui/console/assets/assets')
  const node = at.page.getByRole('treeitem', { name: 'Default (3)' })
  await node.click({ button: 'right' })
  await expect
    .poll(() => at.page.getByRole('menuitem').allTextContents())
    .toEqual(['Rename node', 'Delete node', 'Show only assets of this node', 'Node information'])
  await at.page.getByRole('menuitem', { name: 'Rename node' }).click()
  await at.page.getByRole('textbox', { name: 'Name' }).fill('Plants')
  await at.page.keyboard.press('Enter')
  await at.page.getByRole('treeitem', { name: 'Plants (3)' }).waitFor()
  expect(renamed).toEqual([{ value: 'Plants' }])
})
