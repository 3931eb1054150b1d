import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MethodName } from './auth/server-auth.ts'
import { OpenSsh } from './testing/openssh.ts'
import { TestServer } from './testing/test-server.ts'

let folder: string
let server: TestServer
let ssh: OpenSsh

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ssh-client-'))
  server = await TestServer.start()
  ssh = new OpenSsh(server.port, folder)
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('a command gives its output, its errors and its exit status, each on its own', async () => {
  const ran = await ssh.run('ann', ['echo out; echo err >&2; exit 42'])
  expect(ran).toMatchObject({ code: 42, stdout: 'out\n' })
  expect(ran.stderr).toContain('err\n')
})

test('the input reaches the command, and its end ends it: cat < file', async () => {
  const input = randomBytes(3_000_000)
  const ran = await ssh.run('ann', ['cat; echo end >&2'], { input })
  expect(digest(ran.bytes)).toBe(digest(input))
  expect(ran.stderr).toContain('end\n')
})

test('a command that dies of a signal fails the client', async () => {
  expect((await ssh.run('ann', ['kill -TERM $$'])).code).toBe(255)
})

test('a shell on a terminal has its size, TERM and environment', async () => {
  const terminal = await ssh.terminal('ann', ['-oSendEnv=LANG', '-oSetEnv=LANG=ja_JP.UTF-8'])
  terminal.type('echo $TERM; stty size; exit 5\n')
  await terminal.until(/xterm-256color\r\n/)
  expect(await terminal.ended).toBe(5)
  expect(server.sessions.at(-1)).toMatchObject({
    terminal: { term: 'xterm-256color' },
    env: { LANG: 'ja_JP.UTF-8' },
  })
})

test('a window that is resized is told', async () => {
  const window = await ssh.window('ann', ['read x'])
  await expect.poll(() => server.sessions.at(-1)?.terminal).toMatchObject({ cols: 80, rows: 24 })
  const seen = server.sessions.at(-1)
  await expect
    .poll(async () => {
      await window.resize(101, 41)
      return seen?.sizes.at(-1)
    })
    .toMatchObject({ cols: 101, rows: 41 })
  window.type('\n')
  expect(await window.ended).toBe(0)
})

// The client tells only servers that call themselves OpenSSH.
test('a reader that has enough ends the writer: ssh … yes | head', async () => {
  const openSsh = await TestServer.start({ ident: 'OpenSSH_9.9_in_tests' })
  const { stdout } = await promisify(execFile)('bash', [
    '-c',
    `ssh -Fnone -oBatchMode=yes -oStrictHostKeyChecking=no -oUserKnownHostsFile=/dev/null -oLogLevel=ERROR -p ${openSsh.port} ann@127.0.0.1 yes | head -n2`,
  ])
  await openSsh.stop()
  expect(stdout).toBe('y\ny\n')
})

test.each([1000, 64 * 1024, 120_000])('a command of %i characters is run as it is', async (length) => {
  const ran = await ssh.run('ann', [`echo ${'x'.repeat(length)} | wc -c`])
  expect(ran.stdout.trim()).toBe(String(length + 1))
})

test('a subsystem is what it is asked for', async () => {
  expect((await ssh.run('ann', ['-s', 'sftp'])).stdout).toBe('subsystem sftp\n')
})

test('forwarding of agent and X11 is not granted, and nobody is bothered with it', async () => {
  const ran = await ssh.run('ann', ['-A', '-X', 'echo ${SSH_AUTH_SOCK:-none} ${DISPLAY:-none}'])
  expect(ran.stdout).toBe('none none\n')
})

test('remote forwarding is refused', async () => {
  const ran = await ssh.run('ann', ['-oExitOnForwardFailure=yes', '-R0:127.0.0.1:1', 'true'])
  expect(ran.code).toBe(255)
})

test('many channels on one connection (ControlMaster)', async () => {
  const socket = join(folder, 'mux')
  const master = await ssh.terminal('ann', ['-oControlMaster=yes', `-oControlPath=${socket}`, '-N'])
  const exists = () => stat(socket).then(Boolean, () => false)
  await expect.poll(exists).toBe(true)
  const before = server.connections.length
  const many = Array.from({ length: 30 }, async (_, index) => {
    const input = randomBytes(200_000 + index)
    const ran = await ssh.run('ann', [`-oControlPath=${socket}`, `cat; exit ${index}`], { input })
    return [ran.code, digest(ran.bytes) === digest(input)]
  })
  expect(await Promise.all(many)).toEqual(many.map((_, index) => [index, true]))
  expect(server.connections.length).toBe(before)
  master.child.kill()
  await master.ended
})

