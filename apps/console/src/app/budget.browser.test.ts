import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Asset } from '@sallyport/contract/resources/assets'
import { expect, test } from 'vitest'
import { sharedBrowser } from '../testing/browser.ts'
import { builtFolder } from '../testing/built-folder.ts'
import { serveRows } from '../testing/fixture-rows.ts'
import { startFixture } from '../testing/fixture-server.ts'

const timeoutMs = 60_000
const requestsAtMost = 40
const kibAtMost = 300

/** The size a file of the console has on the way: as it was compressed when it was built. */
async function bytesOnTheWay(address: string): Promise<number> {
  const file = join(builtFolder(), new URL(address).pathname.replace(/^\/ui\//u, ''))
  const compressed = await stat(`${file}.br`).catch(() => stat(file))
  return compressed.size
}

test.each(['en-GB', 'zh-CN', 'ja-JP'])(
  'from the sign-in page to the first list of hosts a browser asks at most 40 times and loads at most 300 KiB: %s',
  async (locale) => {
    const browser = await sharedBrowser()
    const context = await browser.newContext({ locale })
    const fixture = await startFixture(builtFolder())
    try {
      const host = {
        id: '8d1c0000-0000-4000-8000-000000000001',
        name: 'first-host',
        address: '192.0.2.1',
        protocols: [{ name: 'ssh', port: 22 }],
        labels: [],
        nodes_display: ['/Default'],
        platform: { id: 1, name: 'Linux' },
        is_active: true,
      }
      serveRows(fixture, Asset, [host])
      fixture.answers.set('GET /api/v1/assets/nodes/children/tree/', () => ({ body: [] }))
      const page = await context.newPage()
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await page.goto(`${fixture.origin}/core/auth/login/?next=/ui/console/assets/assets`)
      await page.locator('input[type=password]').waitFor()
      await page.locator('input[autocomplete^=username]').fill('ann')
      await page.locator('input[type=password]').fill('correct horse')
      await page.keyboard.press('Enter')
      await page.getByRole('row', { name: /first-host/u }).waitFor()
      await page.waitForLoadState('networkidle')
      // What can wait comes once the list is there: the text font for the pages after this one, and the code of
      // questions, which must not have to be fetched when the network is gone.
      const fontAt = () => asked.findIndex((address) => address.endsWith('.woff2'))
      const questionAt = () => asked.findIndex((address) => address.includes('/ask-dialog'))
      await expect.poll(questionAt).toBeGreaterThan(fontAt())
      const list = asked.findIndex((address) => address.includes('/assets/assets/?'))
      expect(asked.filter((address) => address.endsWith('.woff2'))).toHaveLength(1)
      expect(fontAt()).toBeGreaterThan(list)
      const forTheList = asked.slice(0, fontAt())
      const files = forTheList.filter((address) => /\.(?:js|css)$/u.test(address))
      const sizes = await Promise.all([...new Set(files)].map(bytesOnTheWay))
      const kib = sizes.reduce((sum, size) => sum + size, 0) / 1024
      expect(forTheList.length).toBeLessThanOrEqual(requestsAtMost)
      expect(kib).toBeLessThanOrEqual(kibAtMost)
    } finally {
      await context.close()
      await fixture.close()
    }
  },
  timeoutMs,
)
