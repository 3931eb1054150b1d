import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Client, type ConnectOptions } from './client.ts'
import { AuthError } from './auth/client-auth.ts'
import { noModes } from './channels/session.ts'
import { ChannelError } from './channels/errors.ts'
import { parsePrivateKey } from './keys/private-key.ts'
import { exec, logIn, testOptions } from './testing/log-in.ts'
import { freePort, startSshd, type TestSshd } from './testing/sshd.ts'

let sshd: TestSshd
const open: Client[] = []

beforeAll(async () => {
  sshd = await startSshd()
})
afterAll(async () => {
  for (const client of open) client.destroy()
  await sshd.stop()
})

const keyOf = (server: TestSshd) => ({
  username: server.username,
  methods: [{ method: 'publickey', key: parsePrivateKey(server.privateKey) } as const],
})

async function login(more: Partial<ConnectOptions> = {}, server = sshd): Promise<Client> {
  const client = await logIn({ port: server.port, ...keyOf(server) }, more)
  open.push(client)
  return client
}

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const terminal = { term: 'vt100', cols: 91, rows: 33, widthPixels: 0, heightPixels: 0, modes: noModes }

test('a command gives its output, its errors and its exit status, each on its own', async () => {
  const session = await exec(await login(), 'echo out; echo err >&2; exit 42')
  expect(await Promise.all([text(session), text(session.stderr), session.exited])).toEqual([
    'out\n',
    'err\n',
    { kind: 'status', code: 42 },
  ])
})

test('what ends its output before it ends has an exit status all the same', async () => {
  const session = await exec(await login(), 'exec >&- 2>&-; sleep 0.3; exit 9')
  session.end()
  expect(await text(session)).toBe('')
  expect(await session.exited).toEqual({ kind: 'status', code: 9 })
})

test('a command that dies of a signal says which, and a signal reaches it', async () => {
  const client = await login()
  const killed = await exec(client, 'kill -KILL $$')
  expect(await killed.exited).toEqual({ kind: 'signal', name: 'KILL' })
  const trapped = await exec(client, 'trap "exit 7" TERM; echo ready; while :; do sleep 0.05; done')
  await once(trapped, 'data')
  trapped.signal('TERM')
  expect(await trapped.exited).toEqual({ kind: 'status', code: 7 })
})

test('a shell has the size and the TERM it was asked for, LANG goes along, and it follows a resize', async () => {
  const session = await (await login()).openSession()
  session.env('LANG', 'ja_JP.UTF-8')
  await Promise.all([session.pty(terminal), session.shell()])
  let output = ''
  session.on('data', (data: Buffer) => (output += data.toString()))
  session.write('stty size; echo $TERM $LANG; read x; stty size; exit 3\n')
  await expect.poll(() => output).toMatch(/33 91\r\nvt100 ja_JP.UTF-8\r\n/)
  session.windowChange({ cols: 120, rows: 50, widthPixels: 0, heightPixels: 0 })
  session.write('\n')
  await expect.poll(() => output).toMatch(/50 120/)
  expect(await session.exited).toEqual({ kind: 'status', code: 3 })
})

test.each([
  ['', [], {}, 100_000_000],
  [', while the server changes keys', ['RekeyLimit 1M'], {}],
  [', while we change keys', [], { rekeyBytes: 1_000_000 }],
  [
    ', while both do, through a small window',
    ['RekeyLimit 1M'],
    { rekeyBytes: 700_000, windowBytes: 20_000 },
  ],
])(
  'the end of the input reaches the command, and everything comes back unharmed%s',
  async (_name, config, more, bytes = 20_000_000) => {
    const server = await startSshd(config)
    const session = await exec(await login(more, server), 'cat; echo end >&2')
    const data = randomBytes(bytes)
    session.end(data)
    const [back, err] = await Promise.all([buffer(session), text(session.stderr)])
    expect(digest(back)).toBe(digest(data))
    expect(err).toBe('end\n')
    expect(await session.exited).toEqual({ kind: 'status', code: 0 })
    await server.stop()
  },
)

test('a command of 120,000 characters is run as it is', async () => {
  const session = await exec(await login(), `echo ${'x'.repeat(120_000)} | wc -c`)
  expect((await text(session)).trim()).toBe('120001')
})

test('many sessions at once on one connection', async () => {
  const client = await login()
  const many = Array.from({ length: 50 }, async (_, index) => {
    const session = await exec(client, `cat; exit ${index}`)
    const data = randomBytes(100_000 + index)
    session.end(data)
    const back = await buffer(session)
    return [back.equals(data), await session.exited]
  })
  expect(await Promise.all(many)).toEqual(many.map((_, code) => [true, { kind: 'status', code }]))
})

