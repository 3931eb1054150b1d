/** What a browser loads from the sign-in page to the first list of hosts: requests, compressed bytes of script and style. */
import type { Request } from 'playwright-core'
import { openBrowser } from '../../e2e/src/browser.ts'
import { adminPassword, startSystem } from '../../e2e/src/system.ts'
import { addHost } from '../../e2e/src/world.ts'
import { below, type Bench, type Figure } from './figure.ts'

const limitKiB = 300
const limitRequests = 40

async function run(): Promise<Figure[]> {
  const system = await startSystem({ SALLYPORT_LOG: 'warn' }, { withGateway: false })
  await system.admin.patch('/api/v1/users/profile/', { is_first_login: false })
  await addHost(system.admin, { name: 'first-host', port: 22 })
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    // What is fetched while nothing else is begins with the font, once the list is there.
    let isIdle = false
    const sizes: Promise<number>[] = []
    let requests = 0
    page.on('request', (request) => {
      isIdle ||= request.resourceType() === 'font' || request.url().endsWith('.woff2')
      if (isIdle) return
      requests += 1
      if (['script', 'stylesheet'].includes(request.resourceType())) sizes.push(bytesOf(request))
    })
    await page.goto(`${system.origin}/core/auth/login/?next=/ui/console/assets/assets`)
    await page.locator('input[autocomplete=username]').fill('admin')
    await page.locator('input[type=password]').fill(adminPassword)
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: /first-host/ }).waitFor()
    await page.waitForLoadState('networkidle')
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    return [
      below('script and style from sign-in to the first host list', bytes / 1024, limitKiB, 'KiB'),
      below('requests from sign-in to the first host list', requests, limitRequests, ''),
    ]
  } finally {
    await browser.close()
    await system.stop()
  }
}

/** What came over the wire; what the browser had kept costs nothing. */
async function bytesOf(request: Request): Promise<number> {
  const { responseBodySize } = await request.sizes()
  return Math.max(0, responseBodySize)
}

export default { name: 'bundle', run } satisfies Bench
