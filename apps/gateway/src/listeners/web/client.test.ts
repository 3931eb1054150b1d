import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { pino } from 'pino'
import { WebSocket, WebSocketServer } from 'ws'
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
  page.send('{"id":"id","type":"TERMINAL_DATA","data":"then"}')
  const all = () => Buffer.concat(pieces.map(({ bytes }) => bytes))
  await expect.poll(() => all().byteLength).toBe(long.byteLength + 4)
  isOver = true
  expect(all().equals(Buffer.concat([long, Buffer.from('then')]))).toBe(true)
  expect(Math.max(...pieces.map(({ bytes }) => bytes.byteLength))).toBe(16 * 1024)
  expect(new Set(pieces.map((piece) => piece.turn)).size).toBe(pieces.length)
  page.terminate()
})

it('reads no further while nobody takes what was typed, and loses nothing', async () => {
  const { page, socket, client } = await attached()
  for (let messages = 0; messages < 4; messages++) page.send(long)
  await expect.poll(() => socket.isPaused).toBe(true)
  expect(client.stdin.readableLength).toBeLessThanOrEqual(96 * 1024)
  const pieces: Buffer[] = []
  client.stdin.on('data', (bytes: Buffer) => pieces.push(bytes))
  await expect.poll(() => Buffer.concat(pieces).equals(Buffer.concat([long, long, long, long]))).toBe(true)
  page.terminate()
})

it('reads no page that comes back any further either, and what each has typed arrives in order', async () => {
  const { page, socket, client } = await attached()
  page.send(long)
  await expect.poll(() => socket.isPaused).toBe(true)
  const end = { reason: 'killed' as const, detail: '', message: '', can_reattach: false }
  const again = await connected()
  const size = { cols: 80, rows: 24 }
  await client.reattach(again.ours, size, end, () => Promise.resolve(undefined))
  await expect.poll(() => again.socket.isPaused).toBe(true)
  for (let messages = 0; messages < 40; messages++) again.page.send(long)
  await expect.poll(() => again.page.bufferedAmount).toBeGreaterThan(0)
  expect(client.stdin.readableLength).toBeLessThanOrEqual(96 * 1024)
  let bytes = 0
  client.stdin.on('data', (piece: Buffer) => (bytes += piece.byteLength))
  await expect.poll(() => bytes).toBe(41 * long.byteLength)
  again.page.terminate()
})
