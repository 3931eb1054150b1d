/** A process that exchanges keys with whoever connects, and tells on request what processor time it took, in milliseconds. */
import { createServer } from 'node:net'
import { generateKey } from '@sallyport/ssh/keys/generate'
import { Transport } from '@sallyport/ssh/transport/transport'

const hostKeys = [await generateKey('ssh-ed25519')]
const server = createServer({ noDelay: true }, (socket) => {
  const transport = new Transport(socket, { role: 'server', ident: 'SSH-2.0-Bench', hostKeys })
  void transport.closed
}).listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.((user + system) / 1000)
})
