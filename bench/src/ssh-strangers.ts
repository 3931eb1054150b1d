/** A process of strangers: opens SSH connections to a port as fast as they come, exchanges keys, asks nothing more, and opens the next. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { Transport } from '@sallyport/ssh/transport/transport'

const atOnce = 16
const port = Number(process.argv[2])
let opened = 0

async function visit(): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.on('error', () => {})
  await Promise.race([once(socket, 'connect').catch(() => {}), once(socket, 'close')])
  if (socket.destroyed) return
  const transport = new Transport(socket, { role: 'client', ident: 'SSH-2.0-Bench', verifyHostKey: () => {} })
  await transport.ready.catch(() => {})
  opened++
  transport.destroy()
}

const visitAgain = async (): Promise<never> => {
  for (;;) await visit()
}
process.on('message', () => process.send?.(opened))
process.send?.('begun')
await Promise.all(Array.from({ length: atOnce }, visitAgain))
