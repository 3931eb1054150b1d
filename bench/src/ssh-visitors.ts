/** A process of visitors of a gateway who send tiny packets: on `burst`, strangers with all they prepared at once; on `person`, somebody who has logged in, on and on. */
import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { parsePrivateKey } from '@sallyport/ssh'
import { dialLocally, logInRaw } from '@sallyport/ssh/testing/log-in'
import { Transport } from '@sallyport/ssh/transport/transport'
import { message } from '@sallyport/ssh/wire/messages'
import { Writer } from '@sallyport/ssh/wire/writer'

/** As many as may wait from one address. */
const strangers = 19
const packetsOfStranger = 60_000
const connectionsOfPerson = 10

const [port = '', username = '', privateKey = ''] = process.argv.slice(2)
const nothing = Buffer.from([message.ignore, 0, 0, 0, 0])
const unknownRequest = new Writer().byte(message.globalRequest).string('unknown').boolean(false).finish()

/** Its keys are exchanged, and what it will say is sealed. */
async function stranger(): Promise<() => void> {
  const socket = await dialLocally(Number(port))
  let held: Buffer[] | undefined
  const stream = new Duplex({
    read() {},
    write(bytes: Buffer, _encoding, done) {
      if (held) held.push(Buffer.from(bytes))
      else socket.write(Buffer.from(bytes))
      done()
    },
  })
  socket.on('error', () => {}).on('data', (bytes) => stream.push(bytes))
  const transport = new Transport(stream, { role: 'client', ident: 'SSH-2.0-Bench', verifyHostKey: () => {} })
  await transport.ready
  // What the exchange of keys left to be written goes with the turn.
  await new Promise((resolve) => setTimeout(resolve, 50))
  held = []
  for (let sent = 0; sent < packetsOfStranger; sent++) transport.send(nothing)
  await new Promise((resolve) => setTimeout(resolve, 50))
  const bytes = Buffer.concat(held)
  return () => void socket.write(bytes)
}

async function floodAsPerson(): Promise<void> {
  const methods = [{ method: 'publickey', key: parsePrivateKey(privateKey) } as const]
  const clients = await Promise.all(
    Array.from({ length: connectionsOfPerson }, () => logInRaw({ port: Number(port), username, methods })),
  )
  process.send?.('ready')
  for (;;) {
    for (const { transport, socket } of clients) {
      if (!socket.destroyed && !transport.isWritable) continue
      for (let sent = 0; sent < 500; sent++) transport.send(unknownRequest)
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

const [order] = (await once(process, 'message')) as [string]
if (order === 'person') await floodAsPerson()
const bursts: (() => void)[] = []
for (let count = 0; count < strangers; count++) bursts.push(await stranger())
process.send?.('ready')
await once(process, 'message')
for (const burst of bursts) burst()
