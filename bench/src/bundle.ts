/** What a browser loads from the sign-in page to the first list of hosts: requests, compressed bytes of script and style. */
import { chromium } from 'playwright-core'
import { adminPassword, startSystem } from '../../e2e/src/system.ts'
import { addHost } from '../../e2e/src/world.ts'
import { below, type Bench, type Figure } from './figure.ts'

const limitKiB = 300
const limitRequests = 40

async function run(): Promise<Figure[]> {
  const system = await startSystem({ SALLYPORT_LOG: 'warn' }, { withGateway: false })
  await system.admin.patch('/api/v1/users/profile/', { is_first_login: false })
  await addHost(system.admin, { name: 'first-host', port: 22 })
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
  try {
    const page = await browser.newPage()
    const sizes: Promise<number>[] = []
    let requests = 0
    page.on('request', () => (requests += 1))
    page.on('requestfinished', (request) => {
      if (['script', 'stylesheet'].includes(request.resourceType()))
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
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

export default { name: 'bundle', run } satisfies Bench
