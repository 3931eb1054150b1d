import { AccountTemplate } from '@sallyport/contract/resources/account-templates'
import { expect, test } from 'vitest'
import { assetId, assetRow, serveAssets } from '../../../testing/asset-rows.ts'
import { consolePage } from '../../../testing/console-page.ts'
import { serveRows } from '../../../testing/fixture-rows.ts'

const rows = () => [
  assetRow(1, 'Linux', {
    info: { cpu_count: '2', cpu_vcpus: '4', memory: '8', disk_total: '100', sn: 'A1' },
  }),
  assetRow(2, 'Cisco'),
  assetRow(3, 'MySQL', {
    accounts: [
      {
        id: assetId(70),
        name: 'root',
        username: 'root',
        secret_type: 'password',
        privileged: true,
        is_active: true,
        version: 3,
      },
    ],
  }),
  assetRow(4, 'Kubernetes'),
  assetRow(5, 'Website', { autofill: { value: 'basic', label: 'Basic' }, script: [] }),
]
const at = consolePage((fixture) => serveAssets(fixture, rows()))
const field = (name: string) => at.page.getByRole('textbox', { name, exact: true })
const dialog = () => at.page.getByRole('dialog')

test.each([
  { tab: 'Hosts', list: 'hosts', group: 'Linux', platform: 'Linux', id: 1, own: 1 },
  { tab: 'Network devices', list: 'devices', group: 'General', platform: 'Huawei', id: 15, own: 2 },
  { tab: 'Databases', list: 'databases', group: 'Mysql', platform: 'MySQL', id: 17, own: 3 },
  { tab: 'Cloud services', list: 'clouds', group: 'K8s', platform: 'Kubernetes', id: 28, own: 4 },
  { tab: 'Websites', list: 'webs', group: 'Website', platform: 'Website', id: 26, own: 5 },
])(
  '$list have a tab, and are made and changed from there',
  async ({ tab, list, group, platform, id, own }) => {
    await at.open('/ui/console/assets/assets')
    await at.page.getByRole('tab', { name: tab }).click()
    await at.page.getByRole('link', { name: `asset-${own}` }).waitFor()
    await expect.poll(() => at.page.getByRole('link', { name: /^asset-\d$/u }).count()).toBe(1)
    await at.button('Create').click()
    const summary = dialog().locator('summary', { hasText: new RegExp(`^${group}$`, 'u') })
    await summary.waitFor()
    if (!(await dialog().getByRole('button', { name: platform, exact: true }).isVisible()))
      await summary.click()
    await dialog().getByRole('button', { name: platform, exact: true }).click()
    await field('Name').fill('new-1')
    await at.page.locator('[data-field=address] input').fill('192.0.2.77')
    await at.button('Submit').click()
    await expect
      .poll(() => at.sentTo('POST', `/api/v1/assets/${list}/`))
      .toMatchObject({
        name: 'new-1',
        address: '192.0.2.77',
        platform: { pk: id },
        is_active: true,
      })
    // Once it is saved the list is shown again, and another page can be gone to.
    await at.page.getByRole('link', { name: `asset-${own}` }).waitFor()
    await at.open(`/ui/console/assets/${list}/${assetId(own)}/update`)
    await at.page.getByLabel('Comment').fill('Changed')
    await at.button('Submit').click()
    const path = `/api/v1/assets/${list}/${assetId(own)}/`
    await expect.poll(() => at.sentTo('PUT', path)).toMatchObject({ comment: 'Changed' })
    expect(at.sentTo('PUT', path)).not.toHaveProperty('accounts')
  },
)

test('in the common list a platform of any category leads to the form of its own', async () => {
  await at.open('/ui/console/assets/assets')
  await at.button('Create').click()
  // Chosen from with the keyboard at once, in the order of the tabs.
  const groups = dialog().locator('summary')
  await expect.poll(() => groups.first().evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await groups.allTextContents()).toEqual(['Host', 'Device', 'Database', 'Cloud', 'Web'])
  await dialog().locator('summary', { hasText: 'Web' }).click()
  await dialog().getByRole('button', { name: 'Website', exact: true }).click()
  await at.page.getByRole('radio', { name: 'Script' }).waitFor()
  expect(at.page.url()).toContain('/console/assets/webs/create?platform=26&platform_type=website')
})

test('a copy has another name and the same accounts, without ids and secrets', async () => {
  await at.open('/ui/console/assets/databases')
  const row = at.page.getByRole('row', { name: /asset-3/u })
  await row.hover()
  await row.getByRole('button', { name: /^More/u }).click()
  await at.page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await at.page.getByRole('cell', { name: 'root without a secret', exact: true }).waitFor()
  await at.page.getByText('Secrets are not copied').waitFor()
  await at.button('Submit').click()
  const path = '/api/v1/assets/databases/'
  await expect
    .poll(() => at.sentTo('POST', path))
    .toMatchObject({
      name: 'Duplicate from asset-3',
      platform: { pk: 17 },
      protocols: [{ name: 'mysql', port: 3306 }],
    })
  expect(at.sentTo('POST', path)).toMatchObject({
    accounts: [
      { name: 'root', username: 'root', secret_type: 'password', privileged: true, is_active: true },
    ],
  })
  const sent = JSON.stringify(at.sentTo('POST', path))
  for (const id of [3, 70]) expect(sent).not.toContain(assetId(id))
})

