import { Asset } from '@sallyport/contract/resources/assets'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../../../testing/browser.ts'
import { builtFolder } from '../../../testing/built-folder.ts'
import { serveRows } from '../../../testing/fixture-rows.ts'
import { type Fixture, startFixture } from '../../../testing/fixture-server.ts'

const timeoutMs = 60_000
const id = '8d1c0000-0000-4000-8000-000000000001'

let browser: Browser
let fixture: Fixture
let page: Page

beforeAll(async () => {
  browser = await launchBrowser()
  fixture = await startFixture(builtFolder())
  fixture.isSignedIn = true
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
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })
  context.setDefaultTimeout(15_000)
  await context.addCookies([{ name: 'jms_session_expire', value: 'age', url: fixture.origin }])
  page = await context.newPage()
}, timeoutMs)

afterAll(async () => {
  await browser.close()
  await fixture.close()
})

test(
  'a node is renamed from its menu, keeps its count, and offers only what the person may do',
  async () => {
    const renamed: unknown[] = []
    fixture.answers.set(`PATCH /api/v1/assets/nodes/${id}/`, ({ body }) => {
      renamed.push(body)
      return { body: {} }
    })
    await page.goto(`${fixture.origin}/ui/console/assets/assets`)
    const node = page.getByRole('treeitem', { name: 'Default (3)' })
    await node.click({ button: 'right' })
    await expect
      .poll(() => page.getByRole('menuitem').allTextContents())
      .toEqual(['Rename node', 'Delete node', 'Show only assets of this node', 'Node information'])
    await page.getByRole('menuitem', { name: 'Rename node' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Plants')
    await page.keyboard.press('Enter')
    await page.getByRole('treeitem', { name: 'Plants (3)' }).waitFor()
    expect(renamed).toEqual([{ value: 'Plants' }])
  },
  timeoutMs,
)
