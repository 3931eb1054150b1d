/** Who opens many connections, or sends much on one, takes nobody else's turn. */
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { promisify } from 'node:util'
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
const closing: SocketRoute = {
  path: '/ws/closing/',
  access: 'valid_user',
  open: (_ctx, socket) => socket.close(1013),
}
const most = { total: 20, waiting: 8 }
const database = await createTestDatabase()
const app = await startTestServer(
  database,
  [{ name: 'tests', sockets: [listening, closing] }],
  {},
  { connections: most },
)
let asked = 0
app.addHook('onRequest', (_request, _reply, done) => {
  asked++
  done()
})
app.get('/large', (_request, reply) => reply.send(Buffer.alloc(64 << 20)))
const failures: unknown[] = []
const note = (failure: unknown) => failures.push(failure)
process.on('uncaughtException', note)
afterAll(() => process.off('uncaughtException', note))
let taken = 0
app.get('/taken', (_request, reply) => reply.send(''))
app.post('/taken', (received, reply) => {
  taken = String(received.body).length
  return reply.send('')
})
await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => app.close())
const { port } = app.server.address() as AddressInfo
const request = 'GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n'

const upgrade =
  'GET /ws/tests/ HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

async function dial(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket.resume()
}
/** However it ends. */
const ended = (socket: Socket | WebSocket) =>
  new Promise<void>((resolve) => socket.once('close', () => resolve()))
const openConnections = () =>
  promisify<number>((done) => app.server.getConnections((error, count) => done(error, count)))()
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
  const chunks = Buffer.from(`64\r\n${'a'.repeat(100)}\r\n`.repeat(1000))
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

test('a body in chunks of next to nothing is not taken, which is told before the connection ends', async () => {
  const socket = await dial()
  let answer = ''
  socket.on('data', (data: Buffer) => (answer += data.toString('latin1')))
  const closed = ended(socket)
  const head =
    'POST /taken HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n'
  socket.write(`${head}1\r\n"\r\n${'1\r\na\r\n'.repeat(10_000)}1\r\n"\r\n0\r\n\r\n`)
  await closed
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*chunks_too_small/s)
  expect(taken).toBe(0)
  expect(await isAnswered()).toBe(true)
})

test('a body in chunks is taken, some of them small', async () => {
  const lines = ['"', ...Array.from({ length: 200 }, (_, at) => 'line '.repeat((at % 40) + 1)), '"']
  const body = new ReadableStream({
    pull: (stream) => {
      const line = lines.shift()
      if (line === undefined) stream.close()
      else stream.enqueue(Buffer.from(line))
    },
  })
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
  const answer = await fetch(`http://127.0.0.1:${port}/taken`, init)
  expect(answer.status).toBe(200)
  expect(taken).toBe((5 * 5 * 40 * 41) / 2)
})

