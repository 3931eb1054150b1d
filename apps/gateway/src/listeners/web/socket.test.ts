import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { pino } from 'pino'
import { WebSocket, WebSocketServer } from 'ws'
import { TerminalSocket } from './socket.ts'

const log = pino({ level: 'silent' })
const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
await once(server, 'listening')
afterAll(() => server.close())

async function connected() {
  const page = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const [[socket]] = (await Promise.all([once(server, 'connection'), once(page, 'open')])) as [
    [WebSocket],
    unknown,
  ]
  return { page, socket }
}

it.each([
  ['values', { more: Array.from({ length: 100 }, () => ({})) }],
  ['text where none is typed', { type: 'TERMINAL_RESIZE', data: ' '.repeat(5000) }],
])('reads no message of more %s than any has', async (_what, more) => {
  const { page, socket } = await connected()
  const terminal = new TerminalSocket(socket, { id: 'id', language: 'en', log })
  let heard = 0
  terminal.onMessage = () => heard++
  page.send(JSON.stringify({ id: terminal.id, type: 'TERMINAL_DATA', data: '[{}]'.repeat(1000) }))
  page.send(JSON.stringify({ id: terminal.id, type: 'TERMINAL_DATA', data: 'x', ...more }))
  const [code] = (await once(page, 'close')) as [number]
  expect(code).toBe(1003)
  expect(heard).toBe(1)
})

it('passes over messages of types it does not know, and takes those without data', async () => {
  const { page, socket } = await connected()
  const terminal = new TerminalSocket(socket, { id: 'id', language: 'en', log })
  const heard: unknown[] = []
  terminal.onMessage = (message) => heard.push(message.type)
  page.send(JSON.stringify({ id: terminal.id, type: 'TERMINAL_SPARKLE', data: 'x' }))
  page.send(JSON.stringify({ id: terminal.id, type: 'PING', data: null }))
  const [answer] = (await once(page, 'message')) as [Buffer]
  expect(JSON.parse(answer.toString())).toMatchObject({ type: 'PONG' })
  page.send(JSON.stringify({ id: terminal.id, type: 'TERMINAL_DATA', data: 'x' }))
  page.send('[]')
  const [code] = (await once(page, 'close')) as [number]
  expect(heard).toEqual(['TERMINAL_DATA'])
  expect(code).toBe(1003)
})

it('keeps no answers for a page that asks whether it is there and never reads them', async () => {
  const { page, socket } = await connected()
  // As long as an id may be, so that few answers are much.
  const terminal = new TerminalSocket(socket, { id: 'i'.repeat(1000), language: 'en', log })
  page.pause()
  let asked = 0
  socket.on('message', () => asked++)
  const ping = JSON.stringify({ id: terminal.id, type: 'PING', data: '' })
  for (let at = 0; at < 20_000; at++) page.send(ping)
  await expect.poll(() => asked, { timeout: 20_000 }).toBe(20_000)
  expect(socket.bufferedAmount).toBeLessThan(1 << 20)
  page.terminate()
})
