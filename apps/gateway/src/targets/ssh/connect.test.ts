import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NoAnswerError, type TargetQuestions } from '../../session/questions.ts'
import type { ShellConnection } from '../../traffic/ports.ts'
import { keptIn, TestHostKeys } from '../../testing/host-keys.ts'
import { connect as connectClient, parsePrivateKey } from '@sallyport/ssh'
import { freePort, startSshd, type TestSshd } from '@sallyport/ssh/testing/sshd'
import { TestServer } from '@sallyport/ssh/testing/test-server'
import { ServerAwayError } from '../../api/errors.ts'
import { direct, type Dialer } from '../dialer.ts'
import { connectSsh } from './connect.ts'
import type { LoginOptions, SshTarget } from './login.ts'

let sshd: TestSshd
let dir: string
const open: ShellConnection[] = []

beforeAll(async () => {
  sshd = await startSshd()
  dir = await mkdtemp(join(tmpdir(), 'sallyport-target-'))
})
afterAll(async () => {
  for (const connection of open) connection.end()
  await sshd.stop()
  await rm(dir, { recursive: true, force: true })
})

const options = (): LoginOptions => ({ dialer: direct('ann'), hostKeys: keptIn(new TestHostKeys()) })
const target = (changes: Partial<SshTarget> = {}): SshTarget => ({
  asset_id: 'a1a1a1a1-0000-4000-8000-000000000001',
  address: sshd.host,
  port: sshd.port,
  username: sshd.username,
  private_key: sshd.privateKey,
  ...changes,
})
async function connect(changes: Partial<SshTarget> = {}, more: Partial<LoginOptions> = {}) {
  const connection = await connectSsh(target(changes), { ...options(), ...more })
  open.push(connection)
  return connection
}
const existing = (stream: Readable | undefined) => {
  if (!stream) throw new Error('no stream')
  return stream
}

test('a command gives its output, its errors and its exit status, each on its own', async () => {
  const connection = await connect()
  const channel = await connection.exec('echo out; echo err >&2; exit 42')
  const [out, err, result] = await Promise.all([
    text(channel.stdout),
    text(existing(channel.stderr)),
    channel.exited,
  ])
  expect({ out, err, result }).toEqual({ out: 'out\n', err: 'err\n', result: { kind: 'status', code: 42 } })
})

test('a command that dies of a signal says which', async () => {
  const channel = await (await connect()).exec('kill -KILL $$')
  channel.stdout.resume()
  channel.stderr?.resume()
  expect(await channel.exited).toEqual({ kind: 'signal', name: 'KILL' })
})

test('a signal reaches the command', async () => {
  const channel = await (
    await connect()
  ).exec('trap "echo got it; exit 7" TERM; echo ready; while :; do sleep 0.05; done')
  await once(channel.stdout, 'data')
  channel.signal('TERM')
  expect(await channel.exited).toEqual({ kind: 'status', code: 7 })
})

test('the end of the input reaches the command, 10 MB come back unharmed', async () => {
  const channel = await (await connect()).exec('cat; echo end >&2')
  const data = randomBytes(10_000_000)
  channel.stdin.end(data)
  const [back, err] = await Promise.all([buffer(channel.stdout), text(existing(channel.stderr))])
  expect(createHash('sha256').update(back).digest('hex')).toBe(
    createHash('sha256').update(data).digest('hex'),
  )
  expect(err).toBe('end\n')
  expect(await channel.exited).toEqual({ kind: 'status', code: 0 })
})

test('a target that changes its keys on the way takes an upload whole, and its answer comes back whole', async () => {
  const rekeying = await startSshd(['RekeyLimit 1M'])
  const { host: address, port, username, privateKey: private_key } = rekeying
  const connection = await connect({ address, port, username, private_key })
  const data = randomBytes(20_000_000)
  for (const command of ['cat', 'sha256sum']) {
    const channel = await connection.exec(command)
    channel.stdin.end(data)
    channel.stderr?.resume()
    const back = await buffer(channel.stdout)
    const sum = createHash('sha256').update(data).digest('hex')
    if (command === 'cat') expect(createHash('sha256').update(back).digest('hex')).toBe(sum)
    else expect(back.toString()).toContain(sum)
    expect(await channel.exited).toEqual({ kind: 'status', code: 0 })
  }
  await rekeying.stop()
})