test.each([
  ['/nothing', 'application/json', 'that cannot be read', 'zz\r\n'],
  ['/nothing', 'application/octet-stream', 'that cannot be read', 'zz\r\n'],
  ['/taken', 'application/json', 'that cannot be read', 'zz\r\n'],
  ['/taken', 'application/json', 'whose rest cannot be read', '1\r\n{\r\nzz\r\n'],
  ['/taken', 'application/octet-stream', 'that cannot be read', 'zz\r\n'],
  ['/taken', 'application/x-www-form-urlencoded', 'whose rest cannot be read', '1\r\na\r\nzz\r\n'],
  ['/taken', 'multipart/form-data; boundary=a', 'whose rest cannot be read', '1\r\n-\r\nzz\r\n'],
  [
    '/taken',
    'application/json',
    'that is too large and cannot be read',
    `8000\r\n${' '.repeat(0x8000)}\r\nzz\r\n`,
  ],
  ['/nothing', 'application/json', 'that breaks off', '5\r\na'],
  ['/taken', 'application/json', 'that breaks off', '5\r\na'],
  ['/taken', 'application/octet-stream', 'that breaks off', '5\r\na'],
])('a body for %s, %s, %s, ends its connection alone', async (path, type, _what, body) => {
  const before = await openConnections()
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Type: ${type}\r\n\r\n`
  for (const isCutAtOnce of [true, false]) {
    const socket = await dial()
    const closed = ended(socket)
    socket.write(head + body, () => isCutAtOnce && socket.destroy())
    if (!isCutAtOnce) await Promise.race([closed, once(socket, 'data')])
    socket.destroy()
    await expect.poll(openConnections).toBeLessThanOrEqual(before)
    expect(failures).toEqual([])
  }
})

test('of bodies that wait behind a request one is kept, with a second the connection is closed', async () => {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  const posted = 'POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello'
  asked = 0
  socket.write(`GET /large HTTP/1.1\r\nHost: a\r\n\r\n${posted}`)
  await expect.poll(() => asked).toBe(1)
  socket.write(posted)
  await ended(socket.resume())
})

test.each([
  ['POST', 'h2c'],
  ['GET', 'h2c'],
])('a %s that offers to speak %s is answered like any other', async (method, other) => {
  const socket = await dial()
  let answer = ''
  socket.on('data', (data: Buffer) => (answer += data.toString('latin1')))
  const body = method === 'POST' ? 'Content-Length: 2\r\nContent-Type: application/json\r\n\r\n{}' : '\r\n'
  socket.write(`${method} /taken HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: ${other}\r\n${body}`)
  await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 200 /)
  socket.destroy()
})

test('a websocket that is asked for behind a request leaves no connection when its peer has gone', async () => {
  const before = await openConnections()
  for (const ahead of [request, '']) {
    const sockets = await Promise.all(Array.from({ length: 5 }, dial))
    for (const socket of sockets) socket.end(ahead + upgrade)
    await expect.poll(openConnections).toBeLessThanOrEqual(before)
  }
})

test.each(['/taken', '/nothing', '/api/health/'])(
  'a websocket that is asked for at %s, where there is none, is no websocket',
  async (path) => {
    const socket = await dial()
    let answer = ''
    socket.on('data', (data: Buffer) => (answer += data.toString('latin1')))
    socket.write(upgrade.replace('/ws/tests/', path))
    await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 (?:200|404) /)
    socket.destroy()
  },
)

test('an address of many slashes that asks for a websocket costs no more than another', async () => {
  const ask = async (path: string) => {
    const begun = performance.now()
    for (let sent = 0; sent < 10; sent++) {
      const socket = await dial()
      const closed = ended(socket)
      socket.write(upgrade.replace('/ws/tests/', path))
      await closed
    }
    return performance.now() - begun
  }
  const letters = await ask(`/${'a'.repeat(15_000)}/x`)
  const slashes = await ask(`/${'/'.repeat(15_000)}/x`)
  expect(slashes).toBeLessThan(10 * letters + 200)
})

test('where an upgrade is not taken the connection ends with the answer', async () => {
  const socket = await dial()
  let answer = ''
  socket.on('data', (data: Buffer) => (answer += data.toString('latin1')))
  const closed = ended(socket)
  socket.write(upgrade.replace('/ws/tests/', '/taken'))
  const sending = setInterval(() => !socket.writableNeedDrain && socket.write(Buffer.alloc(60_000, 0x82)), 1)
  await closed
  clearInterval(sending)
  expect(answer).toMatch(/^HTTP\/1\.1 200 .*connection: close/is)
})

test('a websocket that is asked for with a body is no websocket', async () => {
  const socket = await dial()
  let answer = ''
  socket.on('data', (data: Buffer) => (answer += data.toString('latin1')))
  const added = '\r\nAuthorization: Test ann\r\nTransfer-Encoding: chunked\r\n\r\n'
  socket.write(upgrade.replace('\r\n\r\n', added))
  await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 426 /)
  socket.destroy()
})

test('a websocket that the server closes is not listened to without end', async () => {
  const socket = await dial()
  let answer = ''
  let isClosed = false
  socket.on('data', (data: Buffer) => (answer += data.toString('latin1')))
  socket.on('close', () => (isClosed = true))
  const added = '\r\nAuthorization: Test ann\r\n\r\n'
  socket.write(upgrade.replace('/ws/tests/', '/ws/closing/').replace('\r\n\r\n', added))
  await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 101 /)
  const frames = Buffer.alloc(70_000, Buffer.from('8181000000006a', 'hex'))
  const sending = setInterval(() => !socket.writableNeedDrain && socket.write(frames), 1)
  await expect.poll(() => isClosed, { timeout: 15_000 }).toBe(true)
  clearInterval(sending)
})

test('a websocket is found with and without the closing slash', async () => {
  for (const path of ['/ws/tests', '/ws/tests/', '/ws/tests/?a=/b']) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers: { authorization: 'Test ann' } })
    await once(socket, 'open')
    socket.terminate()
  }
})

test('beyond so many connections new ones are refused, and taken again once others have gone', async () => {
  const open = await Promise.all(Array.from({ length: most.total }, dial))
  const refused = await dial()
  await ended(refused)
  for (const socket of open) socket.destroy()
  await expect.poll(isAnswered).toBe(true)
})

test('a websocket that is sent tiny messages without end is closed', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/tests/`, {
    headers: { authorization: 'Test carl#2' },
  })
  await once(socket, 'open')
  for (let sent = 0; sent < 1000; sent++) socket.send('x')
  await expect.poll(() => heard).toBe(1000)
  const closed = ended(socket)
  for (let sent = 0; sent < 100_000; sent++) socket.send('x')
  await closed
  expect(heard).toBeLessThan(20_000)
})

test('a websocket that is sent a message in pieces without end is closed', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/tests/`, {
    headers: { authorization: 'Test dora#3' },
  })
  await once(socket, 'open')
  const closed = ended(socket)
  heard = 0
  for (let sent = 0; sent < 4; sent++) socket.send('x', { fin: false })
  socket.send('x', { fin: true })
  await expect.poll(() => heard).toBe(1)
  for (let sent = 0; sent < 10_000; sent++) socket.send('', { fin: false })
  await closed
  expect(heard).toBe(1)
})