test('a machine behind another one is reached through it', async () => {
  const jump = await startSshd()
  const first = await login({}, jump)
  const way = await first.openDirect({ host: '127.0.0.1', port: sshd.port })
  const second = await connect(way, { ...testOptions, ...keyOf(sshd) })
  const session = await exec(second, 'cat; exit 3')
  const data = randomBytes(5_000_000)
  session.end(data)
  expect(digest(await buffer(session))).toBe(digest(data))
  expect(await session.exited).toEqual({ kind: 'status', code: 3 })
  await expect(first.openDirect({ host: '127.0.0.1', port: await freePort() })).rejects.toMatchObject({
    reason: 'connectFailed',
  })
  first.end()
  await second.closed
  await jump.stop()
})

test('a reader that has enough ends the writer', async () => {
  // OpenSSH's server leaves unread what is on standard error where nobody reads the output and the program ends: here it waits.
  const session = await exec(await login(), 'yes; echo ended >&2; read line')
  await once(session, 'data')
  session.sendEow()
  session.resume()
  const [said] = (await once(session.stderr, 'data')) as [Buffer]
  expect(said.toString()).toContain('ended')
  session.end()
  session.stderr.resume()
  await session.exited
})

test('the key a host shows is the one to be judged, and what refuses it is what the login fails with', async () => {
  const shown: string[] = []
  await login({
    verifyHostKey: ({ type, blob }) => void shown.push(`${type} ${blob.toString('base64')}`),
  })
  expect(shown).toEqual([sshd.hostKey])
  const refusal = new Error('not this one')
  const refused = login({ verifyHostKey: () => Promise.reject(refusal) })
  await expect(refused).rejects.toBe(refusal)
})

test('a key nobody knows is refused; of several the right one opens; a wrong password does not', async () => {
  const stranger = { method: 'publickey', key: parsePrivateKey(sshd.strangerKey) } as const
  const right = { method: 'publickey', key: parsePrivateKey(sshd.privateKey) } as const
  const refused = login({ methods: [stranger] })
  await expect(refused).rejects.toThrow(AuthError)
  await expect(refused).rejects.toMatchObject({ methods: expect.arrayContaining(['publickey']) as string[] })
  await login({ methods: [stranger, right] })
  await expect(login({ methods: [{ method: 'password', password: 'wrong' }] })).rejects.toThrow(AuthError)
})

test.runIf(process.getuid?.() === 0)(
  'a password opens, and key and password where both are wanted',
  async () => {
    const password = { method: 'password', password: sshd.password ?? '' } as const
    await login({ methods: [password] })
    const strict = await startSshd(['AuthenticationMethods publickey,password', 'Banner /etc/debian_version'])
    const key = { method: 'publickey', key: parsePrivateKey(strict.privateKey) } as const
    const said: string[] = []
    const both = [{ method: 'password', password: strict.password ?? '' } as const, key]
    await login({ methods: both, onBanner: (text) => said.push(text) }, strict)
    expect(said).toHaveLength(1)
    await expect(login({ methods: [key] }, strict)).rejects.toMatchObject({ methods: ['password'] })
    await strict.stop()
  },
)

test('a silent server, one that speaks something else, and one that goes away are told apart', async () => {
  const answer = async (onSocket: (socket: Socket) => void) => {
    const server = createServer((socket) => onSocket(socket.on('error', () => {}))).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0
    const failed = logIn({ port, ...keyOf(sshd) }, { loginMs: 300 })
    const error: unknown = await failed.catch((reason: unknown) => reason)
    server.close()
    return error
  }
  expect(await answer(() => {})).toMatchObject({ reason: 'connectionLost' })
  expect(await answer((socket) => socket.end('SSH-1.5-old\r\n'))).toMatchObject({
    reason: 'versionNotSupported',
  })
})

test('connecting can be given up', async () => {
  const giveUp = new AbortController()
  const connecting = login({
    signal: giveUp.signal,
    verifyHostKey: () => giveUp.abort(new Error('changed my mind')),
  })
  await expect(connecting).rejects.toThrow('changed my mind')
})

test('a server that goes away ends its sessions and says so', async () => {
  const server = await startSshd()
  const client = await login({}, server)
  const session = await exec(client, 'echo here; sleep 60')
  await once(session, 'data')
  await server.stop()
  await session.gone
  expect(await session.exited).toBeUndefined()
  await client.closed
  session.windowChange(terminal)
  session.signal('TERM')
  session.destroy()
  await expect(client.openSession()).rejects.toThrow(ChannelError)
})