test('a way on to another machine: -W, and -J to another server', async () => {
  const echo = await TestServer.start()
  const jumped = await new OpenSsh(echo.port, folder).run(
    'bob',
    [
      `-oProxyCommand=ssh -Fnone -oBatchMode=yes -oStrictHostKeyChecking=no -oUserKnownHostsFile=/dev/null -W %h:%p -p ${server.port} ann@127.0.0.1`,
      'cat; exit 7',
    ],
    { input: randomBytes(2_000_000) },
  )
  expect([jumped.code, jumped.bytes.length]).toEqual([7, 2_000_000])
  await echo.stop()
  const refused = await ssh.run('ann', ['-W127.0.0.1:1'])
  expect(refused.stderr).toContain('Nobody listens there')
})

test.each([
  ['nobody changes keys', [], {}, 100_000_000],
  ['the client changes keys', ['-oRekeyLimit=1M'], {}],
  ['the server changes keys', [], { rekeyBytes: 1_000_000 }],
  ['both change keys, windows are small', ['-oRekeyLimit=500K'], { rekeyBytes: 700_000, windowBytes: 5000 }],
])(
  'much in both directions at once, unharmed, while %s',
  async (_name, options, serveOptions, bytes = 10_000_000) => {
    const changing = await TestServer.start(serveOptions)
    const input = randomBytes(bytes)
    const ran = await new OpenSsh(changing.port, folder).run('ann', [...options, 'cat'], { input })
    expect([ran.code, digest(ran.bytes)]).toEqual([0, digest(input)])
    await changing.stop()
  },
)

test('a key opens, first shown and then proven; keys nobody knows are not counted', async () => {
  const guarded = await TestServer.start({ maxFailures: 1 })
  const client = new OpenSsh(guarded.port, folder)
  const files = ['one', 'two', 'three'].map((name) => join(folder, `key-${name}`))
  const run = promisify(execFile)
  for (const [index, file] of files.entries()) {
    await run('ssh-keygen', ['-q', '-t', ['ed25519', 'rsa', 'ecdsa'][index] ?? '', '-N', '', '-f', file])
  }
  const right = (await readFile(`${files[2]}.pub`, 'utf8')).split(' ')[1]
  const probes: boolean[] = []
  guarded.authenticate = (request) => {
    if (request.method !== 'publickey') return 'refused'
    probes.push(request.isProven)
    return request.key.blob.toString('base64') === right ? 'accepted' : 'refused'
  }
  const keys = files.map((file) => `-i${file}`)
  expect((await client.run('ann', [...keys, 'exit 3'])).code).toBe(3)
  expect(probes).toEqual([false, false, false, true])
  await guarded.stop()
})

test('a password, then questions, with lines before and between', async () => {
  const guarded = await TestServer.start()
  const client = new OpenSsh(guarded.port, folder)
  const methods: MethodName[] = ['password', 'keyboard-interactive']
  guarded.authenticate = async (request, connection) => {
    if (request.method === 'password') {
      connection.banner('Now a code, ä\n')
      if (request.password !== 'right') return 'wrong'
      methods.splice(0, 1)
      return 'partial'
    }
    if (request.method !== 'keyboard-interactive') return 'refused'
    connection.extend(10_000)
    const [code] = await request.ask({
      name: '',
      instruction: 'From your phone',
      questions: [{ prompt: 'Code: ', echo: false }],
    })
    return code === '123' ? 'accepted' : 'wrong'
  }
  guarded.options = { methods: () => methods }
  const options = ['-oPreferredAuthentications=password,keyboard-interactive', 'exit 4']
  const ran = await client.run('ann', options, { answers: ['wrong', 'right', '123'] })
  expect(ran.code).toBe(4)
  expect(ran.stderr).toContain('Now a code')
  await guarded.stop()
})

test('too many wrong passwords, and a login that takes too long, end with a sentence', async () => {
  const guarded = await TestServer.start({ maxFailures: 2 })
  guarded.authenticate = () => 'wrong'
  const client = new OpenSsh(guarded.port, folder)
  const wrong = await client.run('ann', ['true'], { answers: ['a', 'b', 'c'] })
  expect(wrong.stderr).toContain('Too many attempts failed')
  guarded.options = { loginMs: 2000 }
  guarded.authenticate = () => new Promise(() => {})
  const slow = await client.run('ann', ['true'])
  expect(slow.stderr).toContain('The login took too long')
  await guarded.stop()
})

test('a client that is killed ends its program', async () => {
  const terminal = await ssh.terminal('ann', ['echo ready; exec sleep 100'])
  await terminal.until(/ready/)
  const ended = server.ends.length
  terminal.child.kill('SIGKILL')
  await once(terminal.child, 'exit')
  await expect.poll(() => server.ends.length).toBe(ended + 1)
})
