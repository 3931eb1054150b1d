import { verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { defaultOrgId, roleIds } from '@sallyport/contract'
import { statementHeader } from '@sallyport/contract/gateway/statement'
import { terminalSubprotocol } from '@sallyport/contract/terminal-socket'
import { ne } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RawData, WebSocket, WebSocketServer } from 'ws'
import { startTestSystem, type TestClient } from '../../testing.ts'
import { terminals } from './tables.ts'
import { begin, link, type Link, listenOn, person, personPassword, until } from './testing.ts'

const system = await startTestSystem()
const admin = await system.admin()
const origin = await listenOn(system.http)
const page = origin.replace('ws', 'http')
const component = await system.component('gateway')
const user = await person(system, admin, 'user')
const auditor = await person(system, admin, 'auditor', roleIds.orgAuditor)

/** A gateway's browser listener: echoes, and keeps what it was asked. */
const gateway = new WebSocketServer({
  host: '127.0.0.1',
  port: 0,
  handleProtocols: (offered) => (offered.has(terminalSubprotocol) ? terminalSubprotocol : false),
})
const visits: { request: IncomingMessage; socket: WebSocket; closed: number | undefined }[] = []
gateway.on('connection', (socket, request) => {
  const visit = { request, socket, closed: undefined as number | undefined }
  visits.push(visit)
  socket.on('close', (code) => (visit.closed = code))
  socket.on('message', (data: RawData, isBinary) => {
    socket.send(data, { binary: isBinary })
  })
})

let standing: Link
let reporting: NodeJS.Timeout
let terminalId = ''
let statementKey = ''
beforeAll(async () => {
  const { body } = await component.get('terminal/terminals/config/')
  terminalId = String(body['terminal_id'])
  statementKey = String(body['statement_key'])
  const { port } = gateway.address() as AddressInfo
  standing = await link(component, origin, 'boot-1')
  const report = () => standing.report([], { http: `http://127.0.0.1:${port}` })
  report()
  // As gateways do: one that is silent for long is not alive.
  reporting = setInterval(report, 2000)
  await until(1000, async () => {
    const { body } = await admin.get('terminal/terminals/?limit=1', { org: defaultOrgId })
    return String(body['results']?.[0]?.['is_alive']) === 'true'
  })
})
afterAll(() => {
  clearInterval(reporting)
  standing.socket.terminate()
  for (const socket of gateway.clients) socket.terminate()
  gateway.close()
})

/** What the server said of a visitor, once its signature holds. */
function saidTo(request: IncomingMessage | undefined): Record<string, unknown> {
  const [text = '', signature = ''] = String(request?.headers[statementHeader]).split('.')
  expect(verify(null, Buffer.from(text), statementKey, Buffer.from(signature, 'base64url'))).toBe(true)
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>
}

