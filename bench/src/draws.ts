/** Rows a form of 30 fields draws while ten keys are typed into one of them. */
import { countDraws } from '../../apps/console/src/testing/count-draws.ts'
import { openBrowser } from '../../e2e/src/browser.ts'
import { adminPassword, startSystem } from '../../e2e/src/system.ts'
import { below, type Bench, type Figure } from './figure.ts'

const keys = 'Ten keys !'
const limit = 10
const fieldCount = 30

interface Description {
  actions: { POST: Record<string, unknown> }
}

async function run(): Promise<Figure[]> {
  const system = await startSystem({ SALLYPORT_LOG: 'warn' }, { withGateway: false })
  await system.admin.patch('/api/v1/users/profile/', { is_first_login: false })
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    // No resource has as many fields yet: the description of one is told longer than it is.
    await page.route('**/api/v1/users/groups/?*', async (route) => {
      if (route.request().method() !== 'OPTIONS') return route.continue()
      const response = await route.fetch()
      const description = (await response.json()) as Description
      const parts = Array.from({ length: fieldCount - 2 }, (_, index) => [
        `part_${index}`,
        { type: 'string', label: `Part ${index}`, max_length: 99 },
      ])
      description.actions.POST['comment'] = { type: 'nested object', children: Object.fromEntries(parts) }
      return route.fulfill({ response, json: description })
    })
    const draws = await countDraws(page, '[data-field]')
    await page.goto(`${system.origin}/core/auth/login/?next=/ui/console/users/groups/create`)
    await page.locator('input[autocomplete=username]').fill('admin')
    await page.locator('input[type=password]').fill(adminPassword)
    await page.keyboard.press('Enter')
    await page
      .locator('[data-field]')
      .nth(fieldCount - 1)
      .waitFor()
    await page.locator('[data-field=name] input').focus()
    const before = await draws()
    await page.keyboard.type(keys)
    return [below('rows drawn by ten keys in a form of 30 fields', (await draws()) - before, limit, 'rows')]
  } finally {
    await browser.close()
    await system.stop()
  }
}

export default { name: 'draws', run } satisfies Bench
