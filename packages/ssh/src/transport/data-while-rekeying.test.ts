import { expect, test } from 'vitest'
import { generateKey } from '../keys/generate.ts'
import { DrivenPeer } from '../testing/driven-peer.ts'
import { message } from '../wire/messages.ts'
import { Writer } from '../wire/writer.ts'
import { Transport } from './transport.ts'
import { streamPair } from '../testing/stream-pair.ts'

const hostKey = await generateKey('ssh-ed25519')
const data = (text: string) => new Writer().byte(message.channelData).uint32(0).string(text).finish()

async function connected() {
  const [near, far] = streamPair()
  const server = new Transport(far, { role: 'server', ident: 'SSH-2.0-Test', hostKeys: [hostKey] })
  const taken: Buffer[] = []
  server.onPacket = (payload) => void taken.push(Buffer.from(payload))
  const peer = new DrivenPeer(near, { role: 'client', hostKey })
  await expect.poll(() => peer.keys).toBeDefined()
  await peer.exchange()
  await server.ready
  return { server, peer, taken }
}

// AsyncSSH of Debian 12 does, and OpenSSH lets it.
test('what a client sends of its channels while it changes keys is taken', async () => {
  const { server, peer, taken } = await connected()
  const changed = peer.exchange()
  peer.say(data('between'))
  await changed
  peer.say(data('behind'))
  await expect.poll(() => taken.length).toBe(2)
  expect(taken).toEqual([data('between'), data('behind')])
  server.destroy()
})

test('one who asks on and on while keys are changed, before they are, is cut off', async () => {
  const { server, peer } = await connected()
  server.send(Buffer.from([message.userauthSuccess]))
  void peer.exchange()
  for (let asked = 0; asked < 3000; asked++) peer.say(Buffer.from([message.ping, 0, 0, 0, 0]))
  expect(await server.closed).toMatchObject({ reason: 'protocolError' })
})

test.each([
  ['a request for a service', message.serviceRequest],
  ['an authentication', message.userauthRequest],
  ['extensions', message.extInfo],
])('%s while keys are changed ends the connection', async (_name, number) => {
  const { server, peer, taken } = await connected()
  void peer.exchange()
  peer.say(Buffer.from([number, 0, 0, 0, 0]))
  expect(await server.closed).toMatchObject({ reason: 'protocolError' })
  expect(taken).toEqual([])
})