const cookieOf = (client: TestClient) =>
  [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

function visit(client: TestClient, query: string, headers: Record<string, string> = {}): WebSocket {
  return new WebSocket(`${origin}/koko/ws/terminal/?${query}`, [terminalSubprotocol], {
    headers: { cookie: cookieOf(client), origin: page, ...headers },
  })
}

/** A visitor who is with the gateway, and the gateway's side of it. */
async function join(client: TestClient, query: string) {
  const before = visits.length
  const socket = visit(client, query)
  await once(socket, 'open')
  await until(5000, () => visits.length > before)
  const [atGateway] = visits.slice(before)
  if (atGateway === undefined) throw new Error('nobody came to the gateway')
  return { socket, atGateway }
}

/** The status a socket is refused with. */
async function refusal(socket: WebSocket): Promise<number> {
  socket.on('error', () => {})
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  socket.terminate()
  return response.statusCode ?? 0
}

/** What the socket was told before it was closed. */
async function told(socket: WebSocket): Promise<string[]> {
  const types: string[] = []
  socket.on('message', (data: Buffer) => types.push((JSON.parse(data.toString()) as { type: string }).type))
  await once(socket, 'close')
  return types
}

/** What the socket was told before it was closed with the word that it is worth another try. */
async function later(socket: WebSocket): Promise<string[]> {
  const closed = once(socket, 'close')
  const types = await told(socket)
  expect((await closed)[0]).toBe(1013)
  return types
}

async function endFromElsewhere(client: TestClient) {
  const { body } = await client.get('authentication/user-sessions/')
  const [session] = body.filter((row) => row['is_current'])
  expect((await user.client.delete(`authentication/user-sessions/${String(session?.['id'])}/`)).status).toBe(
    204,
  )
}

const token = 'token=11111111-2222-4333-8444-555555555555'

test('nobody, and no page of another site, gets to a gateway', async () => {
  expect(await refusal(visit(system.client(), token))).toBe(401)
  expect(await refusal(visit(user.client, token, { origin: 'https://evil.example' }))).toBe(403)
  expect(await refusal(visit(user.client, token, { origin: 'null' }))).toBe(403)
  const bare = new WebSocket(`${origin}/koko/ws/terminal/?${token}`, [terminalSubprotocol], {
    headers: { cookie: cookieOf(user.client) },
  })
  expect(await refusal(bare)).toBe(403)
  const signedIn = await system
    .client()
    .post('authentication/tokens/', { username: 'user', password: personPassword })
  const bearer = { authorization: `Bearer ${String(signedIn.body['token'])}` }
  expect(await refusal(new WebSocket(`${origin}/koko/ws/terminal/?${token}`, { headers: bearer }))).toBe(403)
  expect(visits).toHaveLength(0)
})

test('a signed-in person is joined to a living gateway by the word of the server, both ways and to the end', async () => {
  const socket = visit(user.client, `${token}&x=1`)
  socket.on('open', () => socket.send('first'))
  const [first] = (await once(socket, 'message')) as [Buffer]
  expect(first.toString()).toBe('first')
  expect(socket.protocol).toBe(terminalSubprotocol)
  const seen = visits.at(-1)
  expect(seen?.request.url).toBe('/koko/ws/terminal/')
  expect(saidTo(seen?.request)).toMatchObject({
    gateway: terminalId,
    user: { id: user.id, name: 'USER', username: 'user' },
    kind: 'token',
    target: '11111111-2222-4333-8444-555555555555',
    remote_addr: '127.0.0.1',
  })
  // Nothing of what signs a person in leaves the server.
  const sent = JSON.stringify(seen?.request.headers)
  for (const value of user.client.cookies.values()) if (value.length > 8) expect(sent).not.toContain(value)
  const bytes = Buffer.alloc(900_000, 7)
  socket.send(bytes)
  const [echo, isBinary] = (await once(socket, 'message')) as [Buffer, boolean]
  expect(isBinary).toBe(true)
  expect(echo.equals(bytes)).toBe(true)
  socket.close(1000)
  await until(1000, () => seen?.closed !== undefined)
  expect(seen?.closed).toBe(1000)
})

test('a terminal without the name of its protocol works, and its goodbyes have their reasons', async () => {
  const headers = { cookie: cookieOf(user.client), origin: page }
  const socket = new WebSocket(`${origin}/koko/ws/terminal/?${token}`, { headers })
  await once(socket, 'open')
  socket.send('x')
  await once(socket, 'message')
  expect(visits.at(-1)?.socket.protocol).toBe(terminalSubprotocol)
  visits.at(-1)?.socket.close(1003)
  const [code] = (await once(socket, 'close')) as [number]
  expect(code).toBe(1003)
})

test('a lost browser looks lost to the gateway, a lost gateway to the browser', async () => {
  const lost = visit(user.client, token)
  await once(lost, 'open')
  lost.send('x')
  await once(lost, 'message')
  const seen = visits.at(-1)
  lost.terminate()
  await until(1000, () => seen?.closed !== undefined)
  expect(seen?.closed).toBe(1006)

  const other = visit(user.client, token)
  await once(other, 'open')
  other.send('x')
  await once(other, 'message')
  visits.at(-1)?.socket.terminate()
  const [code] = (await once(other, 'close')) as [number]
  expect(code).toBe(1006)
})

test('a page that does not read holds up its own terminal only', async () => {
  const slow = await join(user.client, token)
  const other = await join(user.client, token)
  const type = async (keys: number) => {
    for (let key = 0; key < keys; key++) {
      other.socket.send('x')
      await once(other.socket, 'message')
    }
  }
  let received = 0
  slow.socket.on('message', () => (received += 1))
  slow.socket.pause()
  const far = slow.atGateway.socket
  const send = promisify((data: Buffer, done: (error?: Error) => void) => far.send(data, done))
  const pieces = 400
  let taken = 0
  const flood = async () => {
    for (; taken < pieces; taken++) await send(Buffer.alloc(256 * 1024))
  }
  const flooded = flood()
  // What the server takes of 100 MB is bounded: the rest stands still while somebody types in the other terminal.
  let before = -1
  while (taken !== before) {
    before = taken
    await type(20)
  }
  expect(taken).toBeGreaterThan(0)
  expect(taken).toBeLessThan(pieces / 2)
  slow.socket.resume()
  await flooded
  await until(20_000, () => received === pieces)
  for (const { socket } of [slow, other]) socket.terminate()
})

test('a live session is watched only with the right to it', async () => {
  const session = await begin(component, { asset: 'watched-3(10.0.0.3)' })
  const query = `type=monitor&target_id=${session}`
  const before = visits.length
  expect(await told(visit(user.client, query))).toEqual(['TERMINAL_END', 'TERMINAL_ERROR', 'CLOSE'])
  expect(await told(visit(auditor.client, 'type=monitor&target_id=x'))).toContain('TERMINAL_END')
  expect(visits).toHaveLength(before)
  const watching = visit(auditor.client, query)
  await once(watching, 'open')
  watching.send('x')
  await once(watching, 'message')
  expect(saidTo(visits.at(-1)?.request)).toMatchObject({ kind: 'monitor', target: session })
  watching.close(1000)
  const logs = await admin.get('audits/operate-logs/?limit=5&search=watched-3', { org: defaultOrgId })
  expect(logs.body['results']).toMatchObject([
    { user: 'AUDITOR(auditor)', action: { value: 'monitor' }, resource: 'Ann(ann) → watched-3(10.0.0.3)' },
  ])
})

test('who loses the right to watch stops watching within seconds', async () => {
  const session = await begin(component)
  const former = await person(system, admin, 'former', roleIds.orgAuditor)
  const watching = visit(former.client, `type=monitor&target_id=${session}`)
  await once(watching, 'open')
  const ended = told(watching)
  await admin.patch(`users/users/${former.id}/`, { org_roles: [roleIds.orgUser] }, { org: defaultOrgId })
  const started = performance.now()
  expect(await ended).toEqual(['TERMINAL_END', 'TERMINAL_ERROR', 'CLOSE'])
  expect(performance.now() - started).toBeLessThan(4000)
})

test('who is disabled watches no more, and the session that was watched goes on', async () => {
  const session = await begin(component)
  const leaver = await person(system, admin, 'leaver', roleIds.orgAuditor)
  const monitor = await join(leaver.client, `type=monitor&target_id=${session}`)
  const ended = told(monitor.socket)
  expect(
    (await admin.patch(`users/users/${leaver.id}/`, { is_active: false }, { org: defaultOrgId })).status,
  ).toBe(200)
  expect(await ended).toEqual(['TERMINAL_END', 'TERMINAL_ERROR', 'CLOSE'])
  await until(5000, () => monitor.atGateway.closed === 1000)
  const { body } = await admin.get(`terminal/sessions/${session}/`, { org: defaultOrgId })
  expect(body['is_finished']).toBe(false)
})

test('only its own person comes back to a session', async () => {
  const session = await begin(component, { user_id: user.id })
  const query = `type=reattach&target_id=${session}`
  expect(await told(visit(auditor.client, query))).toContain('TERMINAL_END')
  const back = visit(user.client, query)
  await once(back, 'open')
  back.send('x')
  await once(back, 'message')
  back.close(1000)
})

test('terminals and monitors end when their person takes another password elsewhere', async () => {
  const watched = await begin(component)
  const changer = await person(system, admin, 'changer', roleIds.orgAuditor)
  const here = system.client()
  await here.signIn('changer', personPassword)
  const { socket: kept } = await join(here, token)
  const terminal = await join(changer.client, token)
  // One that does not answer the goodbye, and types on.
  const stubborn = await join(changer.client, token)
  stubborn.socket.pause()
  const monitor = await join(changer.client, `type=monitor&target_id=${watched}`)
  const ends = Promise.all([told(terminal.socket), told(monitor.socket)])
  const next = 'Entirely-new-1'
  const change = { old_password: personPassword, new_password: next, new_password_again: next }
  expect((await here.put('users/profile/password/', change)).status).toBe(200)
  for (const types of await ends) expect(types).toEqual(['TERMINAL_END', 'TERMINAL_ERROR', 'CLOSE'])
  // A goodbye, so that the gateway does not keep the session for somebody who comes back.
  await until(5000, () => terminal.atGateway.closed === 1000)
  await until(5000, () => stubborn.atGateway.closed === 1000)
  stubborn.socket.terminate()
  expect(kept.readyState).toBe(kept.OPEN)
  kept.close(1000)
})

test.each([
  ['logs out', (client) => client.get('/core/auth/logout/')],
  ['ends its login from another browser', endFromElsewhere],
  ['logs in anew in it', (client) => client.signIn('user', personPassword)],
] satisfies [string, (client: TestClient) => Promise<unknown>][])(
  'the terminals of a browser end when its person %s, and those of other browsers go on',
  async (_how, end) => {
    const here = system.client()
    await here.signIn('user', personPassword)
    const terminal = await join(here, token)
    const other = await join(user.client, token)
    const ended = told(terminal.socket)
    await end(here)
    expect(await ended).toEqual(['TERMINAL_END', 'TERMINAL_ERROR', 'CLOSE'])
    // A goodbye: the gateway does not keep the session for whoever logs in next.
    await until(5000, () => terminal.atGateway.closed === 1000)
    other.socket.send('x')
    await once(other.socket, 'message')
    other.socket.close(1000)
  },
)

test('a gateway is called where it calls from, and nowhere else', async () => {
  clearInterval(reporting)
  const stored = async () =>
    (await system.database.db.select({ http: terminals.http }).from(terminals)).map(({ http }) => http)
  for (const http of ['http://192.0.2.1:80', 'http://169.254.169.254/latest', 'http://localhost.example:1']) {
    standing.report([], { http: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}` })
    await until(5000, async () => (await stored()).every((address) => address !== null))
    standing.report([], { http })
    await until(5000, async () => (await stored()).every((address) => address === null))
  }
})

test('without a gateway a person is told so', async () => {
  standing.report([], { http: undefined })
  await until(1000, async () => {
    const rows = await system.database.db.select({ http: terminals.http }).from(terminals)
    return rows.every(({ http }) => http === null)
  })
  expect(await told(visit(user.client, token))).toEqual(['TERMINAL_END', 'TERMINAL_ERROR', 'CLOSE'])
})

test('where a gateway does not let a visitor in, the next one is asked', async () => {
  const other = await system.component('refusing')
  const refusing = createServer()
  refusing.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'))
  refusing.listen(0, '127.0.0.1')
  await once(refusing, 'listening')
  standing.report([], { http: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}` })
  const beside = await link(other, origin, 'boot-2')
  beside.report([], { http: `http://127.0.0.1:${(refusing.address() as AddressInfo).port}` })
  await until(5000, async () => {
    const rows = await system.database.db.select({ http: terminals.http }).from(terminals)
    return rows.filter(({ http }) => http !== null).length === 2
  })
  // Which one is asked first is left to chance.
  for (let time = 0; time < 8; time++) {
    const socket = visit(user.client, token)
    await once(socket, 'open')
    socket.send('through')
    const [echo] = (await once(socket, 'message')) as [Buffer]
    expect(echo.toString()).toBe('through')
    socket.terminate()
  }
  beside.socket.terminate()
  refusing.close()
})

test('who comes back to a running session before its gateway has reported is told to try again, and of its end once it has one', async () => {
  const silent = await system.component('silent')
  const session = await begin(silent, { user_id: user.id })
  const queries = [
    [user.client, `type=reattach&target_id=${session}`],
    [auditor.client, `type=monitor&target_id=${session}`],
  ] as const
  for (const [client, query] of queries) expect(await later(visit(client, query))).toEqual([])
  const unreachable = await link(silent, origin, 'boot-silent')
  unreachable.report([session], { http: 'http://127.0.0.1:1' })
  await until(5000, async () => {
    const rows = await system.database.db.select({ http: terminals.http }).from(terminals)
    return rows.some(({ http }) => http === 'http://127.0.0.1:1')
  })
  for (const [client, query] of queries) expect(await later(visit(client, query))).toEqual([])
  unreachable.socket.terminate()
  await system.database.db.update(terminals).set({ date_reported: null }).where(ne(terminals.id, terminalId))
  await silent.patch(`terminal/sessions/${session}/`, {
    is_finished: true,
    date_end: new Date().toISOString(),
  })
  for (const [client, query] of queries) expect(await told(visit(client, query))).toContain('TERMINAL_END')
})
