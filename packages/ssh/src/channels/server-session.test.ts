import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { logInRaw, type RawClient } from '../testing/log-in.ts'
import { TestServer } from '../testing/test-server.ts'
import type { ServeOptions } from '../server.ts'
import { message } from '../wire/messages.ts'
import { Writer } from '../wire/writer.ts'
import type { ServerSession } from './server-session.ts'
import { WindowBudget } from './window-budget.ts'

const windowBytes = 2 * 1024 * 1024
const smallBytes = 32 * 1024
const undo: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of undo.splice(0).toReversed()) await stop()
})

async function logIn(options: Partial<ServeOptions> = {}): Promise<RawClient> {
  const server = await TestServer.start(options)
  undo.push(() => server.stop())
  return await logInRaw({ port: server.port, username: 'ann', methods: [] })
}

const open = ({ transport }: RawClient, id: number) =>
  transport.send(
    new Writer().byte(message.channelOpen).string('session').uint32(id).uint32(1000).uint32(1000).finish(),
  )
const sleepIn = ({ transport }: RawClient, id: number) =>
  transport.send(
    new Writer()
      .byte(message.channelRequest)
      .uint32(id)
      .string('exec')
      .boolean(true)
      .string('sleep 60')
      .finish(),
  )
/** Numbers of messages and what stands behind the channel: the window of one that was opened or grows. */
const grants = ({ told }: RawClient) =>
  told.flatMap((payload) => {
    if (payload[0] === message.channelOpenConfirmation) return [payload.readUInt32BE(9)]
    return payload[0] === message.channelWindowAdjust ? [payload.readUInt32BE(5)] : []
  })

test('a session can be sent little before something runs in it, and much from then on', async () => {
  const client = await logIn()
  open(client, 0)
  await expect.poll(() => grants(client)).toEqual([smallBytes])
  sleepIn(client, 0)
  await expect.poll(() => grants(client)).toEqual([smallBytes, windowBytes - smallBytes])
})

test('a session nobody says what is to run in is closed', async () => {
  const client = await logIn({ replyMs: 200 })
  open(client, 0)
  const numbers = () => client.told.map((payload) => payload[0])
  await expect.poll(numbers).toEqual([message.channelOpenConfirmation, message.channelClose])
})

test('sessions that share a budget keep small windows when it is used up, until another ends', async () => {
  const budget = new WindowBudget(windowBytes)
  const client = await logIn({
    onChannel: (opening) => {
      if (opening.type === 'session') opening.accept(budget).handlers = { exec: () => () => {} }
    },
  })
  const answers = () => client.told.filter((payload) => payload[0] === message.channelSuccess).length
  for (const id of [0, 1, 2]) open(client, id)
  for (const id of [0, 1]) sleepIn(client, id)
  await expect.poll(answers).toBe(2)
  expect(grants(client)).toEqual([smallBytes, smallBytes, smallBytes, windowBytes - smallBytes])
  client.transport.send(new Writer().byte(message.channelClose).uint32(0).finish())
  await expect.poll(() => client.told.at(-1)?.[0]).toBe(message.channelClose)
  sleepIn(client, 2)
  await expect.poll(() => grants(client).slice(4)).toEqual([windowBytes - smallBytes])
})

test('a client that has had the end of the output and closes behind its own still hears how the program ended', async () => {
  const { promise, resolve } = Promise.withResolvers<ServerSession>()
  const client = await logIn({
    onChannel: (opening) => {
      if (opening.type !== 'session') return
      const session = opening.accept()
      session.handlers = { exec: () => () => resolve(session) }
    },
  })
  const numbers = () => client.told.map((payload) => payload[0])
  open(client, 0)
  sleepIn(client, 0)
  const session = await promise
  session.resume()
  session.end()
  await expect.poll(numbers).toContain(message.channelEof)
  for (const number of [message.channelEof, message.channelClose]) {
    client.transport.send(new Writer().byte(number).uint32(0).finish())
  }
  await once(session, 'end')
  session.exit({ kind: 'status', code: 7 }, 1000)
  await expect
    .poll(() => numbers().slice(-3))
    .toEqual([message.channelEof, message.channelRequest, message.channelClose])
  expect(await session.gone).toBeUndefined()
})

test('a client that closes while there is output to come is gone', async () => {
  const { promise, resolve } = Promise.withResolvers<ServerSession>()
  const client = await logIn({
    onChannel: (opening) => {
      if (opening.type !== 'session') return
      const session = opening.accept()
      session.handlers = { exec: () => () => resolve(session) }
    },
  })
  open(client, 0)
  sleepIn(client, 0)
  const session = await promise
  for (const number of [message.channelEof, message.channelClose]) {
    client.transport.send(new Writer().byte(number).uint32(0).finish())
  }
  expect(await session.gone).toBeUndefined()
  expect(client.told.at(-1)?.[0]).not.toBe(message.channelRequest)
})