test('accounts of a new asset are made of templates its protocols can use, and none twice', async () => {
  at.fixture.profile.perms.push('accounts.view_accounttemplate')
  const template = (number: number, username: string) => ({
    id: assetId(number),
    name: `template-${number}`,
    username,
    secret_type: { value: 'password', label: 'Password' },
    privileged: false,
    is_active: true,
  })
  serveRows(at.fixture, AccountTemplate, [template(50, 'deploy'), template(51, 'deploy')])
  await at.open('/ui/console/assets/hosts/create?platform=1')
  await field('Name').fill('new-1')
  await field('IP/Host').fill('192.0.2.9')
  await at.button('Add from template').click()
  const tick = (name: string) => dialog().getByRole('row').filter({ hasText: name }).getByRole('checkbox')
  await tick('template-50').check()
  await tick('template-51').check()
  await dialog().getByRole('button', { name: 'OK' }).click()
  await dialog().getByText('there is an account with this username').waitFor()
  await tick('template-51').uncheck()
  await dialog().getByRole('button', { name: 'OK' }).click()
  await at.page.getByRole('cell', { name: 'deploy', exact: true }).waitFor()
  const asked = at.fixture.requests.findLast(({ path }) => path === `/api/v1/${AccountTemplate.path}/`)
  expect(asked?.query.get('protocols')).toBe('ssh')
  await at.button('Submit').click()
  await expect
    .poll(() => at.sentTo('POST', '/api/v1/assets/hosts/'))
    .toMatchObject({ accounts: [{ id: assetId(50), template: true, username: 'deploy' }] })
})

test('certificates of a database are asked for with TLS only, and are what is in the chosen file', async () => {
  await at.open('/ui/console/assets/databases/create?platform=24')
  const tls = at.page.getByRole('switch', { name: 'Use SSL/TLS' })
  await tls.waitFor()
  expect(await at.page.locator('[data-field=ca_cert]').count()).toBe(0)
  await tls.click()
  await at.page.locator('[data-field=ca_cert] input[type=file]').setInputFiles({
    name: 'authority.pem',
    mimeType: '',
    buffer: Buffer.from('-----BEGIN CERTIFICATE-----'),
  })
  await at.page.getByText('authority.pem').waitFor()
  await field('Name').fill('cache-1')
  await field('Address').fill('192.0.2.8')
  await at.button('Submit').click()
  await expect.poll(() => at.sentTo('POST', '/api/v1/assets/databases/')).toMatchObject({ use_ssl: true })
  expect(at.sentTo('POST', '/api/v1/assets/databases/')).toHaveProperty('ca_cert')
})

test('the port of a website follows its URL, and its login form is asked for as it is filled in', async () => {
  await at.open('/ui/console/assets/webs/create')
  await field('URL').fill('https://web.example:8443/login')
  const port = at.page.locator('[data-field=protocols] [data-column=port] input')
  await expect.poll(() => port.inputValue()).toBe('8443')
  await field('Username selector').waitFor()
  await at.page.getByRole('radio', { name: 'Script' }).check()
  await expect.poll(() => field('Username selector').count()).toBe(0)
  await field('Script').waitFor()
})

test('the hardware of a host is corrected by hand, and only what was corrected is sent', async () => {
  at.fixture.profile.perms.push('assets.refresh_assethardwareinfo')
  await at.open('/ui/console/assets/hosts')
  await at.button('Choose columns').click()
  await dialog().getByRole('checkbox', { name: 'Hardware' }).check()
  await dialog().getByRole('button', { name: 'Confirm' }).click()
  await at.page.getByRole('link', { name: '4 Core 8G 100G' }).press('Enter')
  await at.page.getByLabel('Serial number').fill('B2')
  await at.button('Submit').click()
  await expect
    .poll(() => at.sentTo('PATCH', `/api/v1/assets/hosts/${assetId(1)}/`))
    .toEqual({ info: { sn: 'B2' } })
})

test('an asset that gets another platform begins with the protocols of that one, and takes its own back', async () => {
  await at.open(`/ui/console/assets/hosts/${assetId(1)}/update`)
  const protocols = at.page.locator('[data-field=protocols]')
  const choosePlatform = async (name: string) => {
    await at.page.getByRole('combobox', { name: 'Platform' }).click()
    await at.page.keyboard.type(name)
    await at.page.locator('.ant-select-item-option').getByText(name, { exact: true }).click()
  }
  await protocols.getByText('ssh', { exact: true }).first().waitFor()
  await choosePlatform('Windows')
  await protocols.getByText('rdp', { exact: true }).first().waitFor()
  await choosePlatform('Linux')
  await protocols.getByText('ssh', { exact: true }).first().waitFor()
  await choosePlatform('Windows')
  await protocols.getByText('rdp', { exact: true }).first().waitFor()
  await at.button('Submit').click()
  await expect
    .poll(() => at.sentTo('PUT', `/api/v1/assets/hosts/${assetId(1)}/`))
    .toMatchObject({ protocols: [{ name: 'rdp', port: 3389 }] })
})

test('an asset that is created from a node leads back to that node', async () => {
  await at.open(`/ui/console/assets/assets?node_id=${assetId(80)}`)
  await at.button('Create').click()
  await dialog().getByRole('button', { name: 'Linux', exact: true }).click()
  await field('Name').fill('new-1')
  await field('IP/Host').fill('192.0.2.9')
  await at.button('Submit').click()
  await at.page.waitForURL(/\/console\/assets\/assets\?.*node_id=/u)
})