test('output and errors in bulk, both read slowly, arrive once and whole', async () => {
  const channel = await (
    await connect()
  ).exec('head -c 9000000 /dev/zero & head -c 9000000 /dev/zero >&2; wait')
  const count = async (stream: Readable) => {
    let bytes = 0
    for await (const chunk of stream) {
      bytes += Buffer.byteLength(chunk)
      if (bytes % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    return bytes
  }
  expect(await Promise.all([count(channel.stdout), count(existing(channel.stderr))])).toEqual([
    9_000_000, 9_000_000,
  ])
})

test('a shell has the size and the TERM it was asked for, and follows a resize', async () => {
  const channel = await (await connect()).shell({ term: 'xterm-256color', cols: 91, rows: 33 })
  channel.stdin.write('stty size; echo $TERM; read x; stty size; exit 3\n')
  let output = ''
  channel.stdout.on('data', (data: Buffer) => (output += data.toString()))
  await expect.poll(() => output).toMatch(/33 91\r\nxterm-256color\r\n/)
  channel.resize({ cols: 120, rows: 50 })
  channel.stdin.write('\n')
  await expect.poll(() => output).toMatch(/50 120/)
  expect(await channel.exited).toEqual({ kind: 'status', code: 3 })
})

test('a command can be given a terminal, and its locale goes along', async () => {
  const terminal = { term: 'vt100', cols: 70, rows: 20 }
  const channel = await (
    await connect()
  ).exec('stty size; echo $TERM $LANG $LC_TIME >&2', {
    terminal,
    locale: { LANG: 'ja_JP.UTF-8', LC_TIME: 'C' },
  })
  channel.stderr?.resume()
  expect(await text(channel.stdout)).toBe('20 70\r\nvt100 ja_JP.UTF-8 C\r\n')
})

test('the host key of the first visit is reported and another one refused until it is accepted', async () => {
  const server = await startSshd()
  try {
    const books = new TestHostKeys()
    const visit = async () => {
      const changes = { port: server.port, username: server.username, private_key: server.privateKey }
      const connection = await connectSsh(target(changes), { dialer: direct('ann'), hostKeys: keptIn(books) })
      connection.end()
    }
    const shown = () => books.shown.map(({ target: where, algorithm, key }) => [where, `${algorithm} ${key}`])
    const where = `${target().asset_id} 127.0.0.1:${server.port}`
    await visit()
    const first = server.hostKey
    expect(shown()).toEqual([[where, first]])
    await visit()
    await server.changeHostKey()
    const [known, changed] = [books.shown[0]?.fingerprint, () => books.shown[1]?.fingerprint]
    await expect(visit()).rejects.toMatchObject({ code: 'target_host_key_changed', params: { known } })
    expect(shown()).toEqual([
      [where, first],
      [where, server.hostKey],
    ])
    // An administrator accepts it, then another one refuses it.
    books.accept(changed() ?? '')
    await visit()
    for (const key of books.shown) key.state = 'refused'
    await expect(visit()).rejects.toMatchObject({
      code: 'target_host_key_refused',
      params: { shown: changed() },
    })
  } finally {
    await server.stop()
  }
})

test('a target is not said to be silent where the server does not tell whether to trust it', async () => {
  const server = await TestServer.start()
  const silent = { ...keptIn(new TestHostKeys()), reportHostKey: () => new Promise<never>(() => {}) }
  const connecting = connectSsh(target({ port: server.port }), {
    dialer: direct('ann'),
    hostKeys: silent,
    timeoutMs: 300,
  })
  await expect(connecting).rejects.toBeInstanceOf(ServerAwayError)
  await server.stop()
})

test('a target behind another machine is reached through it, and each of them by its own host key', async () => {
  const jump = await startSshd()
  let shown: string | undefined
  const client = await connectClient(
    await direct('ann').dial(jump.host, jump.port, AbortSignal.timeout(10_000)),
    {
      ident: 'Test',
      username: jump.username,
      methods: [{ method: 'publickey', key: parsePrivateKey(jump.privateKey) }],
      verifyHostKey: ({ type, blob }) => void (shown = `${type} ${blob.toString('base64')}`),
      loginMs: 10_000,
      replyMs: 10_000,
      keepaliveMs: 10_000,
    },
  )
  const dialer: Dialer = { dial: (host, port) => client.openDirect({ host, port }) }
  const books = new TestHostKeys()
  const connection = await connect({}, { dialer, hostKeys: keptIn(books) })
  const channel = await connection.exec('echo $SSH_CONNECTION; cat')
  channel.stderr?.resume()
  const data = randomBytes(5_000_000)
  channel.stdin.end(data)
  const back = await buffer(channel.stdout)
  expect(back.subarray(back.indexOf('\n') + 1).equals(data)).toBe(true)
  expect(books.shown.map(({ algorithm, key }) => `${algorithm} ${key}`)).toEqual([sshd.hostKey])
  expect(jump.hostKey).toBe(shown)
  await expect(connect({ port: await freePort() }, { dialer })).rejects.toMatchObject({ code: 'target_lost' })
  client.end()
  expect(await connection.closed).toBeUndefined()
  await jump.stop()
})

test('a key nobody knows is refused', async () => {
  await expect(connect({ private_key: sshd.strangerKey })).rejects.toMatchObject({
    code: 'target_auth_failed',
  })
})

test('text that is no key, or a locked key without its passphrase, is said to be unusable', async () => {
  await expect(connect({ private_key: 'hello' })).rejects.toMatchObject({ code: 'target_key_unusable' })
})

test.runIf(process.getuid?.() === 0)('a password opens the account, a wrong one does not', async () => {
  const channel = await (await connect({ private_key: undefined, password: sshd.password })).exec('whoami')
  expect(await text(channel.stdout)).toBe(`${sshd.username}\n`)
  const wrong = connect({ private_key: undefined, password: 'wrong' })
  await expect(wrong).rejects.toMatchObject({ code: 'target_auth_failed' })
})

/** A target that asks these after what `first` takes, one after the other unless `atOnce`; it lets in who answers each with `answers`. */
async function askingTarget(
  prompts: string[],
  answers: string[],
  { first, atOnce = false }: { first?: 'publickey' | 'password'; atOnce?: boolean } = {},
) {
  const heard: string[] = []
  let isFirstDone = first === undefined
  const server = await TestServer.start({
    methods: () => [isFirstDone ? 'keyboard-interactive' : (first ?? 'keyboard-interactive')],
  })
  server.authenticate = async (request) => {
    if (!isFirstDone && request.method === first) {
      isFirstDone = true
      return 'partial'
    }
    if (request.method !== 'keyboard-interactive') return 'refused'
    const rounds = atOnce ? [prompts] : prompts.map((prompt) => [prompt])
    for (const round of rounds) {
      const questions = round.map((prompt) => ({ prompt, echo: prompt.includes('shown') }))
      heard.push(...(await request.ask({ name: '', instruction: '', questions })))
    }
    return heard.join() === answers.join() ? 'accepted' : 'wrong'
  }
  return { port: server.port, heard, stop: () => server.stop() }
}

test.for([false, true])(
  'questions of the target are answered: the password by itself, the others by the person (at once: %s)',
  async (atOnce) => {
    const target = await askingTarget(['Password: ', 'Code (shown): '], ['secret', '123456'], { atOnce })
    const asked: TargetQuestions[] = []
    const ask = async (one: TargetQuestions) => {
      asked.push(one)
      return ['123456']
    }
    await connect({ port: target.port, private_key: undefined, password: 'secret' }, { ask })
    expect(asked).toEqual([
      {
        where: `127.0.0.1:${target.port}`,
        name: '',
        instruction: '',
        questions: [{ prompt: 'Code (shown): ', echo: true }],
      },
    ])
    await target.stop()
  },
)

test('an account that opens by its key is asked for a second factor when its key was taken, and for nothing when not', async () => {
  const target = await askingTarget(['OTP: '], ['7'], { first: 'publickey' })
  await connect({ port: target.port }, { ask: async () => ['7'] })
  expect(target.heard).toEqual(['7'])
  await target.stop()
  const never = await askingTarget(['Password: '], ['mine'])
  const refused = connect({ port: never.port }, { ask: async () => ['mine'] })
  await expect(refused).rejects.toMatchObject({ code: 'target_auth_failed' })
  expect(never.heard).toEqual([])
  await never.stop()
})

test.for([
  "One-time password (OATH) for `ann': ",
  'Password + token: ',
  'New password: ',
  'Retype new password: ',
  'Verification code: ',
  'Your dynamic password: ',
  '动态密码: ',
  '新密码: ',
  'ワンタイムパスワード: ',
  'Password (shown): ',
  'What now? ',
])('the stored password is no answer to %s', async (prompt) => {
  const target = await askingTarget([prompt], ['typed'])
  const changes = { port: target.port, private_key: undefined, password: 'secret' }
  await connect(changes, { ask: async () => ['typed'] })
  expect(target.heard).toEqual(['typed'])
  await target.stop()
})

test.for([
  'Password: ',
  "ann's password:",
  '(current) UNIX password: ',
  'Password for ann@EXAMPLE:',
  '密码:',
  'パスワード:',
])('the stored password answers %s, and only once', async (prompt) => {
  const target = await askingTarget([prompt, prompt], ['secret', 'typed'])
  const changes = { port: target.port, private_key: undefined, password: 'secret' }
  await connect(changes, { ask: async () => ['typed'] })
  expect(target.heard).toEqual(['secret', 'typed'])
  await target.stop()
})

test('why a question was not answered is told as it is', async () => {
  const target = await askingTarget(['Code:\u001b[31m\n '], ['right'])
  const where = `127.0.0.1:${target.port}`
  const changes = { port: target.port, private_key: undefined, password: 'secret' }
  const nobody = connect(changes)
  await expect(nobody).rejects.toMatchObject({
    code: 'target_question_unanswered',
    params: { where, question: 'Code:[31m' },
  })
  const ask = () => Promise.reject(new NoAnswerError('given_up'))
  await expect(connect(changes, { ask })).rejects.toMatchObject({ code: 'target_question_given_up' })
  const wrong = connect(changes, { ask: async () => ['wrong'] })
  await expect(wrong).rejects.toMatchObject({ code: 'target_answers_refused', params: { where } })
  await target.stop()
  const endless = await askingTarget(
    Array.from({ length: 20 }, () => 'More? '),
    [],
  )
  const worn = connect({ ...changes, port: endless.port }, { ask: async () => ['yes'] })
  await expect(worn).rejects.toMatchObject({ code: 'target_asks_too_much' })
  await endless.stop()
})

test('an exit status that comes in one packet with everything else is not missed', async () => {
  const server = await TestServer.start({
    onChannel: (opening) => {
      if (opening.type !== 'session') return
      const session = opening.accept()
      const exec = () => () => {
        session.write('all at once')
        session.exit({ kind: 'status', code: 9 }, 1000)
      }
      session.handlers = { exec }
    },
  })
  const channel = await (await connect({ port: server.port })).exec('anything')
  channel.stderr?.resume()
  expect(await text(channel.stdout)).toBe('all at once')
  expect(await channel.exited).toEqual({ kind: 'status', code: 9 })
  await server.stop()
})

async function listen(server: Server): Promise<number> {
  await once(server, 'listening')
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  return address.port
}

test('nobody there, a silent host, a host that speaks something else: each is told apart within its time', async () => {
  await expect(connect({ port: await freePort() })).rejects.toMatchObject({ code: 'target_refused' })
  await expect(connect({ address: 'nowhere.invalid' })).rejects.toMatchObject({
    code: 'target_name_not_found',
  })

  const silent = createServer().listen(0, '127.0.0.1')
  const silentPort = await listen(silent)
  const begun = performance.now()
  await expect(connect({ port: silentPort }, { timeoutMs: 300 })).rejects.toMatchObject({
    code: 'target_no_answer',
  })
  expect(performance.now() - begun).toBeLessThan(2000)
  silent.close()

  const web = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0, '127.0.0.1')
  await expect(connect({ port: await listen(web) })).rejects.toMatchObject({ code: 'target_not_ssh' })
  web.close()
})

test('a target that goes away ends its channels and says so', async () => {
  const server = await startSshd()
  const connection = await connect({
    port: server.port,
    username: server.username,
    private_key: server.privateKey,
  })
  const channel = await connection.exec('echo here; sleep 60')
  await once(channel.stdout, 'data')
  channel.stderr?.resume()
  await server.stop()
  expect(await channel.exited).toMatchObject({ kind: 'lost' })
  await connection.closed
  channel.resize({ cols: 10, rows: 10 })
  channel.signal('TERM')
  channel.destroy()
  await expect(connection.exec('true')).rejects.toMatchObject({ code: 'target_channel_refused' })
})
