import { afterAll, beforeAll, expect, test } from 'vitest'
import { frameType } from '@sallyport/contract/recording'
import { terminalAckWindowBytes } from '@sallyport/contract/terminal-socket'
import { TestBrowser } from '../../testing/browser.ts'
import { startTestBench, type TestBench } from '../../testing/gateway.ts'
import type { TestUser } from '../../testing/server.ts'
import { WebListener } from './web.ts'

let bench: TestBench
let web: WebListener
let address: string
let auditor: TestUser
beforeAll(async () => {
  bench = await startTestBench()
  web = new WebListener(bench.gateway)
  address = await web.start({ host: '127.0.0.1', port: 0 })
  auditor = bench.server.addUser('eve')
  bench.server.watchers.add(auditor.id)
})
afterAll(async () => {
  await web.stop()
  await bench.stop()
})

const visit = (query: string, user = bench.user) => new TestBrowser(address, query, user.cookie)

async function openTerminal(
  size: [number, number] = [80, 24],
): Promise<{ browser: TestBrowser; id: string }> {
  const token = bench.server.createToken(bench.user, bench.host)
  const browser = visit(`token=${token.id}`)
  await browser.init(...size)
  const { data } = await browser.message('TERMINAL_SESSION')
  return { browser, id: JSON.parse(data).session.id }
}

test('a person works in a browser terminal and is told when it ends', async () => {
  const { browser, id } = await openTerminal([91, 33])
  browser.type('stty size; echo $TERM\n')
  await expect.poll(() => browser.text).toMatch(/33 91\r\nxterm-256color/)
  browser.send('TERMINAL_RESIZE', { cols: 120, rows: 40 })
  browser.type('stty size\n')
  await expect.poll(() => browser.text).toContain('40 120')
  browser.send('PING', '')
  await browser.message('PONG')
  browser.type('exit\n')
  expect(await browser.end()).toMatchObject({ reason: 'target_closed', can_reattach: false })
  await browser.closed
  await expect
    .poll(() => bench.server.sessions.get(id))
    .toMatchObject({ login_from: 'WT', is_finished: true })
})

test('windows of 1×1 and of 9999×9999 are both safe', async () => {
  const { browser } = await openTerminal([1, 1])
  browser.send('TERMINAL_RESIZE', { cols: 9999, rows: 9999 })
  browser.type('stty size\n')
  await expect.poll(() => browser.output.toString().replace(/\s/g, '')).toContain('200600')
  browser.send('CLOSE', '')
  await browser.closed
})

test('nobody gets in without a sign-in, with the link of another person, or twice with one link', async () => {
  const token = bench.server.createToken(bench.user, bench.host)
  const stranger = new TestBrowser(address, `token=${token.id}`, 'jms_sessionid=none')
  expect(await stranger.end()).toMatchObject({ reason: 'refused', message: 'Please sign in first' })
  const other = visit(`token=${token.id}`, auditor)
  await other.init()
  expect((await other.end()).message).toContain('belongs to another person')
  const late = visit(`token=${token.id}`)
  await late.init()
  expect((await late.end()).message).toContain('Access was refused')
})

test('a page of another site gets no socket', async () => {
  const { WebSocket } = await import('ws')
  const socket = new WebSocket(`${address.replace('http', 'ws')}/koko/ws/terminal/?token=x`, 'JMS-KOKO', {
    origin: 'https://evil.example',
    headers: { cookie: bench.user.cookie },
  })
  const error = await new Promise<Error>((resolve) => socket.once('error', resolve))
  expect(error.message).toContain('403')
})

