import { callMetadata, metadataOf } from '@sallyport/contract/resource/metadata'
import { Licence, LicenceFiles, maxLicenceBytes } from '@sallyport/contract/resources/license'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { organizations } from '../../testing/fixture-server.ts'

const detail = '/api/v1/xpack/license/detail/'
const importing = '/api/v1/xpack/license/import/'
const none = {
  subscription_id: '',
  corporation: '',
  date_expired: '',
  asset_count: null as number | null,
  current_asset_count: 7,
  edition: '',
  serial_no: '',
  remark: '',
}
const works = {
  ...none,
  subscription_id: 'S-1',
  corporation: 'Example Works',
  date_expired: '2100-01-01',
  asset_count: 5000,
  edition: 'Enterprise',
}
let held = none

const at = consolePage(
  (fixture) => {
    held = none
    const { settings } = fixture
    settings.XPACK_LICENSE_IS_VALID = false
    fixture.profile.perms.push('settings.view_setting', 'settings.change_license')
    fixture.answers.set(`OPTIONS ${detail}`, () => ({ body: metadataOf(Licence, 'en', 'detail') }))
    fixture.answers.set(`GET ${detail}`, () => ({ body: held }))
    fixture.answers.set(`DELETE ${detail}`, () => {
      held = none
      settings.XPACK_LICENSE_IS_VALID = false
      return { status: 204 }
    })
    fixture.answers.set(`OPTIONS ${importing}`, () => ({
      body: callMetadata(LicenceFiles, [LicenceFiles.calls.import], 'en'),
    }))
    fixture.answers.set(`POST ${importing}`, ({ body }) => {
      if (!String(body).includes('signed by the issuer'))
        return { status: 400, body: { file: ['This is no licence file.'] } }
      held = works
      settings.XPACK_LICENSE_IS_VALID = true
      return { body: { status: true, msg: 'The licence was imported.' } }
    })
  },
  { organization: organizations.plant },
)
const licenceFile = (content: string) => ({
  name: 'works.lic',
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
})

test('a licence is imported from a file, shown, and taken away again; the menu follows', async () => {
  at.fixture.profile.perms.push('orgs.view_organization')
  await at.open('/ui/settings/license')
  await at.page.getByText('There is no valid licence').waitFor()
  await at.page.getByText('Community edition', { exact: true }).waitFor()
  const menu = at.page.getByRole('navigation', { name: 'Main menu' })
  expect(await menu.getByRole('link', { name: 'Organizations' }).count()).toBe(0)

  await at.button('Import').click()
  const dialog = at.page.getByRole('dialog')
  const chosen = dialog.locator('input[type=file]')
  await chosen.setInputFiles(licenceFile('a'.repeat(maxLicenceBytes + 1)))
  await dialog.getByText('The file may have at most 16 KB').waitFor()
  await chosen.setInputFiles(licenceFile('something else'))
  await dialog.getByRole('button', { name: 'Import' }).click()
  await dialog.getByText('This is no licence file.').waitFor()
  await chosen.setInputFiles(licenceFile('signed by the issuer'))
  await dialog.getByRole('button', { name: 'Import' }).click()
  await at.page.getByText('The licence was imported').waitFor()
  await at.page.getByText('Example Works').waitFor()
  await at.page.getByText('7 of 5,000').waitFor()
  await menu.getByRole('link', { name: 'Organizations' }).waitFor()

  await at.button('Remove').click()
  await at.page.getByRole('dialog').getByRole('button', { name: 'Remove licence' }).click()
  await at.page.getByText('There is no valid licence').waitFor()
  expect(at.fixture.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
})

test('a licence that ends soon is told above every page, with a way to it', async () => {
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  held = { ...works, date_expired: soon }
  at.fixture.settings.XPACK_LICENSE_IS_VALID = true
  await at.open('/ui/workbench/home')
  const notice = at.page.getByRole('alert').filter({ hasText: 'The licence expires on' })
  await notice.getByRole('link', { name: 'View' }).click()
  await at.page.getByRole('heading', { name: 'Licence' }).waitFor()
})

/** Nothing is told of a licence that has ended, nor asked. */
async function toldNothing(): Promise<void> {
  held = { ...works, date_expired: '2020-01-01' }
  await at.open('/ui/workbench/home')
  await at.page.getByRole('heading', { name: 'Overview' }).waitFor()
  expect(await at.page.getByText('The licence has expired').count()).toBe(0)
  expect(at.fixture.requests.filter(({ path }) => path === detail)).toEqual([])
}

test('who has no say in the licence is told nothing of it', async () => {
  at.fixture.profile.perms = at.fixture.profile.perms.filter((name) => name !== 'settings.change_license')
  await toldNothing()
})

test('where nothing is to be licensed nobody is told of a licence', async () => {
  at.fixture.settings.XPACK_ENABLED = false
  await toldNothing()
})

test('without a licence the help menu leads to the enterprise edition, and there is no organization to choose', async () => {
  await at.open('/ui/console/users/users')
  await at.page.getByRole('button', { name: 'Help' }).click()
  expect(await at.page.getByRole('button', { name: /^Organization:/u }).count()).toBe(0)
  await at.page.getByRole('menuitem', { name: 'Enterprise edition' }).click()
  await at.page.getByRole('heading', { name: 'Licence' }).waitFor()
  at.fixture.settings.XPACK_LICENSE_IS_VALID = true
  await at.open('/ui/console/users/users')
  await at.page.getByRole('button', { name: 'Organization: DEFAULT' }).waitFor()
  await at.page.getByRole('button', { name: 'Help' }).click()
  await at.page.getByRole('menuitem', { name: 'About' }).waitFor()
  expect(await at.page.getByRole('menuitem', { name: 'Enterprise edition' }).count()).toBe(0)
})

test('who was in another organization is in the default one when the licence has ended, but for a link that names another', async () => {
  const users = '/ui/console/users/users'
  const organizationOfLast = () =>
    at.fixture.requests.findLast(({ method, path }) => method === 'GET' && path === '/api/v1/users/users/')
      ?.headers['x-jms-org']
  at.fixture.settings.XPACK_LICENSE_IS_VALID = true
  await at.open(users)
  await at.page.getByRole('button', { name: 'Organization: Plant' }).waitFor()
  await expect.poll(organizationOfLast).toBe(organizations.plant.id)

  at.fixture.settings.XPACK_LICENSE_IS_VALID = false
  await at.page.reload()
  await expect.poll(organizationOfLast).toBe(organizations.standard.id)
  await at.open(`${users}?oid=${organizations.plant.id}`)
  await expect.poll(organizationOfLast).toBe(organizations.plant.id)
  await at.open(users)
  await expect.poll(organizationOfLast).toBe(organizations.standard.id)
})
