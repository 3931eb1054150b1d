import { Asset, Label } from '@sallyport/contract/resources/assets'
import { expect, test } from 'vitest'
import { consolePage } from '../../../testing/console-page.ts'
import { serveRows } from '../../../testing/fixture-rows.ts'

const web = { id: '4a1c0000-0000-4000-8000-000000000001', name: 'web-1', address: '10.0.0.1' }
const at = consolePage((fixture) => {
  fixture.profile.perms.push('assets.view_label', 'assets.add_label', 'assets.change_label')
  serveRows(fixture, Asset, [web])
  serveRows(fixture, Label, [
    {
      id: '6a1c0000-0000-4000-8000-000000000001',
      name: 'stage',
      value: 'production',
      asset_count: 1,
      assets: [{ id: web.id, name: web.name }],
      comment: '',
    },
  ])
})

test('a label is changed from its list, says which assets carry it, and has no page of its own', async () => {
  await at.open('/ui/console/assets/labels')
  const row = at.page.getByRole('row', { name: /stage/ })
  await expect.poll(() => row.getByRole('link').count()).toBe(0)
  await row.getByRole('button', { name: 'Update' }).click()
  await at.page.getByText('web-1', { exact: true }).waitFor()
  await at.page.getByRole('textbox', { name: 'Value' }).fill('test')
  await at.button('Submit').click()
  await at.page.getByRole('row', { name: /stage.*test/ }).waitFor()
})
