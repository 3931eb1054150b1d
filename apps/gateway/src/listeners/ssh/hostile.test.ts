import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AuthError, noModes, parsePrivateKey } from '@sallyport/ssh'
import { logIn, logInRaw } from '@sallyport/ssh/testing/log-in'
import { message } from '@sallyport/ssh/wire/messages'
import { Writer } from '@sallyport/ssh/wire/writer'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

const login = () => ({
  port: gateway.port,
  username: user(),
  methods: [{ method: 'publickey', key: parsePrivateKey(sshd.privateKey) } as const],
})

/** Unlike `once` of node:events, an error on the way does not matter. */
const closeOf = (emitter: NodeJS.EventEmitter) => new Promise((resolve) => emitter.once('close', resolve))

const openSession = new Writer()
  .byte(message.channelOpen)
  .string('session')
  .uint32(0)
  .uint32(2_000_000)
  .uint32(32_768)
  .finish()
const execute = (command: string) =>
  new Writer().byte(message.channelRequest).uint32(0).string('exec').boolean(true).string(command).finish()

/** What the whole process holds; the clients of these tests are part of it. */
const heldMb = () => process.memoryUsage().rss / 1e6

const works = async () => {
  const ran = await ssh.run(user(), [`-i${sshd.privateKeyFile}`, 'exit 7'])
  expect(ran.code).toBe(7)
}

test('a client that stops reading does not fill the memory, stalls nobody, and is given up', async () => {
  const { transport, socket, told } = await logInRaw(login())
  transport.send(openSession)
  transport.send(execute('echo $$; exec yes'))
  const pid = () =>
    Number.parseInt(
      told.find((payload) => payload[0] === message.channelData)?.toString('latin1', 9) ?? '',
      10,
    )
  await expect.poll(pid).toBeGreaterThan(0)
  socket.pause()
  const before = heldMb()
  transport.send(
    new Writer()
      .byte(message.channelWindowAdjust)
      .uint32(0)
      .uint32(2 ** 31)
      .finish(),
  )
  await works()
  await sleep(500)
  expect(heldMb() - before).toBeLessThan(100)
  await expect.poll(() => isRunning(pid())).toBe(false)
  socket.destroy()
})

test('a client that sends more than its window allows is cut off', async () => {
  const { transport, told } = await logInRaw(login())
  transport.send(openSession)
  transport.send(execute('sleep 60'))
  await expect.poll(() => told.some((payload) => payload[0] === message.channelSuccess)).toBe(true)
  const before = heldMb()
  const data = new Writer().byte(message.channelData).uint32(0).string(Buffer.alloc(32_768)).finish()
  for (let sent = 0; sent < 64_000_000; sent += data.length) transport.send(data)
  await transport.closed
  expect(heldMb() - before).toBeLessThan(250)
  await works()
})

test("channels in which nothing runs cannot be filled, and a person's sessions share what they can be filled with", async () => {
  const { transport, socket, told } = await logInRaw(login())
  const grants = (number: number, at: number) =>
    told.filter((payload) => payload[0] === number).map((payload) => payload.readUInt32BE(at))
  for (let count = 0; count < 32; count++) transport.send(openSession)
  const opened = () => grants(message.channelOpenConfirmation, 9)
  await expect.poll(() => opened().length).toBe(32)
  const granted = () => opened().concat(grants(message.channelWindowAdjust, 5))
  const sum = () => granted().reduce((all, bytes) => all + bytes, 0)
  expect(sum()).toBeLessThanOrEqual(1024 * 1024)
  transport.send(execute('sleep 60'))
  await expect.poll(sum).toBeGreaterThan(2 * 1024 * 1024)
  socket.destroy()
  await works()
})

test('a client that asks without end and never reads the answers is not answered without end', async () => {
  const { transport, socket } = await logInRaw(login())
  socket.pause()
  const before = heldMb()
  const closed = closeOf(socket)
  const request = new Writer().byte(message.globalRequest).string('anything').boolean(true).finish()
  for (let burst = 0; burst < 200 && !socket.destroyed; burst++) {
    for (let count = 0; count < 1000; count++) transport.send(request)
    await sleep(1)
  }
  expect(heldMb() - before).toBeLessThan(200)
  await works()
  socket.resume()
  socket.destroy()
  await closed
})

test('sizes beyond all screens, and terminals nobody knows, are brought down to what programs can bear', async () => {
  const client = await logIn(login())
  const size = (cols: number, rows: number) => ({ cols, rows, widthPixels: 0, heightPixels: 0 })
  const session = await client.openSession()
  await session.pty({ term: 'x\u001b[2J'.repeat(100), modes: noModes, ...size(2 ** 31, 2 ** 32 - 1) })
  await session.shell()
  let output = ''
  session.on('data', (data: Buffer) => (output += data.toString()))
  session.write('stty size; echo "<$TERM>"\n')
  await expect.poll(() => output).toMatch(/200 600\r\n<xterm>/)
  session.windowChange(size(1, 0xffffffff))
  session.write('stty size\n')
  await expect.poll(() => output).toMatch(/200 20\r\n/)
  client.end()
})

test('a window that is resized thousands of times holds nobody up, and ends in its last size', async () => {
  const size = (cols: number) => ({ cols, rows: 200, widthPixels: 0, heightPixels: 0 })
  const open = async () => {
    const client = await logIn(login())
    const session = await client.openSession()
    await session.pty({ term: 'xterm', modes: noModes, ...size(80) })
    await session.shell()
    const seen = { output: '' }
    session.on('data', (data: Buffer) => (seen.output += data.toString()))
    return { client, session, seen }
  }
  const [storm, other] = [await open(), await open()]
  storm.session.write('yes | head -c 2000000\n')
  for (let step = 0; step < 20_000; step++) storm.session.windowChange(size(step % 2 ? 600 : 599))
  storm.session.windowChange(size(321))
  const begun = performance.now()
  other.session.write('echo still-$((6 * 7))\n')
  await expect.poll(() => other.seen.output).toContain('still-42')
  expect(performance.now() - begun).toBeLessThan(5000)
  await expect
    .poll(() => {
      storm.session.write('stty size\n')
      return storm.seen.output
    })
    .toMatch(/200 321\r\n/)
  for (const { client } of [storm, other]) client.end()
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
  const { socket } = await logInRaw(login())
  socket.destroy()
  await works()
})

test('a password in bytes that are no text, and one of a million characters, are just wrong', async () => {
  for (const password of ['\ufffd\u0000\u001b[2J', 'x'.repeat(30_000)]) {
    const refused = logIn({ ...login(), methods: [{ method: 'password', password }] })
    await expect(refused).rejects.toThrow(AuthError)
  }
  await works()
})
