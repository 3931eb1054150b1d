import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { pino } from 'pino'
import { WebSocket, WebSocketServer } from 'ws'
import type { TerminalInputAck } from '@sallyport/contract/terminal-socket'
import { WebClient } from './client.ts'
import { TerminalSocket } from './socket.ts'

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
await once(server, 'listening')
afterAll(() => server.close())

async function connected() {
  const page = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const [[socket]] = (await Promise.all([once(server, 'connection'), once(page, 'open')])) as [
    [WebSocket],
    unknown,
  ]
  const ours = new TerminalSocket(socket, { id: 'id', language: 'en', log: pino({ level: 'silent' }) })
  return { page, socket, ours }
}

async function attached() {
  const { page, socket, ours } = await connected()
  const hooks = {
    describeEnd: () => ({ reason: 'killed' as const, detail: '', message: '', can_reattach: false }),
    describeSession: () => undefined,
  }
  const client = new WebClient({ cols: 80, rows: 24 }, hooks)
  client.attach(ours)
  return { page, socket, client }
}

const keys = (text: string) => JSON.stringify({ id: 'id', type: 'TERMINAL_DATA', data: text })
const message = (type: string) => JSON.stringify({ id: 'id', type, data: '' })

/** What a page is told. */
function told(page: WebSocket) {
  const messages: { type: string; data: string }[] = []
  page.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString())))
  const acks = () =>
    messages
      .filter(({ type }) => type === 'TERMINAL_INPUT_ACK')
      .map(({ data }) => JSON.parse(data) as TerminalInputAck)
  return { messages, acks }
}

const replaced = { reason: 'replaced' as const, detail: '', message: '', can_reattach: true }
const size = { cols: 80, rows: 24 }
const noScreen = () => Promise.resolve(undefined)

const long = Buffer.from(Array.from({ length: 512 * 1024 }, (_none, at) => at % 251))

it('gives a long message on in pieces, each in a turn of its own, so that nobody waits for all of it', async () => {
  const { page, client } = await attached()
  let turn = 0
  let isOver = false
  const count = () => {
    turn++
    if (!isOver) setImmediate(count)
  }
  count()
  const pieces: { bytes: Buffer; turn: number }[] = []
  client.stdin.on('data', (bytes: Buffer) => pieces.push({ bytes, turn }))
  page.send(long)
  page.send(keys('then'))
  const all = () => Buffer.concat(pieces.map(({ bytes }) => bytes))
  await expect.poll(() => all().byteLength).toBe(long.byteLength + 4)
  isOver = true
  expect(all().equals(Buffer.concat([long, Buffer.from('then')]))).toBe(true)
  expect(Math.max(...pieces.map(({ bytes }) => bytes.byteLength))).toBe(16 * 1024)
  expect(new Set(pieces.map((piece) => piece.turn)).size).toBe(pieces.length)
  page.terminate()
})

it('reads no further while more than 1 MiB of what was typed waits, and loses nothing', async () => {
  const { page, socket, client } = await attached()
  for (let messages = 0; messages < 4; messages++) page.send(long)
  await expect.poll(() => socket.isPaused).toBe(true)
  expect(client.stdin.readableLength).toBeLessThanOrEqual(32 * 1024)
  const pieces: Buffer[] = []
  client.stdin.on('data', (bytes: Buffer) => pieces.push(bytes))
  await expect.poll(() => Buffer.concat(pieces).equals(Buffer.concat([long, long, long, long]))).toBe(true)
  page.terminate()
})

it('reads no page that comes back any further either, and what each has typed arrives in order', async () => {
  const { page, socket, client } = await attached()
  for (let messages = 0; messages < 3; messages++) page.send(long)
  await expect.poll(() => socket.isPaused).toBe(true)
  const again = await connected()
  await client.reattach(again.ours, size, replaced, noScreen)
  await expect.poll(() => again.socket.isPaused).toBe(true)
  for (let messages = 0; messages < 40; messages++) again.page.send(long)
  await expect.poll(() => again.page.bufferedAmount).toBeGreaterThan(0)
  expect(client.stdin.readableLength).toBeLessThanOrEqual(32 * 1024)
  let bytes = 0
  client.stdin.on('data', (piece: Buffer) => (bytes += piece.byteLength))
  await expect.poll(() => bytes).toBe(43 * long.byteLength)
  again.page.terminate()
})

it('counts what keeps a key, so that a million keys that wait are not kept, either', async () => {
  const { page, socket } = await attached()
  for (let typed = 0; typed < 30_000; typed++) page.send(keys('k'))
  await expect.poll(() => socket.isPaused).toBe(true)
  page.terminate()
})

it('answers a page whose typed text waits', async () => {
  const { page, client } = await attached()
  const { messages } = told(page)
  page.send(long)
  await expect.poll(() => client.stdin.readableLength).toBeGreaterThan(0)
  page.send(message('PING'))
  await expect.poll(() => messages.map(({ type }) => type)).toContain('PONG')
  page.terminate()
})

it.each([
  ['CLOSE', (page: WebSocket) => page.send(message('CLOSE'))],
  ['its close', (page: WebSocket) => page.close(1000)],
])('hears a goodbye (%s) behind typed text that waits, and gives nothing of that on', async (_, leave) => {
  const { page, client } = await attached()
  const left = Promise.withResolvers<void>()
  client.onClose(() => {
    // As the end of the session does.
    client.exit({ kind: 'status', code: 255 })
    left.resolve()
  })
  page.send(long)
  leave(page)
  await left.promise
  let bytes = 0
  client.stdin.on('data', (piece: Buffer) => (bytes += piece.byteLength))
  await once(client.stdin, 'end')
  expect(bytes).toBeLessThanOrEqual(32 * 1024)
})

it('hears CLOSE of a page that never closes its side', async () => {
  const { page, client } = await attached()
  const left = Promise.withResolvers<void>()
  client.onClose(() => left.resolve())
  page.send(message('CLOSE'), () => page.pause())
  await left.promise
  page.terminate()
})

it('tells at first, and as it gives typed text on, how much it has taken and given on', async () => {
  const { page, client } = await attached()
  const { acks } = told(page)
  await expect.poll(acks).toEqual([{ taken: 0, bytes: 0, sockets: 1, refused: 0 }])
  page.send(long)
  await expect.poll(() => client.stdin.readableLength).toBeGreaterThan(0)
  expect(acks().at(-1)?.bytes).toBeLessThanOrEqual(32 * 1024)
  client.stdin.resume()
  await expect.poll(() => acks().at(-1)).toMatchObject({ taken: long.byteLength, bytes: long.byteLength })
  client.lineRefused()
  await expect.poll(() => acks().at(-1)?.refused).toBe(1)
  page.terminate()
})

it('tells a page that comes back what it has taken in all, and goes on from there', async () => {
  const { page, client } = await attached()
  page.send(keys('漢字'))
  page.send(long)
  await expect.poll(() => client.stdin.readableLength).toBeGreaterThan(0)
  page.terminate()
  const again = await connected()
  const { acks } = told(again.page)
  await client.reattach(again.ours, size, replaced, noScreen)
  await expect.poll(() => acks()[0]?.taken).toBe(6 + long.byteLength)
  again.page.send(keys('then'))
  const pieces: Buffer[] = []
  client.stdin.on('data', (bytes: Buffer) => pieces.push(bytes))
  const all = Buffer.concat([Buffer.from('漢字'), long, Buffer.from('then')])
  await expect.poll(() => Buffer.concat(pieces).equals(all)).toBe(true)
  again.page.terminate()
})