test('after a lost socket the session goes on and the browser gets its screen back', async () => {
  const { browser, id } = await openTerminal()
  browser.type('printf "\\033[31mred\\033[0m 漢字\\n"; sleep 0.3; echo while-$((1+1))-away\n')
  await expect.poll(() => browser.text).toContain('\x1b[31mred')
  browser.lose()
  await browser.closed
  await new Promise((resolve) => setTimeout(resolve, 500))
  const again = visit(`type=reattach&target_id=${id}`)
  await again.init(100, 30)
  await again.message('TERMINAL_RESTORE')
  await expect.poll(() => again.text).toContain('while-2-away')
  expect(again.text).toContain('漢字')
  expect(again.text.match(/while-2-away/g)).toHaveLength(1)
  again.type('echo $((6*7)); stty size\n')
  await expect.poll(() => again.text).toMatch(/42\r\n30 100/)
  const newest = visit(`type=reattach&target_id=${id}`)
  await newest.init()
  expect(await again.end()).toMatchObject({ reason: 'replaced', can_reattach: true })
  await newest.message('TERMINAL_SESSION')
  newest.type('exit\n')
  expect(await newest.end()).toMatchObject({ reason: 'target_closed' })
  await expect.poll(() => bench.server.recordings.get(id)?.finished).toBeTruthy()
  const frames = await bench.server.frames(id)
  const marks = frames
    .filter((frame) => frame.type === frameType.mark)
    .map((frame) => frame.payload.toString())
  expect(marks.join()).toContain('detached')
  expect(marks.join()).toContain('attached')
})

test('nobody else can take over a session', async () => {
  const { browser, id } = await openTerminal()
  const thief = visit(`type=reattach&target_id=${id}`, auditor)
  expect(await thief.end()).toMatchObject({ reason: 'not_found' })
  browser.send('CLOSE', '')
  await browser.closed
  await expect.poll(() => bench.server.sessions.get(id)?.end_reason).toBe('client_left')
})

test('an auditor watches from the beginning, then live, with nothing missing and nothing twice', async () => {
  const { browser, id } = await openTerminal()
  browser.type('for i in $(seq 1 30000); do echo line-$i; done\n')
  await expect.poll(() => browser.text).toContain('line-100\r\n')
  const early = visit(`type=monitor&target_id=${id}`, auditor)
  await expect.poll(() => browser.text).toContain('line-30000\r\n')
  const late = visit(`type=monitor&target_id=${id}`, auditor)
  browser.type('echo the-end; exit\n')
  for (const watcher of [early, late]) {
    expect(await watcher.end()).toMatchObject({ reason: 'target_closed' })
    expect(watcher.output.equals(browser.output)).toBe(true)
    expect(watcher.messages.some((message) => message.type === 'MONITOR_POSITION')).toBe(true)
  }
})

test('only those who may watch do', async () => {
  const { browser, id } = await openTerminal()
  const nosy = visit(`type=monitor&target_id=${id}`)
  expect((await nosy.end()).message).toContain('You may not watch this session')
  // The refusal was about the person: the gateway keeps its key.
  expect(bench.server.calls.filter((call) => call.includes('terminal-registrations'))).toHaveLength(1)
  browser.send('CLOSE', '')
  await browser.closed
})

test('a page that stops reading pauses the target and not the gateway', async () => {
  const { browser, id } = await openTerminal()
  browser.send('TERMINAL_ACK', { bytes: 0 })
  browser.type('yes flood | head -c 50000000; echo done-flooding\n')
  await expect.poll(() => browser.output.byteLength).toBeGreaterThan(terminalAckWindowBytes)
  // The gateway is free for others while nothing flows here, and what the person was not sent nobody saw.
  const beside = await openTerminal()
  beside.browser.type('echo beside-$((1+1)); exit\n')
  await beside.browser.end()
  expect(beside.browser.text).toContain('beside-2')
  const stalledAt = browser.output.byteLength
  expect(stalledAt).toBeLessThan(3_000_000)
  const watcher = visit(`type=monitor&target_id=${id}`, auditor)
  await expect.poll(() => watcher.output.byteLength).toBeGreaterThanOrEqual(stalledAt)
  expect(browser.output.byteLength).toBe(stalledAt)
  browser.send('TERMINAL_ACK', { bytes: browser.output.byteLength })
  await expect.poll(() => browser.output.byteLength).toBeGreaterThan(stalledAt)
  browser.send('CLOSE', '')
  await browser.closed
})
