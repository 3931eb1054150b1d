/** Ports of loopback where nothing is said: behind one somebody listens, at the other there is no room for one connection more. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { afterAll } from 'vitest'

/** Of the file, whichever of its tests opened them. */
const leftovers: (() => void)[] = []
afterAll(() => {
  for (const end of leftovers) end()
})

export async function quietPort(): Promise<number> {
  const server = net.createServer((socket) => socket.on('error', () => {}))
  leftovers.push(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as net.AddressInfo).port
}

const listener = `const server = require('node:net').createServer()
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => process.stdout.write(String(server.address().port)))`
/** More than it keeps waiting. */
const callers = 6

export async function deafPort(): Promise<number> {
  const child = spawn(process.execPath, ['-e', listener], { stdio: ['ignore', 'pipe', 'inherit'] })
  leftovers.push(() => child.kill('SIGKILL'))
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  const port = Number(said.toString())
  child.kill('SIGSTOP')
  const waiting = Array.from({ length: callers }, () => net.connect(port, '127.0.0.1').on('error', () => {}))
  leftovers.push(() => waiting.forEach((socket) => socket.destroy()))
  await once(waiting[0] as net.Socket, 'connect')
  return port
}
