import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** Something that listens, and does as it is told with who connects. */
export async function startListener(
  onSocket: (socket: Socket) => void,
): Promise<{ port: number; close: () => void }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    onSocket(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
