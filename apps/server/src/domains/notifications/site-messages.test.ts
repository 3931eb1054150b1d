import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { startTestSystem, type TestClient } from '../../testing.ts'
import { addPerson } from '../../testing-people.ts'

const system = await startTestSystem()
const admin = await system.admin()
const annIs = await addPerson(system, admin, { username: 'ann' })
const bobIs = await addPerson(system, admin, { username: 'bob' })
const ann = await annIs.signedIn()
const bob = await bobIs.signedIn()
const send = (fields: object) =>
  admin.post('notifications/site-messages/send/', { subject: 'Hello', message: 'Hello', ...fields })
const inbox = async (client: TestClient, query = '') =>
  (await client.get(`notifications/site-messages/?offset=0&limit=15${query}`)).body
const unread = async (client: TestClient) =>
  (await client.get('notifications/site-messages/unread-total/')).body['total']

/** Their socket on that node, about to open. */
async function socketOn(http: FastifyInstance, client: TestClient): Promise<WebSocket> {
  if (!http.server.listening) await http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = http.server.address() as AddressInfo
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/notifications/site-msg/`, { headers: { cookie } })
  afterAll(() => socket.terminate())
  return socket
}

/** What the socket says on that node, as it says it. */
async function listen(http: FastifyInstance, client: TestClient): Promise<number[]> {
  const socket = await socketOn(http, client)
  const heard: number[] = []
  socket.on('message', (data: Buffer) => {
    const { type, unread_count: count } = JSON.parse(data.toString()) as Record<string, unknown>
    if (type === 'unread_count') heard.push(Number(count))
  })
  await once(socket, 'open')
  socket.send('{"refresh_every_seconds": 30}')
  await vi.waitFor(() => expect(heard).not.toEqual([]), 10_000)
  return heard
}

test('a message is read by whom it is for, one, several or all, and nobody else sees it', async () => {
  expect(await send({ user_ids: [annIs.id] })).toMatchObject({ status: 200, body: { detail: 'ok' } })
  await send({ user_ids: [annIs.id], subject: 'Second' })
  await send({ user_ids: [annIs.id, bobIs.id], subject: 'Third' })
  const { count, results } = await inbox(ann, '&has_read=false')
  expect(count).toBe(3)
  expect(results?.[0]).toMatchObject({
    has_read: false,
    read_at: null,
    content: { subject: 'Third', message: '<p>Hello</p>', sender: 'Administrator(admin)' },
  })
  expect(await unread(ann)).toBe(3)
  const theirs = String(results?.[0]?.['id'])
  expect((await bob.get(`notifications/site-messages/${theirs}/`)).status).toBe(404)
  await bob.patch('notifications/site-messages/mark-as-read/', { ids: [theirs] })
  expect(await unread(ann)).toBe(3)
  const read = await ann.patch('notifications/site-messages/mark-as-read/', { ids: [theirs] })
  expect(read).toMatchObject({ status: 200, body: { detail: 'ok' } })
  expect((await ann.get(`notifications/site-messages/${theirs}/`)).body).toMatchObject({
    has_read: true,
    read_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  })
  expect((await ann.patch('notifications/site-messages/mark-as-read/', {})).status).toBe(400)
  expect(await unread(ann)).toBe(2)
  await ann.patch('notifications/site-messages/mark-as-read-all/')
  expect([await unread(ann), await unread(bob)]).toEqual([0, 1])
  expect((await inbox(ann, '&has_read=true'))['count']).toBe(3)
})

test('what somebody writes is text, whatever it holds', async () => {
  await send({
    user_ids: [annIs.id],
    subject: '<b>x</b>',
    message: '<img src=x onerror=alert(1)>\n{link} & more',
  })
  expect((await inbox(ann)).results?.[0]).toMatchObject({
    content: {
      subject: '<b>x</b>',
      message: '<p>&lt;img src=x onerror=alert(1)&gt;</p>\n<p>{link} &amp; more</p>',
    },
  })
})

test('nobody writes to everybody who may not', async () => {
  const fields = { subject: 'Hello', message: 'Hello', is_broadcast: true }
  expect((await ann.post('notifications/site-messages/send/', fields)).status).toBe(403)
  expect((await send({})).body).toMatchObject({ code: 'message_for_nobody' })
  expect((await send({ is_broadcast: true, subject: 'All' })).status).toBe(200)
  for (const one of [ann, bob, admin])
    expect((await inbox(one)).results?.[0]).toMatchObject({ content: { subject: 'All' } })
})

test('people hear at once how much they have not read, whichever node they are on', async () => {
  const other = await system.anotherNode()
  await ann.patch('notifications/site-messages/mark-as-read-all/')
  const heard = [await listen(system.http, ann), await listen(other, ann)]
  expect(heard).toEqual([[0], [0]])
  await send({ user_ids: [annIs.id] })
  for (const one of heard) await vi.waitFor(() => expect(one.at(-1)).toBe(1), 10_000)
  await send({ is_broadcast: true })
  for (const one of heard) await vi.waitFor(() => expect(one.at(-1)).toBe(2), 10_000)
})

test('the socket is for people who are signed in', async () => {
  await expect(listen(system.http, system.client())).rejects.toThrow('401')
})

test('everybody chooses how their own messages come, and nobody how those of others do', async () => {
  const mine = `notifications/user-msg-subscription/${annIs.id}/`
  const first = { user_id: annIs.id, receive_backends: ['email', 'site_msg'] }
  expect((await ann.get('notifications/user-msg-subscription/')).body).toEqual([first])
  expect((await ann.patch(mine, { receive_backends: ['site_msg'] })).body).toEqual({
    ...first,
    receive_backends: ['site_msg'],
  })
  expect((await ann.get('users/profile/')).body).toMatchObject({ receive_backends: ['site_msg'] })
  expect((await ann.patch(mine, { receive_backends: ['pigeon'] })).status).toBe(400)
  expect((await bob.get(mine)).status).toBe(404)
  expect((await bob.patch(mine, { receive_backends: ['email'] })).status).toBe(404)
})

test('a socket ends with the sign-in, on a server that hears no live events within seconds', async () => {
  const carl = await addPerson(system, admin, { username: 'carl' })
  const deaf = await system.anotherNode({ isDeaf: true })
  const [carls, anns] = [await socketOn(deaf, await carl.signedIn()), await socketOn(deaf, ann)]
  await Promise.all([carls, anns].map((socket) => once(socket, 'open')))
  const closed = once(carls, 'close')
  expect((await admin.patch(`users/users/${carl.id}/`, { is_active: false })).status).toBe(200)
  expect((await closed)[0]).toBe(1008)
  expect(anns.readyState).toBe(anns.OPEN)
}, 60_000)

test('a socket that is being opened while its owner logs out does not stay', async () => {
  for (let round = 0; round < 8; round++) {
    const ann = await annIs.signedIn()
    const sockets = await Promise.all(Array.from({ length: 12 }, () => socketOn(system.http, ann)))
    const closed = sockets.map(async (socket) => {
      // Some come too late, and are refused.
      socket.on('error', () => {})
      await new Promise((resolve) => socket.once('close', resolve))
    })
    await new Promise((resolve) => setTimeout(resolve, round * 2))
    await ann.get('/core/auth/logout/')
    await Promise.all(closed)
  }
})

test('administrators say who hears of what concerns the platform', async () => {
  const list = async () => (await admin.get('notifications/system-msg-subscription/')).body
  expect((await ann.get('notifications/system-msg-subscription/')).status).toBe(403)
  const [operations] = await list()
  expect(operations).toMatchObject({ category: 'Operations', category_label: 'Operations' })
  const performance = operations?.['children']?.find(
    (one) => String(one['message_type']) === 'ServerPerformanceMessage',
  )
  expect(performance).toMatchObject({
    message_type_label: 'Server performance',
    groups: [],
    receive_backends: ['email', 'site_msg'],
    receivers: [{ name: 'Administrator(admin)', email: true, site_msg: true }],
  })
  const changed = await admin.patch('notifications/system-msg-subscription/CommandAlertMessage/', {
    users: [annIs.id],
    receive_backends: ['email'],
  })
  expect(changed).toMatchObject({
    status: 200,
    body: { users: [annIs.id], receivers: [{ id: annIs.id, name: 'ann(ann)', email: true }] },
  })
  const path = 'notifications/system-msg-subscription/CommandAlertMessage/'
  expect(await admin.put(path, { users: [annIs.id] })).toMatchObject({
    status: 400,
    body: { groups: ['This field is required.'], receive_backends: ['This field is required.'] },
  })
  expect(await admin.put(path, { users: [], groups: [], receive_backends: ['email'] })).toMatchObject({
    status: 200,
    body: { users: [] },
  })
  const logs = await admin.get('audits/operate-logs/?limit=5')
  expect(logs.body.results?.[0]).toMatchObject({ resource_type: 'System message subscription' })
})

test('the ways that are set up are told', async () => {
  expect((await ann.get('notifications/backends/')).body).toEqual([
    { name: 'site_msg', name_display: 'Site message' },
  ])
})
