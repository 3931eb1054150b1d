import { expect, test } from 'vitest'
import { consolePage } from '../../../testing/console-page.ts'

const dayMs = 86_400_000
const messages = Array.from({ length: 20 }, (_, at) => ({
  id: `7d1c0000-0000-4000-8000-0000000000${String(at + 10)}`,
  has_read: false,
  read_at: null,
  date_created: new Date(Date.now() - (at === 1 ? 8 * dayMs : 7_200_000)).toISOString(),
  content: {
    id: 'c',
    subject: `Message ${String(at + 1)}`,
    message:
      '<p>Hello <b>Ann</b></p><img src=x onerror="top.hacked = 1"><a href="javascript:top.hacked = 1">here</a>',
    date_created: '',
    date_updated: '',
    sender: 'Bob(bob)',
  },
}))
const path = '/api/v1/notifications/site-messages/'

const at = consolePage((fixture) => {
  const rows = messages.map((one) => ({ ...one }))
  fixture.setUnread(150)
  fixture.answers.set(`GET ${path}`, ({ query }) => {
    const found = query.get('has_read') === 'false' ? rows.filter((one) => !one.has_read) : rows
    const offset = Number(query.get('offset'))
    return {
      body: { count: found.length, results: found.slice(offset, offset + Number(query.get('limit'))) },
    }
  })
  fixture.answers.set(`GET ${path}unread-total/`, () => ({
    body: { total: rows.filter((one) => !one.has_read).length },
  }))
  const read = (ids: readonly string[]) => {
    for (const one of rows) if (ids.length === 0 || ids.includes(one.id)) one.has_read = true
    return { body: { detail: 'ok' } }
  }
  fixture.answers.set(`PATCH ${path}mark-as-read/`, ({ body }) => read((body as { ids: string[] }).ids))
  fixture.answers.set(`PATCH ${path}mark-as-read-all/`, () => read([]))
})

const badge = (text: string) => at.page.getByText(text, { exact: true }).waitFor()
const bell = () => at.page.getByRole('button', { name: /^Site messages/ })
const line = (subject: string) => at.page.getByRole('listitem').filter({ hasText: subject })

test('the bell tells how many messages are unread, live, up to 99', async () => {
  await at.open('/ui/profile/info')
  await badge('99+')
  at.fixture.setUnread(3)
  await badge('3')
  await at.page.getByRole('button', { name: 'Site messages: 3 unread' }).waitFor()
})

test('the focus is on the bell again once the drawer is closed by the keyboard', async () => {
  await at.open('/ui/profile/info')
  await bell().press('Enter')
  await line('Message 15').waitFor()
  await at.page.keyboard.press('Escape')
  await at.page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => bell().evaluate((element) => element === document.activeElement)).toBe(true)
})

test('a drawer of 380 px shows 15 messages a page, how long ago they came, and reads one, several or all', async () => {
  await at.open('/ui/profile/info')
  await bell().click()
  const drawer = at.page.getByRole('dialog')
  await line('Message 15').waitFor()
  expect(await at.page.getByRole('listitem').filter({ hasText: 'Message' }).count()).toBe(15)
  expect((await drawer.boundingBox())?.width).toBe(380)
  await line('Message 1').first().getByText('2 hours ago').waitFor()
  expect(await line('Message 2').first().locator('time').textContent()).toMatch(/\d+\/\d+\/\d{4}/)
  await line('Message 3').getByRole('checkbox').check()
  await line('Message 4').getByRole('checkbox').check()
  await at.button('Mark 2 as read').click()
  await badge('18')
  expect(at.sentTo('PATCH', `${path}mark-as-read/`)).toEqual({ ids: [messages[2]?.id, messages[3]?.id] })
  await at.button('All read').click()
  await at.button('Confirm').click()
  await at.page.getByText('No unread messages').waitFor()
  await at.page.getByText('All', { exact: true }).click()
  await line('Message 15').waitFor()
})

test('what a message holds is shown cleaned, and opening it can mark it as read', async () => {
  await at.open('/ui/profile/info')
  await bell().click()
  await line('Message 5').getByRole('button', { name: 'Message 5' }).click()
  const dialog = at.page.getByRole('dialog', { name: 'Message 5' })
  await dialog.getByText('Hello Ann').waitFor()
  expect(await dialog.locator('b').textContent()).toBe('Ann')
  expect(await dialog.locator('img').count()).toBe(0)
  expect(await dialog.getByText('here').getAttribute('href')).toBeNull()
  expect(await at.page.evaluate(() => 'hacked' in globalThis)).toBe(false)
  await dialog.getByRole('button', { name: 'Mark as read' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await badge('19')
})

test('messages that cannot be marked say why', async () => {
  at.fixture.answers.set(`PATCH ${path}mark-as-read/`, () => ({ status: 400, body: { detail: 'Not now.' } }))
  await at.open('/ui/profile/info')
  await bell().click()
  await line('Message 6').hover()
  await line('Message 6').getByRole('button', { name: 'Mark as read' }).click()
  await at.page.getByText('Not now.').waitFor()
})

test('a socket that cannot be opened is told of once, and tried again', async () => {
  at.fixture.setUnread(-1)
  await at.open('/ui/profile/info')
  await at.page.getByText('Connect Websocket failed').waitFor()
  at.fixture.setUnread(7)
  await badge('7')
})

test('on a phone the drawer takes 70 %', async () => {
  await at.page.setViewportSize({ width: 500, height: 800 })
  await at.open('/ui/profile/info')
  await bell().click()
  await line('Message 15').waitFor()
  expect((await at.page.getByRole('dialog').boundingBox())?.width).toBe(350)
})
