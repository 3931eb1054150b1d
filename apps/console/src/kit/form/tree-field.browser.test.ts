import { AssetPermission } from '@sallyport/contract/resources/perms'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { serveRows } from '../../testing/fixture-rows.ts'

const at = consolePage((fixture) => {
  fixture.profile.perms.push('perms.add_assetpermission')
  serveRows(fixture, AssetPermission, [])
})
const action = (name: string) => at.page.getByRole('treeitem', { name, exact: true })

test('a field that is a tree is ticked by group or one by one, by keyboard too, and sends what is ticked', async () => {
  await at.open('/ui/console/perms/asset-permissions/create')
  await at.page.getByLabel('Name', { exact: true }).fill('Databases')
  await expect.poll(() => action('All').getAttribute('aria-checked')).toBe('true')
  await action('Transfer').getByRole('checkbox').uncheck()
  expect(await action('Upload').getAttribute('aria-checked')).toBe('false')
  await expect.poll(() => action('All').getAttribute('aria-checked')).toBe('mixed')
  await action('Upload').focus()
  await at.page.keyboard.press('Space')
  await expect.poll(() => action('Transfer').getAttribute('aria-checked')).toBe('mixed')
  await at.button('Submit').click()
  await at.page.getByText('was created').waitFor()
  const sent = at.sentTo('POST', '/api/v1/perms/asset-permissions/') as { actions: string[] }
  expect(sent.actions).toContain('connect')
  expect(sent.actions).toContain('upload')
  expect(sent.actions).not.toContain('download')
})
