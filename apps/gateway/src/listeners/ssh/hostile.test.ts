import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, ClientChannel } from 'ssh2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SshClient } from '../../streams/ssh2.ts'
import { OpenSsh } from '@sallyport/ssh/testing/openssh'
import { isRunning } from '../../testing/process.ts'
import { TestGateway } from '../../testing/ssh-gateway.ts'
import type { TestSshd } from '@sallyport/ssh/testing/sshd'

let sshd: TestSshd
let gateway: TestGateway
let ssh: OpenSsh
const user = () => `ann@op@${sshd.host}`

beforeAll(async () => {
  gateway = await TestGateway.start({ keepaliveMs: 200, loginTimeoutMs: 1500 })
  sshd = gateway.sshd
  ssh = new OpenSsh(gateway.port, gateway.folder)
  const [, base64 = ''] = (await readFile(`${sshd.privateKeyFile}.pub`, 'utf8')).split(' ')
  gateway.keys.add(base64)
})
afterAll(async () => {
  await gateway.stop()
})

/** A client whose library can be made to misbehave. */
async function login(): Promise<{ client: Client; socket: Socket }> {
  const socket = connect(gateway.port, '127.0.0.1')
  const client = new SshClient()
  client.on('error', () => {})
  client.connect({ sock: socket, username: user(), privateKey: sshd.privateKey, keepaliveInterval: 0 })
  await once(client, 'ready')
  return { client, socket }
}

const open = (client: Client, command: string) =>
  new Promise<ClientChannel>((resolve, reject) => {
    client.exec(command, (error, channel) => (error ? reject(error) : resolve(channel)))
  })

/** Unlike `once` of node:events, an error on the way does not matter. */
const closeOf = (emitter: NodeJS.EventEmitter) => new Promise((resolve) => emitter.once('close', resolve))

function internal(object: object, name: string): object {
  const value: unknown = Reflect.get(object, name)
  if (typeof value !== 'object' || value === null) throw new Error('ssh2 has changed')
  return value
}

/** What the whole process holds; the clients of these tests are part of it. */
const heldMb = () => process.memoryUsage().rss / 1e6

const works = async () => {
  const ran = await ssh.run(user(), [`-i${sshd.privateKeyFile}`, 'exit 7'])
  expect(ran.code).toBe(7)
}

test('a client that stops reading does not fill the memory, stalls nobody, and is given up', async () => {
  const { client, socket } = await login()
  const channel = await open(client, 'echo $$; exec yes')
  const [first] = await once(channel, 'data')
  const pid = Number.parseInt(String(first), 10)
  channel.pause()
  socket.pause()
  const before = heldMb()
  await works()
  await sleep(500)
  expect(heldMb() - before).toBeLessThan(100)
  await expect.poll(() => isRunning(pid)).toBe(false)
  socket.destroy()
})

test('a client that sends more than its window allows is cut off', async () => {
  const { client } = await login()
  const channel = await open(client, 'sleep 60')
  const before = heldMb()
  const closed = closeOf(client)
  Object.assign(internal(channel, 'outgoing'), { window: 2 ** 32 })
  channel.on('error', () => {})
  channel.write(Buffer.alloc(64_000_000))
  await closed
  expect(heldMb() - before).toBeLessThan(250)
  await works()
})

test('a client that asks without end and never reads the answers is not answered without end', async () => {
  const { client, socket } = await login()
  const protocol = internal(client, '_protocol')
  const ping: unknown = Reflect.get(protocol, 'ping')
  if (typeof ping !== 'function') throw new Error('ssh2 has changed')
  socket.pause()
  const before = heldMb()
  const closed = closeOf(socket)
  for (let burst = 0; burst < 200 && !socket.destroyed; burst++) {
    for (let count = 0; count < 1000; count++) Reflect.apply(ping, protocol, [])
    await sleep(1)
  }
  expect(heldMb() - before).toBeLessThan(200)
  await works()
  socket.resume()
  socket.destroy()
  await closed
})

test('sizes beyond all screens are brought down to what programs can bear', async () => {
  const { client } = await login()
  const channel = await new Promise<ClientChannel>((resolve, reject) => {
    client.shell({ term: 'x\u001b[2J', cols: 2 ** 31, rows: 2 ** 32 - 1 }, (error, shell) =>
      error ? reject(error) : resolve(shell),
    )
  })
  let output = ''
  channel.on('data', (data: Buffer) => (output += data.toString()))
  channel.write('stty size; echo "<$TERM>"\n')
  await expect.poll(() => output).toMatch(/200 600\r\n<xterm>/)
  channel.setWindow(0xffffffff, 1, 0, 0)
  channel.write('stty size\n')
  await expect.poll(() => output).toMatch(/200 20\r\n/)
  client.end()
})

test('noise instead of SSH, a half-finished greeting, a client that hangs up: nothing stays', async () => {
  const noise = [
    randomBytes(4096),
    Buffer.from('SSH-2.0-x\r\n'),
    Buffer.from(`SSH-2.0-y\r\n${'\u0000'.repeat(5000)}`),
  ]
  for (const bytes of noise) {
    const socket = connect(gateway.port, '127.0.0.1').on('error', () => {})
    socket.resume().write(bytes)
    await closeOf(socket)
  }
  const { socket } = await login()
  socket.destroy()
  await works()
})

test('a password in bytes that are no text, and one of a million characters, are just wrong', async () => {
  for (const password of ['\ufffd\u0000\u001b[2J', 'x'.repeat(30_000)]) {
    const client = new SshClient()
    client.connect({ host: '127.0.0.1', port: gateway.port, username: user(), password })
    const [error] = await once(client, 'error')
    expect(error).toMatchObject({ level: 'client-authentication' })
    client.destroy()
  }
  await works()
})
