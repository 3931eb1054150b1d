import { AccountTemplate } from '@sallyport/contract/resources/account-templates'
import { AssetPermission } from '@sallyport/contract/resources/perms'
import { expect, test } from 'vitest'
import { consolePage } from '../../../testing/console-page.ts'
import { serveRows } from '../../../testing/fixture-rows.ts'

const templateId = '9a1c0000-0000-4000-8000-000000000001'
const at = consolePage((fixture) => {
  fixture.profile.perms.push(
    'perms.view_assetpermission',
    'perms.add_assetpermission',
    'accounts.view_accounttemplate',
    'accounts.add_account',
  )
  serveRows(fixture, AssetPermission, [])
  serveRows(fixture, AccountTemplate, [{ id: templateId, name: 'Deployers', username: 'deployer' }])
  fixture.answers.set('GET /api/v1/accounts/accounts/username-suggestions/', () => ({ body: ['root'] }))
})

test('a permission is for all accounts, or for named ones, which stay when Tab leads on, and those of templates', async () => {
  await at.open('/ui/console/perms/asset-permissions/create')
  await at.page.getByLabel('Name', { exact: true }).fill('Operations')
  const box = (name: RegExp) => at.page.getByRole('checkbox', { name })
  await expect.poll(() => box(/^All accounts/).isChecked()).toBe(true)
  await box(/^Specified accounts/).check()
  expect(await box(/^All accounts/).isChecked()).toBe(false)
  await at.page.getByRole('combobox', { name: 'Specified accounts' }).click()
  await at.page.keyboard.type('root')
  await at.page.keyboard.press('Enter')
  await at.page.keyboard.press('Tab')
  await at.page.getByRole('combobox', { name: 'Accounts of templates' }).click()
  await at.page
    .locator('.ant-select-dropdown')
    .getByTitle(/Deployers/)
    .click()
  await at.button('Submit').click()
  await expect
    .poll(() => at.sentTo('POST', `/api/v1/${AssetPermission.path}/`))
    .toMatchObject({
      name: 'Operations',
      accounts: ['@SPEC', 'root', `%${templateId}`],
    })
})
