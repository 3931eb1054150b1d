/** Who sends much on websockets, or opens many, takes nobody else's turn. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startTestServer } from '../testing/http.ts'
import { createTestDatabase } from '../testing/index.ts'
import type { MessageBounds } from './messages.ts'
import type { SocketRoute } from './sockets.ts'

const heard = new Map<string, number>()
const listening: SocketRoute = {
  path: '/ws/tests/',
  access: 'valid_user',
  open: ({ identity }, socket) => {
    const name = identity?.username ?? ''
    socket.on('message', () => heard.set(name, (heard.get(name) ?? 0) + 1))
  },
}
const messages: Partial<MessageBounds> = { sockets: 3, bytes: { perSecond: 400_000, atOnce: 10_000 } }
const app = await startTestServer(
  await createTestDatabase(),
  [{ name: 'tests', sockets: [listening] }],
  {},
  { messages },
)
await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => app.close())
const { port } = app.server.address() as AddressInfo

async function dial(name: string): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/tests/`, {
    headers: { authorization: `Test ${name}` },
  })
  await once(socket, 'open')
  return socket
}

test('what one person sends on all their websockets is read as fast as one may send, and all of it; others are read meanwhile', async () => {
  const flood = [await dial('ann'), await dial('ann')]
  const other = await dial('bob#2')
  const begun = performance.now()
  for (const socket of flood) for (let sent = 0; sent < 50; sent++) socket.send(Buffer.alloc(10_000))
  other.send('x')
  await expect.poll(() => heard.get('bob')).toBe(1)
  await expect.poll(() => heard.get('ann'), { timeout: 15_000 }).toBe(100)
  // A million bytes, of which the first 10,000 may come at once.
  expect(performance.now() - begun).toBeGreaterThan(2000)
  for (const socket of [...flood, other]) socket.terminate()
})

test('beyond so many websockets of one person another is closed, until one of them has gone', async () => {
  const open = [await dial('eve#3'), await dial('eve#3'), await dial('eve#3')]
  const refused = await dial('eve#3')
  const [code] = (await once(refused, 'close')) as [number]
  expect(code).toBe(1013)
  const other = await dial('carl#4')
  expect(other.readyState).toBe(WebSocket.OPEN)
  open.pop()?.terminate()
  const isTaken = async () => {
    const socket = await dial('eve#3')
    socket.send('x')
    const hasClosed = once(socket, 'close')
    await Promise.race([hasClosed, expect.poll(() => heard.get('eve')).toBe(1)])
    return heard.get('eve') === 1
  }
  await expect.poll(isTaken).toBe(true)
})
