import { metadataOf } from '@sallyport/contract/resource/metadata'
import { InterfaceSetting, themeColors } from '@sallyport/contract/resources/interface'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'

const path = '/api/v1/xpack/interface/setting/'
const set = { login_title: 'Sallyport of the test', theme: 'classic_green' }
const pictures = { logo_index: '', logo_logout: '', favicon: '', login_image: '' }

const at = consolePage((fixture) => {
  fixture.profile.perms.push('settings.view_setting', 'settings.change_interface')
  const row = { ...set, ...pictures }
  const show = () => Object.assign(fixture.settings.INTERFACE, row)
  fixture.answers.set(`OPTIONS ${path}`, () => ({ body: metadataOf(InterfaceSetting, 'en', 'detail') }))
  fixture.answers.set(`GET ${path}`, () => ({ body: row }))
  fixture.answers.set(`PATCH ${path}`, ({ body }) => {
    const sent = String(body)
    if (sent.includes('name="login_title"')) row.login_title = 'Works gate'
    if (sent.includes('name="logo_index"')) row.logo_index = '/media/interface/works.png'
    if (sent.includes('name="theme"')) {
      row.theme = 'classic_blue'
      fixture.settings.INTERFACE.theme_info = { colors: themeColors.classic_blue }
    }
    show()
    return { body: row }
  })
  fixture.answers.set('GET /media/interface/works.png', () => ({
    body: '<svg xmlns="http://www.w3.org/2000/svg" width="185" height="55" />',
    headers: { 'content-type': 'image/svg+xml', 'content-disposition': 'inline' },
  }))
  fixture.answers.set(`GET ${path}themes/`, () => ({
    body: Object.entries(themeColors).map(([name, colors]) => ({ name, colors })),
  }))
  fixture.answers.set(`PUT ${path}restore/`, () => {
    Object.assign(row, set, pictures)
    fixture.settings.INTERFACE.theme_info = {}
    show()
    return { body: { success: 'The defaults were restored.' } }
  })
})

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const logo = { name: 'logo.png', mimeType: 'image/png', buffer: onePixel }
const chosen = (field: string) => at.page.locator(`[data-field=${field}] input[type=file]`)
const banner = () =>
  at.page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--banner-bg'))

test('title, theme and logo are chosen, tried and saved, and shown at once', async () => {
  await at.open('/ui/settings/interface')
  const before = await banner()
  await at.page.getByRole('radio', { name: 'Blue' }).check()
  await expect.poll(banner).toBe('#174f80')
  await at.button('Reset').click()
  await expect.poll(banner).toBe(before)
  await at.page.getByRole('radio', { name: 'Blue' }).check()
  await at.page.getByLabel('Title of login page').fill('Works gate')
  await chosen('logo_index').setInputFiles(logo)
  await at.page.locator('[data-field=logo_index] img[src^="blob:"]').waitFor()
  await at.button('Submit').click()
  await at.page.getByText('Saved successfully').waitFor()
  const sent = String(at.sentTo('PATCH', path))
  const names = new Set([...sent.matchAll(/name="(\w+)"/g)].map(([, name]) => name))
  expect(names).toEqual(new Set(['login_title', 'logo_index', 'theme']))
  await at.page
    .getByRole('banner')
    .locator('img[src="/media/interface/works.png"]')
    .waitFor({ state: 'attached' })
  await expect.poll(banner).toBe('#174f80')

  await at.button('Restore default').click()
  await at.page.getByRole('dialog').getByRole('button', { name: 'Restore default' }).click()
  await at.page.getByText('The defaults were restored.').waitFor()
  await expect.poll(banner).toBe(before)
  await expect
    .poll(() => at.page.getByLabel('Title of login page').inputValue())
    .toBe('Sallyport of the test')
})

test('a theme that was only tried on is taken off when the page is left', async () => {
  await at.open('/ui/settings/interface')
  const before = await banner()
  await at.page.getByRole('radio', { name: 'Graphite' }).check()
  await expect.poll(banner).toBe('#2b3844')
  await at.page.getByRole('link', { name: 'Basic settings' }).click()
  await at.page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await expect.poll(banner).toBe(before)
})

test('each picture says how large it is shown, and one that is none or too large is refused before it is sent', async () => {
  await at.open('/ui/settings/interface')
  for (const size of ['185x55', '82x82', '16x16', '64x64', '492x472'])
    await at.page.getByText(size).first().waitFor()
  await chosen('logo_logout').setInputFiles({
    name: 'logo.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg/>'),
  })
  await at.page.getByText('Choose a picture: PNG').waitFor()
  await chosen('logo_logout').setInputFiles({ ...logo, buffer: Buffer.alloc((1 << 20) + 1) })
  await at.page.getByText('The file may have at most 1 MB').waitFor()
  await at.button('Submit').click()
  await at.page.locator('[data-field=logo_logout][data-invalid]').waitFor()
  expect(at.fixture.requests.filter(({ method }) => method === 'PATCH')).toEqual([])
})

test('without a licence there is no interface to set', async () => {
  at.fixture.settings.XPACK_LICENSE_IS_VALID = false
  await at.open('/ui/settings/interface')
  await at.page.getByRole('heading', { name: 'Page not found' }).waitFor()
})

test('the login page bears the title and the picture that are set, where there is room', async () => {
  const image = '/media/interface/works.png'
  Object.assign(at.fixture.open.INTERFACE, { login_title: 'Works gate', login_image: image })
  at.fixture.isSignedIn = false
  await at.open('/core/auth/login/')
  await at.page.getByRole('heading', { name: 'Works gate' }).waitFor()
  const shown = at.page.locator(`img[src="${image}"]`)
  await shown.waitFor()
  await at.page.setViewportSize({ width: 600, height: 800 })
  await shown.waitFor({ state: 'hidden' })
})

test('a logo is seen on the ground it is used on, and the buttons stand below the fields however wide the page is', async () => {
  await at.page.setViewportSize({ width: 1600, height: 1000 })
  await at.open('/ui/settings/interface')
  const ground = async (field: string) => {
    await chosen(field).setInputFiles(logo)
    const shown = at.page.locator(`[data-field=${field}] img[src^="blob:"]`)
    return shown.evaluate((image) => getComputedStyle(image).backgroundColor)
  }
  const ofHeader = await at.page
    .getByRole('banner')
    .evaluate((header) => getComputedStyle(header).backgroundColor)
  expect(await ground('logo_index')).toBe(ofHeader)
  expect(await ground('logo_logout')).not.toBe(ofHeader)
  const field = await at.page.getByLabel('Title of login page').boundingBox()
  const button = await at.button('Reset').boundingBox()
  expect(button?.x).toBeCloseTo(field?.x ?? 0, 0)
})
