/**
 * The console on a slow machine behind a thin line: how long from the sign-in to the first list, and the longest task of what people do
 * most. The processor is slowed down fourfold, the line has 100 ms and 4 Mbit/s; of several goes the median counts.
 */
import { Client } from 'pg'
import type { Browser, CDPSession, Locator, Page } from 'playwright-core'
import { fillSignIn, openBrowser, openVisit, signIn } from '../../e2e/src/browser.ts'
import { adminPassword, type System } from '../../e2e/src/system.ts'
import { below, type Bench, type Figure, median, plain, round } from './figure.ts'
import { withServer } from './server.ts'

const slowdown = 4
const latencyMs = 100
const bytesPerSecond = 4_000_000 / 8
const rounds = 3
const rows = 100
const nodes = 1000
const fieldCount = 30
const admin = { username: 'admin', password: adminPassword }
const hosts = '/ui/console/assets/assets'

async function slow(page: Page): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return devtools
}

/** From the sign-in page that stands there, with nothing of the console in the cache, to the first row. */
async function firstList(browser: Browser, { origin }: System): Promise<Figure[]> {
  const times: number[] = []
  const opened: number[] = []
  const requests: number[] = []
  for (let round = 0; round < rounds; round++) {
    const { page } = await openVisit(browser)
    const devtools = await slow(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: latencyMs,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    })
    let count = 0
    page.on('request', () => (count += 1))
    const begun = performance.now()
    await page.goto(`${origin}/core/auth/login/?next=${encodeURIComponent(hosts)}`)
    await page.locator('input[type=password]').waitFor()
    opened.push(performance.now() - begun)
    await page.waitForLoadState('networkidle')
    const from = performance.now()
    await fillSignIn(page, admin)
    await page.getByRole('row', { name: /slow-000/ }).waitFor()
    times.push(performance.now() - from)
    requests.push(count)
    await page.context().close()
  }
  return [
    plain('sign-in page, cold cache, slow machine and line', `${round(median(opened) / 1000)} s`),
    below('sign-in to first list, slow machine and line', median(times) / 1000, 2.5, 's'),
    below('the same: requests, the sign-in page with them', median(requests), 40, ''),
  ]
}

const atRest = (page: Page) => page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))

/** The longest task while `act` runs and what it begins comes to rest, in ms; 0: none that a browser calls long (50 ms). */
async function longestTask(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => {
    const seen: number[] = []
    Object.assign(globalThis, { longTasks: seen })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.push(duration)
    }).observe({ type: 'longtask' })
  })
  await act()
  await page.waitForLoadState('networkidle')
  await atRest(page)
  return await page.evaluate(() =>
    Math.max(0, ...(globalThis as unknown as { longTasks: number[] }).longTasks),
  )
}

interface Deed {
  name: string
  path: string
  /** What stands there before it is done. */
  until: (page: Page) => Promise<unknown>
  /** What is pressed. It is looked up before: what that takes is none of the console's. */
  pressed: (page: Page, round: number) => Locator
  /** What is done then. */
  after?: (page: Page) => Promise<unknown>
}
const deeds: Deed[] = [
  {
    name: `ticking a row of ${rows}`,
    path: hosts,
    until: (page) =>
      page
        .getByRole('checkbox', { name: /^Select slow-/ })
        .nth(rows - 1)
        .waitFor(),
    pressed: (page, round) => page.getByRole('checkbox', { name: `Select slow-00${round}` }),
  },
  {
    name: `choosing a node of ${nodes}`,
    path: hosts,
    until: async (page) => {
      await page.getByRole('treeitem').nth(rows).waitFor()
      const more = page.getByRole('button', { name: /^More \(/ })
      while ((await more.count()) > 0) await more.first().click()
      await page
        .getByRole('treeitem')
        .nth(nodes - 1)
        .waitFor({ state: 'attached' })
    },
    pressed: (page, round) => page.getByRole('treeitem').nth(round + 2),
  },
  {
    name: 'opening a form',
    path: '/ui/console/users/groups',
    until: (page) => page.getByRole('button', { name: 'Create', exact: true }).waitFor(),
    pressed: (page) => page.getByRole('button', { name: 'Create', exact: true }),
    after: (page) => page.locator('[data-field=name] input').waitFor(),
  },
  {
    name: `ten keys in a form of ${fieldCount} fields`,
    path: '/ui/console/users/groups/create',
    until: (page) =>
      page
        .locator('[data-field]')
        .nth(fieldCount - 1)
        .waitFor(),
    pressed: (page) => page.locator('[data-field=name] input'),
    after: (page) => page.keyboard.type('Ten keys !'),
  },
]

/** No resource has as many fields: the description of one is told longer than it is. */
const lengthen = (page: Page) =>
  page.route('**/api/v1/users/groups/?*', async (route) => {
    if (route.request().method() !== 'OPTIONS') return route.continue()
    const response = await route.fetch()
    const description = (await response.json()) as { actions: { POST: Record<string, unknown> } }
    const parts = Array.from({ length: fieldCount - 2 }, (_, index) => [
      `part_${index}`,
      { type: 'string', label: `Part ${index}`, max_length: 99 },
    ])
    description.actions.POST['comment'] = { type: 'nested object', children: Object.fromEntries(parts) }
    return route.fulfill({ response, json: description })
  })

async function tasks(browser: Browser, system: System): Promise<Figure[]> {
  const { page } = await signIn(browser, system, admin, hosts)
  await page.evaluate(() => localStorage.setItem('paginationSize', '100'))
  await slow(page)
  const figures: Figure[] = []
  for (const { name, path, until, pressed, after } of deeds) {
    const longest: number[] = []
    if (name.includes('fields')) await lengthen(page)
    for (let round = 0; round < rounds; round++) {
      await page.goto(`${system.origin}${path}`)
      await until(page)
      await page.waitForLoadState('networkidle')
      const target = pressed(page, round)
      await target.scrollIntoViewIfNeeded()
      const box = await target.boundingBox()
      if (box === null) throw new Error(`${name}: nothing to press`)
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
      await atRest(page)
      const act = async () => {
        await page.mouse.down()
        await page.mouse.up()
        await after?.(page)
      }
      longest.push(await longestTask(page, act))
    }
    figures.push(below(`longest task, 4× slowed down: ${name}`, Math.max(0.1, median(longest)), 50, 'ms'))
  }
  return figures
}

async function fill({ admin: api }: System, url: string): Promise<void> {
  await api.patch('/api/v1/users/profile/', { is_first_login: false })
  await api.post(
    '/api/v1/assets/hosts/',
    Array.from({ length: rows }, (_none, n) => ({
      name: `slow-${String(n).padStart(3, '0')}`,
      address: '127.0.8.1',
      platform: 1,
    })),
  )
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      `insert into nodes (parent_id, number, value, org_id) select id, n, 'node-' || n, org_id
       from nodes, generate_series(1000, 999 + $1::int) n where org_id = '00000000-0000-0000-0000-000000000002' and parent_id is null`,
      [nodes],
    )
  } finally {
    await client.end()
  }
}

const run = (): Promise<Figure[]> =>
  withServer(async (system, databaseUrl) => {
    await fill(system, databaseUrl)
    const browser = await openBrowser()
    try {
      return [...(await firstList(browser, system)), ...(await tasks(browser, system))]
    } finally {
      await browser.close()
    }
  })

export default { name: 'console', run } satisfies Bench
