/** Somebody brings hosts in a spreadsheet, mends what was wrong with it, and takes them out again. */
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, signInAsAdmin, type Visit } from '../src/browser.ts'
import { startSystem, type System } from '../src/system.ts'

let system: System
let browser: Browser
let admin: Visit
let page: Page

beforeAll(async () => {
  system = await startSystem({}, { withGateway: false })
  browser = await openBrowser()
  admin = await signInAsAdmin(browser, system, '/ui/console/assets/hosts')
  page = admin.page
})
afterAll(async () => {
  await browser?.close()
  await system?.stop()
})

const dialog = () => page.getByRole('dialog')
const tool = (name: string) => page.getByRole('button', { name, exact: true }).click()
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true })
const choose = (name: string, content: Buffer) =>
  dialog().locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer: content })
const hosts = () =>
  system.admin.get<{ id: string; name: string; comment: string }[]>('/api/v1/assets/hosts/?order=name')

it('an import with failing rows is mended and continued to its end', async () => {
  const file = [
    '*Name,*IP/Host,*Platform,Protocols,Comment,Seen in stock',
    'app-1,127.0.2.1,Linux(1),"[""ssh/22""]",=1+1,yes',
    'app-2,127.0.2.2,No such(99999),"[""ssh/22""]",,yes',
    'app-3,127.0.2.3,Linux(1),"[""ssh/2022"", ""telnet/2023""]",三号,no',
  ]
  const answer = await system.admin.get<string>('/api/v1/assets/hosts/?format=csv&template=import')
  const titles = answer.split('\r\n', 1)[0] ?? ''
  for (const title of ['*Name', '*Platform', 'Protocols', 'Comment']) expect(titles).toContain(title)
  await tool('Import')
  await choose('hosts.csv', Buffer.from(`\uFEFF${file.join('\r\n')}`))
  await inDialog('Import').click()
  await page.getByText('1 item failed to import').waitFor()
  expect((await hosts()).map(({ name }) => name)).toEqual(['app-1', 'app-3'])

  await dialog()
    .getByRole('button', { name: /^Platform: No such/ })
    .click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('{"pk": 1, "name": "Linux"}')
  await page.keyboard.press('Enter')
  await inDialog('Continue').click()
  await page.getByText('All rows are imported.').waitFor()
  await inDialog('Finished').click()
  await page.getByText('Total 3').waitFor()
  expect(await hosts()).toMatchObject([
    { name: 'app-1', address: '127.0.2.1', comment: '=1+1' },
    { name: 'app-2', address: '127.0.2.2' },
    { name: 'app-3', address: '127.0.2.3', comment: '三号' },
  ])
})

it.each(['CSV', 'Excel'])(
  'what is exported as %s is opened again, and changes what it came from',
  async (format) => {
    await tool('Export')
    await dialog().getByRole('radio', { name: format }).check()
    const [kept] = await Promise.all([page.waitForEvent('download'), inDialog('Export').click()])
    const content = await readFile(await kept.path())
    await dialog().waitFor({ state: 'hidden' })

    await tool('Import')
    await dialog().getByRole('radio', { name: 'Update' }).check()
    await choose(kept.suggestedFilename(), content)
    await dialog()
      .getByRole('button', { name: /^Comment: 三号/ })
      .click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(`opened from ${format}`)
    await page.keyboard.press('Enter')
    await inDialog('Import').click()
    await page.getByText('All rows are imported.').waitFor()
    await inDialog('Finished').click()
    expect(await hosts()).toMatchObject([
      { name: 'app-1', comment: '=1+1' },
      { name: 'app-2', comment: '' },
      { name: 'app-3', comment: `opened from ${format}` },
    ])
    await system.admin.patch(`/api/v1/assets/hosts/${(await hosts())[2]?.id}/`, { comment: '三号' })
    expect(admin.complaints).toEqual([])
  },
)
