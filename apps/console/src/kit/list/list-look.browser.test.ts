import { Session } from '@sallyport/contract/resources/terminal'
import { beforeEach, expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { assetRow, serveAssets } from '../../testing/asset-rows.ts'
import { serveRows } from '../../testing/fixture-rows.ts'

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const sessions = Array.from({ length: 60 }, (_, index) => ({
  id: `8d1c0000-0000-4000-8000-0000000001${String(index).padStart(2, '0')}`,
  user: 'Administrator(admin)',
  asset: `frankfurt-application-${index}(192.0.2.${index})`,
  account: 'deployment(deployment)',
  protocol: 'ssh',
  login_from: { value: 'WT', label: 'Web Terminal' },
  remote_addr: '203.0.113.199',
  command_amount: 12,
  is_finished: false,
  is_success: true,
  can_join: true,
  can_terminate: true,
  date_start: minutesAgo(5),
  date_end: null,
}))

const at = consolePage((fixture) => {
  fixture.profile.perms.push('terminal.terminate_session')
  serveRows(fixture, Session, sessions)
})

beforeEach(async () => {
  await at.page.setViewportSize({ width: 1280, height: 800 })
  await at.open('/ui/audit/sessions/sessions')
  await at.page.getByRole('row').nth(1).waitFor()
})

for (const width of [1280, 1440])
  test(`at ${width} px no column of the session list is out of sight`, async () => {
    await at.page.setViewportSize({ width, height: 800 })
    const headings = at.page.getByRole('columnheader')
    expect(await headings.allTextContents()).toContain('Asset')
    const scroll = at.page.locator('table').locator('..')
    const { right, hidden } = await scroll.evaluate((element) => ({
      right: element.getBoundingClientRect().right,
      hidden: element.scrollWidth - element.clientWidth,
    }))
    expect(hidden).toBe(0)
    for (const heading of await headings.all()) {
      const box = await heading.boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(right + 1)
    }
  })

test('columns that are chosen beyond what there is room for are scrolled to, and stay readable', async () => {
  serveAssets(at.fixture, [assetRow(1, 'Linux')])
  await at.open('/ui/console/assets/assets')
  await at.page.getByRole('row').nth(1).waitFor()
  await at.button('Choose columns').click()
  const dialog = at.page.getByRole('dialog', { name: 'Choose columns' })
  await dialog.getByRole('checkbox').first().waitFor()
  for (const box of await dialog.getByRole('checkbox').all()) if (await box.isEnabled()) await box.check()
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => at.page.getByRole('columnheader').count()).toBeGreaterThan(14)
  const widths = await at.page
    .locator('thead th:not(:has(input))')
    .evaluateAll((cells) => cells.slice(0, -1).map((cell) => cell.getBoundingClientRect().width))
  expect(Math.min(...widths)).toBeGreaterThan(65)
  await at.page.getByRole('row').nth(1).hover()
  const update = at.page.getByRole('row').nth(1).getByRole('button', { name: 'Update' })
  expect((await update.boundingBox())?.x).toBeLessThan(1280)
})

test('a row without a name is called by what it is about, and never by its id', async () => {
  const ticks = at.page.locator('tbody').getByRole('checkbox')
  expect(await ticks.first().getAttribute('aria-label')).toBe(
    'Select Administrator(admin) → frankfurt-application-0(192.0.2.0)',
  )
})

test('an account whose username is its name is told once, and the search says what it is of', async () => {
  serveRows(at.fixture, Session, [{ ...sessions[0], id: sessions[0]?.id ?? '', account: 'deploy(deploy)' }])
  await at.page.reload()
  const account = at.page.locator('td[data-name=account]')
  await expect.poll(() => account.allTextContents()).toEqual(['deploy'])
  await at.page.getByRole('search', { name: /^Session/ }).waitFor()
})

test('a time is told by how long ago it is, and in full under the pointer', async () => {
  const time = at.page.locator('tbody time').first()
  expect(await time.textContent()).toBe('5 minutes ago')
  expect(await time.getAttribute('datetime')).toBe(sessions[0]?.date_start)
  expect(await time.getAttribute('title')).toMatch(/\d{1,2}\/\d{1,2}\/\d{4} \d{1,2}:\d{2}:\d{2} [AP]M/u)
})

test('what can be done with a row is seen on every row, quietly until one is at it with pointer or keyboard', async () => {
  const monitor = (row: number) => at.page.getByRole('row').nth(row).getByRole('button', { name: 'Monitor' })
  const border = (row: number) => monitor(row).evaluate((button) => getComputedStyle(button).borderTopColor)
  const none = 'rgba(0, 0, 0, 0)'
  await at.page.mouse.move(0, 0)
  await expect.poll(() => border(2)).toBe(none)
  await at.page.getByRole('row').nth(2).hover()
  await expect.poll(() => border(2)).not.toBe(none)
  expect(await border(3)).toBe(none)
  await at.page.getByRole('row').nth(3).focus()
  await expect.poll(() => border(3)).not.toBe(none)
})

for (const width of [1280, 1440])
  test(`at ${width} px buttons of a row cover no value, and a name and what belongs to it are two lines at most`, async () => {
    await at.page.setViewportSize({ width, height: 800 })
    const row = at.page.getByRole('row').nth(2)
    await row.hover()
    const [last, first] = await Promise.all([
      row.locator('td[data-name]').last().boundingBox(),
      row.getByRole('button').first().boundingBox(),
    ])
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(first?.x ?? 0)
    const lines = await row.locator('td[data-name=user], td[data-name=account]').evaluateAll((cells) =>
      cells.map((cell) => ({
        parts: [...cell.querySelectorAll('span > span')].map((part) => part.scrollWidth - part.clientWidth),
        tops: new Set(
          [...cell.querySelectorAll('span > span')].map((part) => part.getBoundingClientRect().top),
        ).size,
      })),
    )
    for (const { parts, tops } of lines) {
      expect(Math.max(...parts)).toBeLessThanOrEqual(0)
      expect(tops).toBeLessThanOrEqual(2)
    }
  })

test('the headings stay when the rows are scrolled', async () => {
  const heading = at.page.getByRole('columnheader').first()
  // The page itself may be scrolled a little for the last of them.
  await at.page.getByRole('row').last().scrollIntoViewIfNeeded()
  const before = await heading.boundingBox()
  await at.page
    .locator('table')
    .locator('..')
    .evaluate((element) => element.scrollTo(0, 200))
  await expect.poll(async () => (await heading.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0)
})
