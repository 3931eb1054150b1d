import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { statementHeader, type Statement } from '@sallyport/contract/gateway/statement'
import { decodeMark, frameType } from '@sallyport/contract/recording'
import { terminalAckWindowBytes } from '@sallyport/contract/terminal-socket'
import { TestBrowser } from '../../testing/browser.ts'
import { filter } from '../../testing/filters.ts'
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
})
afterAll(async () => {
  await web.stop()
  await bench.stop()
})

const visit = (kind: Statement['kind'], target: string, user = bench.user) =>
  new TestBrowser(address, bench.server.statement(user, kind, target))

async function openTerminal(
  size: [number, number] = [80, 24],
): Promise<{ browser: TestBrowser; id: string }> {
  const token = bench.server.createToken(bench.user, bench.host)
  const browser = visit('token', token.id)
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

test('what a page sends right behind its size is typed', async () => {
  const token = bench.server.createToken(bench.user, bench.host)
  const browser = visit('token', token.id)
  const { id } = await browser.message('CONNECT')
  browser.together(() => {
    browser.send('TERMINAL_INIT', { cols: 80, rows: 24 }, id)
    browser.type('echo early-$((1+1))\r')
  })
  await expect.poll(() => browser.text).toContain('early-2')
  browser.send('CLOSE', '')
  await browser.closed
})

test('a page that leaves right behind its size leaves nothing open', async () => {
  const token = bench.server.createToken(bench.user, bench.host)
  const browser = visit('token', token.id)
  const { id } = await browser.message('CONNECT')
  const before = bench.gateway.sessions.size
  browser.together(() => {
    browser.send('TERMINAL_INIT', { cols: 80, rows: 24 }, id)
    browser.send('CLOSE', '')
  })
  await browser.closed
  await expect.poll(() => bench.gateway.sessions.size).toBeLessThanOrEqual(before)
})

test('in a browser terminal a forbidden line is refused in words, and the next one runs', async () => {
  bench.server.filters = [filter('reject', String.raw`\btouch\b`)]
  const { browser } = await openTerminal()
  bench.server.filters = []
  await expect.poll(() => browser.text).toMatch(/\$ $/)
  browser.type('touch never\r')
  await expect.poll(() => browser.text).toContain('Command `touch` is forbidden')
  await expect.poll(() => browser.text).toMatch(/forbidden[^]*\$ $/)
  browser.type('ls never; echo next-$((1+1))\r')
  await expect.poll(() => browser.text).toContain('next-2')
  expect(browser.text).toContain('No such file')
  browser.type('exit\r')
  await browser.end()
})

test('a browser terminal whose connection a login rule rejects is told so', async () => {
  bench.server.reviews.loginRule = 'reject'
  const token = bench.server.createToken(bench.user, bench.host)
  const browser = visit('token', token.id)
  await browser.init()
  const end = await browser.end()
  bench.server.reviews.loginRule = undefined
  expect(end).toMatchObject({ reason: 'refused' })
  expect(end.message).toContain('A login rule rejects this connection')
})

test.each(['{"type":"TERMINAL_DATA","data":1}', 'no json', '[]'])(
  'a page that sends %s is told that it is not understood, and why its socket closes',
  async (text) => {
    const { browser } = await openTerminal()
    const closed = once(browser.socket, 'close')
    browser.socket.send(text)
    expect(await browser.message('TERMINAL_ERROR')).toMatchObject({
      data: expect.stringContaining('does not understand') as string,
    })
    expect((await closed)[0]).toBe(1003)
  },
)

test('windows of 1×1 and of 9999×9999 are both safe', async () => {
  const { browser } = await openTerminal([1, 1])
  browser.send('TERMINAL_RESIZE', { cols: 9999, rows: 9999 })
  browser.type('stty size\n')
  await expect.poll(() => browser.output.toString().replace(/\s/g, '')).toContain('200600')
  browser.send('CLOSE', '')
  await browser.closed
})

/** The status an upgrade is refused with. */
async function refusal(headers: Record<string, string>): Promise<number | undefined> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/koko/ws/terminal/`, 'JMS-KOKO', { headers })
  socket.on('error', () => {})
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  socket.terminate()
  return response.statusCode
}

test('nobody gets in without the word of the server, said to this gateway, of now, and once', async () => {
  const token = bench.server.createToken(bench.user, bench.host)
  const said = (changes: Parameters<typeof bench.server.statement>[3]) => ({
    [statementHeader]: bench.server.statement(bench.user, 'token', token.id, changes),
  })
  expect(await refusal({})).toBe(403)
  expect(await refusal({ cookie: 'jms_sessionid=whatever' })).toBe(403)
  expect(await refusal(said({ key: generateKeyPairSync('ed25519').privateKey }))).toBe(403)
  expect(await refusal(said({ gateway: 'another' }))).toBe(403)
  expect(await refusal(said({ expires: Math.floor(Date.now() / 1000) - 1 }))).toBe(403)
  const once = bench.server.statement(bench.user, 'token', token.id)
  const [text = '', signature = ''] = once.split('.')
  const changed = Buffer.from(text, 'base64url').toString().replace(bench.user.id, auditor.id)
  const forged = `${Buffer.from(changed).toString('base64url')}.${signature}`
  expect(await refusal({ [statementHeader]: forged })).toBe(403)
  const browser = new TestBrowser(address, once)
  await browser.init()
  await browser.message('TERMINAL_SESSION')
  expect(await refusal({ [statementHeader]: once })).toBe(403)
  browser.send('CLOSE', '')
  await browser.closed
})

test('a request that names no path is refused, and harms nobody', async () => {
  const { browser } = await openTerminal()
  for (const path of ['//', '//[', 'http://[']) {
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
    const lines = [
      `GET ${path} HTTP/1.1`,
      'Host: gateway',
      ...upgrade,
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ]
    socket.end(`${lines.join('\r\n')}\r\n\r\n`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1.1 404 /)
  }
  browser.type('echo still-$((1+1))\n')
  await expect.poll(() => browser.text).toContain('still-2')
  browser.send('CLOSE', '')
  await browser.closed
})

test('one person takes only so many places, whatever they come with, and others none the less get in', async () => {
  const few = await startTestBench({}, { TERMINAL_MAX_SESSIONS_PER_USER: 2 })
  const listener = new WebListener(few.gateway)
  const at = await listener.start({ host: '127.0.0.1', port: 0 })
  const come = (user: TestUser) => new TestBrowser(at, few.server.statement(user, 'token', randomUUID()))
  const places = Array.from({ length: 4 }, () => come(few.user))
  for (const place of places) await place.message('CONNECT')
  const fifth = come(few.user)
  expect((await fifth.end()).message).toContain('You have 4 terminals open already')
  await come(few.server.addUser('eve')).message('CONNECT')
  places[0]?.lose()
  await places[0]?.closed
  await expect
    .poll(async () => {
      const again = come(few.user)
      await Promise.race([again.message('CONNECT'), again.message('TERMINAL_END')])
      return again.messages[0]?.type
    })
    .toBe('CONNECT')
  await listener.stop()
  await few.stop()
})

test('nobody gets in with the link of another person, or twice with one link', async () => {
  const token = bench.server.createToken(bench.user, bench.host)
  const other = visit('token', token.id, auditor)
  await other.init()
  expect((await other.end()).message).toContain('belongs to another user')
  const own = visit('token', token.id)
  await own.init()
  await own.message('TERMINAL_SESSION')
  const late = visit('token', token.id)
  await late.init()
  expect((await late.end()).message).toContain('Access was refused')
})

test('after a lost socket the session goes on and the browser gets its screen back', async () => {
  const { browser, id } = await openTerminal()
  browser.type('printf "\\033[31mred\\033[0m 漢字\\n"; sleep 0.3; echo while-$((1+1))-away\n')
  await expect.poll(() => browser.text).toContain('\x1b[31mred')
  browser.lose()
  await browser.closed
  await new Promise((resolve) => setTimeout(resolve, 500))
  const again = visit('reattach', id)
  await again.init(100, 30)
  await again.message('TERMINAL_RESTORE')
  await expect.poll(() => again.text).toContain('while-2-away')
  expect(again.text).toContain('漢字')
  expect(again.text.match(/while-2-away/g)).toHaveLength(1)
  again.type('echo $((6*7)); stty size\n')
  await expect.poll(() => again.text).toMatch(/42\r\n30 100/)
  const newest = visit('reattach', id)
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
  const thief = visit('reattach', id, auditor)
  expect(await thief.end()).toMatchObject({ reason: 'not_found' })
  browser.send('CLOSE', '')
  await browser.closed
  await expect.poll(() => bench.server.sessions.get(id)?.end_reason).toBe('client_left')
})

test('an auditor watches from the beginning, then live, with nothing missing and nothing twice', async () => {
  const { browser, id } = await openTerminal()
  browser.type('for i in $(seq 1 30000); do echo line-$i; done\n')
  await expect.poll(() => browser.text).toContain('line-100\r\n')
  const early = visit('monitor', id, auditor)
  await expect.poll(() => browser.text).toContain('line-30000\r\n')
  const late = visit('monitor', id, auditor)
  browser.type('echo the-end; exit\n')
  for (const watcher of [early, late]) {
    expect(await watcher.end()).toMatchObject({ reason: 'target_closed' })
    expect(watcher.output.equals(browser.output)).toBe(true)
    expect(watcher.messages.some((message) => message.type === 'MONITOR_POSITION')).toBe(true)
  }
})

test('who watches is in the room and in the recording, from joining to leaving; the person sees nothing of it', async () => {
  const { browser, id } = await openTerminal()
  const room = bench.gateway.sessions.get(id)?.room
  const users = () => room?.participants.map(({ user, rights }) => [user.username, rights.write])
  expect(users()).toEqual([['ann', true]])
  const watcher = visit('monitor', id, auditor)
  await watcher.message('MONITOR_POSITION')
  expect(users()).toEqual([
    ['ann', true],
    ['eve', false],
  ])
  watcher.lose()
  await expect.poll(users).toEqual([['ann', true]])
  browser.type('exit\n')
  await browser.end()
  expect(browser.text).not.toContain('eve')
  await expect.poll(() => bench.server.recordings.get(id)?.finished).toBeTruthy()
  const marks = (await bench.server.frames(id))
    .filter((frame) => frame.type === frameType.mark)
    .map((frame) => decodeMark(frame.payload))
  const who = { user_id: auditor.id, user: 'EVE(eve)', rights: { read: true, write: false } }
  expect(marks.slice(0, 2)).toEqual([
    { kind: 'joined', ...who },
    { kind: 'left', ...who },
  ])
})

test('one who comes back after the end is told how it ended, another person is told nothing', async () => {
  const { browser, id } = await openTerminal()
  browser.lose()
  await browser.closed
  bench.server.kill(id, { terminated_by: 'Eve(eve)' })
  await expect.poll(() => bench.server.sessions.get(id)?.is_finished).toBe(true)
  expect(await visit('reattach', id).end()).toMatchObject({ reason: 'killed', detail: 'Eve(eve)' })
  expect(await visit('reattach', id, auditor).end()).toMatchObject({ reason: 'not_found' })
})

/** Gives its socket up, as a page does, where a PING is not answered within its patience; ends with the socket. */
function impatient(browser: TestBrowser, patienceMs: number): void {
  const pongs = () => browser.messages.filter(({ type }) => type === 'PONG').length
  let asked = 0
  let askedAt = 0
  const timer = setInterval(() => {
    if (pongs() < asked) {
      if (performance.now() - askedAt > patienceMs) browser.lose()
      return
    }
    asked++
    askedAt = performance.now()
    browser.send('PING', '')
  }, 100)
  browser.socket.once('close', () => clearInterval(timer))
}

/** A terminal with a command filter, which holds each line that is not shown for about a second, and `cat` in it that shows nothing. */
async function openHeld(file: string) {
  bench.server.filters = [filter('reject', String.raw`\btouch\b`)]
  const { browser, id } = await openTerminal()
  bench.server.filters = []
  await expect.poll(() => browser.text).toMatch(/\$ $/)
  browser.type(`stty -echo; echo ready-$((1+1)); cat > ${file}\r`)
  await expect.poll(() => browser.text).toContain('ready-2')
  return { browser, id }
}
const lines = (count: number, length = 0) =>
  Array.from({ length: count }, (_none, line) => `line ${line} `.padEnd(length, 'x'))
const written = (file: string) =>
  readFile(file, 'utf8').then(
    (text) => text.split('\n').slice(0, -1),
    () => [],
  )

test('a paste whose lines are held for longer than the page waits for an answer arrives whole', async () => {
  const file = join(tmpdir(), `sallyport-paste-${randomUUID()}`)
  const { browser } = await openHeld(file)
  impatient(browser, 3000)
  // Much of it waits for longer than that.
  const pasted = lines(22, 4000)
  browser.type(`${pasted.join('\r')}\r`)
  await expect.poll(() => written(file), { timeout: 50_000 }).toEqual(pasted)
  expect(browser.socket.readyState).toBe(WebSocket.OPEN)
  browser.send('CLOSE', '')
  await browser.closed
  await rm(file)
})

test.each([
  ['CLOSE', (browser: TestBrowser) => browser.send('CLOSE', '')],
  ['its close', (browser: TestBrowser) => browser.socket.close(1000)],
])(
  'a page that leaves (%s) in the middle of a paste ends the session, and nothing more of it arrives',
  async (_, leave) => {
    const file = join(tmpdir(), `sallyport-paste-${randomUUID()}`)
    const { browser, id } = await openHeld(file)
    const session = bench.gateway.sessions.get(id)
    browser.type(`${lines(20_000).join('\r')}\r`)
    await expect.poll(() => written(file)).not.toEqual([])
    const leftAt = performance.now()
    leave(browser)
    expect(await session?.done).toMatchObject({ reason: 'client_left' })
    expect(performance.now() - leftAt).toBeLessThan(2000)
    const arrived = await written(file)
    await sleep(2500)
    expect(await written(file)).toEqual(arrived)
    await rm(file)
  },
)

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
  const watcher = visit('monitor', id, auditor)
  await expect.poll(() => watcher.output.byteLength).toBeGreaterThanOrEqual(stalledAt)
  expect(browser.output.byteLength).toBe(stalledAt)
  browser.send('TERMINAL_ACK', { bytes: browser.output.byteLength })
  await expect.poll(() => browser.output.byteLength).toBeGreaterThan(stalledAt)
  browser.send('CLOSE', '')
  await browser.closed
})
