/** Who opens many connections, or sends much on one, takes nobody else's turn. */
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { SocketRoute } from './sockets.ts'
import { startTestServer } from '../testing/http.ts'
import { createTestDatabase } from '../testing/index.ts'

let heard = 0
const listening: SocketRoute = {
  path: '/ws/tests/',
  access: 'valid_user',
  open: (_ctx, socket) => void socket.on('message', () => heard++),
}
const most = { total: 20, waiting: 8 }
const database = await createTestDatabase()
const app = await startTestServer(
  database,
  [{ name: 'tests', sockets: [listening] }],
  {},
  { connections: most },
)
let asked = 0
app.addHook('onRequest', (_request, _reply, done) => {
  asked++
  done()
})
app.get('/large', (_request, reply) => reply.send(Buffer.alloc(64 << 20)))
await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => app.close())
const { port } = app.server.address() as AddressInfo
const request = 'GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n'

async function dial(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket.resume()
}
/** However it ends. */
const ended = (socket: Socket | WebSocket) =>
  new Promise<void>((resolve) => socket.once('close', () => resolve()))
const isAnswered = async () => (await fetch(`http://127.0.0.1:${port}/nothing`)).status === 404

test.each([
  ['', request],
  [', with an expectation,', 'GET /nothing HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n'],
])(
  'of requests%s that are sent without waiting for answers few are looked at, and the connection is closed',
  async (_what, one) => {
    asked = 0
    const socket = await dial()
    socket.write(one.repeat(20_000))
    await ended(socket)
    expect(asked).toBeLessThanOrEqual(1)
    expect(await isAnswered()).toBe(true)
  },
)

test('the next request of a connection is looked at once the answer before it is taken', async () => {
  asked = 0
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  socket.write(`GET /large HTTP/1.1\r\nHost: a\r\n\r\n${request.repeat(most.waiting)}`)
  await expect.poll(() => asked).toBe(1)
  await isAnswered()
  expect(asked).toBe(2)
  let answers = 0
  socket.on('data', (data: Buffer) => (answers += data.toString('latin1').split('HTTP/1.1 404').length - 1))
  await expect.poll(() => answers).toBe(most.waiting)
  socket.destroy()
})

test('requests of one connection that follow each other are answered, as many as come', async () => {
  const socket = await dial()
  let answers = 0
  socket.on('data', (data: Buffer) => (answers += data.toString('latin1').split('HTTP/1.1 404').length - 1))
  for (let sent = 1; sent <= 5 * most.waiting; sent++) {
    socket.write(request)
    await expect.poll(() => answers, { interval: 1 }).toBe(sent)
  }
  socket.destroy()
})

test('of a body in chunks that goes on without end nothing is read behind the answer, which is told before the connection ends', async () => {
  const socket = await dial()
  let answer = ''
  socket.on('data', (data: Buffer) => (answer += data.toString('latin1')))
  socket.write('GET /nothing HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
  const chunks = Buffer.from('1\r\na\r\n'.repeat(10_000))
  const sending = setInterval(() => !socket.writableNeedDrain && socket.write(chunks), 1)
  await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 404 /)
  await ended(socket)
  clearInterval(sending)
})

test('a body in chunks that has come whole changes nothing for the next request', async () => {
  const socket = await dial()
  let answers = 0
  socket.on('data', (data: Buffer) => (answers += data.toString('latin1').split('HTTP/1.1 404').length - 1))
  for (const sent of [1, 2]) {
    socket.write('POST /nothing HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n')
    await expect.poll(() => answers).toBe(sent)
  }
  socket.destroy()
})

test('beyond so many connections new ones are refused, and taken again once others have gone', async () => {
  const open = await Promise.all(Array.from({ length: most.total }, dial))
  const refused = await dial()
  await ended(refused)
  for (const socket of open) socket.destroy()
  await expect.poll(isAnswered).toBe(true)
})

test('a websocket that is sent tiny messages without end is closed', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/tests/`, { headers: { authorization: 'Test ann' } })
  await once(socket, 'open')
  for (let sent = 0; sent < 1000; sent++) socket.send('x')
  await expect.poll(() => heard).toBe(1000)
  const closed = ended(socket)
  for (let sent = 0; sent < 100_000; sent++) socket.send('x')
  await closed
  expect(heard).toBeLessThan(20_000)
})
