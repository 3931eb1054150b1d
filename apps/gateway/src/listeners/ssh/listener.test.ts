import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BlockList, connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { decodeMark, decodeSize, frameType, type Frame } from '@sallyport/contract/recording'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AuthMethod, type Client, parsePrivateKey } from '@sallyport/ssh'
import { exec, logIn, logInRaw } from '@sallyport/ssh/testing/log-in'
import { Writer } from '@sallyport/ssh/wire/writer'
import { OpenSsh } from '@sallyport/ssh/testing/openssh'
import { isRunning } from '../../testing/process.ts'
import { ann, TestGateway, testAsset } from '../../testing/ssh-gateway.ts'
import type { StoredSession } from '../../testing/books.ts'
import type { TestSshd } from '@sallyport/ssh/testing/sshd'

let sshd: TestSshd
let gateway: TestGateway
let ssh: OpenSsh
const direct = () => `ann@op@${sshd.host}`
const key = () => [`-i${sshd.privateKeyFile}`]

beforeAll(async () => {
  gateway = await TestGateway.start()
  sshd = gateway.sshd
  ssh = new OpenSsh(gateway.port, gateway.folder)
})
afterAll(async () => {
  await gateway.stop()
})
beforeEach(async () => {
  const [, base64 = ''] = (await readFile(`${sshd.privateKeyFile}.pub`, 'utf8')).split(' ')
  gateway.keys.add(base64)
  gateway.steps.length = 0
  gateway.requests.length = 0
  gateway.confirmed = 'approved'
  gateway.abandoned = 0
})

/** The newest session, once its recording is with the server. */
async function lastRecording(): Promise<{ session: StoredSession | undefined; frames: Frame[] }> {
  const { server } = gateway
  const session = [...server.sessions.values()].at(-1)
  const id = session?.id ?? ''
  await expect.poll(() => server.recordings.get(id)?.finished).toBeTruthy()
  return { session, frames: await server.frames(id) }
}

const outputOf = (frames: Frame[]) =>
  Buffer.concat(
    frames.filter(({ type }) => type === frameType.output).map(({ payload }) => payload),
  ).toString()

test('a password opens a direct login; the command has its own output, errors and exit status', async () => {
  const ran = await ssh.run(direct(), ['echo out; echo err >&2; exit 42'], { answers: ['correct horse'] })
  expect(ran).toMatchObject({ code: 42, stdout: 'out\n' })
  expect(ran.stderr).toContain('err\n')
  expect(gateway.requests).toMatchObject([
    { kind: 'grant', account: 'op', protocol: 'ssh', asset: { name: 'box' } },
  ])
})

test('a wrong password is refused with the server’s sentence, and a right one after it accepted', async () => {
  const wrong = await ssh.run(direct(), ['-oNumberOfPasswordPrompts=1', 'true'], { answers: ['nope'] })
  expect(wrong.code).toBe(255)
  expect(wrong.stderr).toContain('Login refused: wrong in en')
  expect(wrong.stderr).toContain('Permission denied')
  expect((await ssh.run(direct(), ['true'], { answers: ['nope', 'correct horse'] })).code).toBe(0)
})

test('a key of the profile opens, a stranger’s does not', async () => {
  expect(await ssh.run(direct(), [...key(), 'exit 3'])).toMatchObject({ code: 3 })
  expect(await ssh.run(direct(), [`-i${sshd.strangerKeyFile}`, 'true'])).toMatchObject({ code: 255 })
})

test('keys that are not known count nothing: the eighth of an agent opens, a client that tries on and on is told', async () => {
  const strangers = await Promise.all(
    Array.from({ length: 21 }, async (_, index) => {
      const file = join(gateway.folder, `agent-key-${index}`)
      await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
      return `-i${file}`
    }),
  )
  const eighth = await ssh.run(direct(), [...strangers.slice(0, 7), ...key(), 'exit 3'])
  expect(eighth.code).toBe(3)
  expect(eighth.stderr).not.toContain('Login refused')
  const many = await ssh.run(direct(), [...strangers, ...key(), 'true'])
  expect(many.code).toBe(255)
  expect(many.stderr).toContain('Your client offered more than 20 keys')
})

test('a killed command is reported by its signal', async () => {
  const ran = await ssh.run(direct(), [...key(), 'kill -TERM $$'])
  expect(ran.code).not.toBe(0)
})

test('a signal that comes before the command runs ends it', async () => {
  const methods: AuthMethod[] = [{ method: 'password', password: gateway.password }]
  const client = await logIn({ port: gateway.port, username: direct(), methods })
  const session = await client.openSession()
  await session.exec('sleep 60')
  session.signal('TERM')
  expect(await session.exited).toEqual({ kind: 'signal', name: 'TERM' })
  client.end()
})

test('a command that ends its outputs and reads on says so, and has its exit status when it has read all', async () => {
  const methods: AuthMethod[] = [{ method: 'password', password: gateway.password }]
  const client = await logIn({ port: gateway.port, username: direct(), methods })
  const session = await exec(
    client,
    'echo before; echo there >&2; exec >&- 2>&-; cat | tail -c 1 | grep -q d; exit $?',
  )
  expect(await Promise.all([text(session), text(session.stderr)])).toEqual(['before\n', 'there\n'])
  session.end(`${'more '.repeat(100_000)}end`)
  expect(await session.exited).toEqual({ kind: 'status', code: 0 })
  client.end()
})

test('a command whose output is read no more ends as on sshd, with what it exits with: yes | head', async () => {
  const ran = await ssh.runAndReadFirst(direct(), [...key(), 'yes; exit 3'])
  expect(ran).toMatchObject({ code: 3, stdout: expect.stringMatching(/^y\ny\n/) as string })
  expect((await lastRecording()).session).toMatchObject({ end_reason: 'target_closed' })
})

test.each([
  ['', []],
  [', while the client changes its keys on the way', ['-oRekeyLimit=1M']],
])('10 MB in both directions, byte for byte%s', async (_name, options) => {
  const data = randomBytes(10_000_000)
  const ran = await ssh.run(direct(), [...key(), ...options, 'cat'], { input: data })
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  expect(ran.code).toBe(0)
  expect(hash(ran.bytes)).toBe(hash(data))
})

test('a shell on a terminal: size, TERM, resize by the client, exit status', async () => {
  const terminal = await ssh.terminal(direct(), key())
  terminal.type('PS1=READY; echo $TERM; exit 5\n')
  await terminal.until(/xterm-256color\r\n/)
  expect(await terminal.ended).toBe(5)
})

test('what a client says of its terminal and its locale goes on to the target, as far as it is harmless', async () => {
  const method: AuthMethod = { method: 'password', password: gateway.password }
  const client = await logIn({ port: gateway.port, username: direct(), methods: [method] })
  const session = await client.openSession()
  const modes = Buffer.from([
    3, 0, 0, 0, 8, 38, 0, 0, 0, 0, 42, 0, 0, 0, 1, 6, 0, 0, 0, 88, 53, 0, 0, 0, 0, 0,
  ])
  for (const [name, value] of Object.entries({ LC_TIME: 'C', LC_PAPER: 'a;b', LC_OWN: 'C', OTHER: 'x' }))
    session.env(name, value)
  const size = { cols: 90, rows: 30, widthPixels: 0, heightPixels: 0 }
  await Promise.all([
    session.pty({ term: 'xterm', ...size, modes }),
    session.exec('stty -a; echo "[$LC_TIME$LC_PAPER$LC_OWN$OTHER]"'),
  ])
  const shown = await text(session)
  client.end()
  for (const told of ['erase = ^H;', ' -ixon ', ' iutf8', 'eol = <undef>;', ' echo ', '[C]'])
    expect(shown.replaceAll('\r\n', ' ')).toContain(told)
})

test('a window that is resized tells the target and the recording', async () => {
  const window = await ssh.window(direct(), key())
  await window.until(/\$ $/)
  await window.resize(101, 41)
  await expect
    .poll(async () => {
      window.type('stty size\n')
      return await window.until(/\d+ \d+\r\n/)
    })
    .toContain('41 101\r\n')
  window.type('exit\n')
  expect(await window.ended).toBe(0)
  const { frames } = await lastRecording()
  const sizes = frames
    .filter(({ type }) => type === frameType.resize)
    .map(({ payload }) => decodeSize(payload))
  // stty sets columns and rows one after the other.
  expect([sizes[0], sizes.at(-1)]).toEqual([
    { cols: 80, rows: 24 },
    { cols: 101, rows: 41 },
  ])
})

test('a script on the input of a terminal (ssh -tt < script) runs to its end', async () => {
  const ran = await ssh.run(direct(), [...key(), '-tt'], { input: 'echo in-$((1+1))\nexit 5\n' })
  expect(ran.code).toBe(5)
  expect(ran.stdout).toContain('in-2\r\n')
  const { session, frames } = await lastRecording()
  expect(session).toMatchObject({ type: 'normal', end_reason: 'target_closed' })
  expect(outputOf(frames)).toContain('in-2\r\n')
})

test('a script without a terminal (ssh < script) runs in the login shell and is recorded like a command', async () => {
  const script = 'tty; echo out-$((1+1)); echo err >&2; exit 6\n'
  const ran = await ssh.run(direct(), [...key(), '-T'], { input: script })
  expect(ran).toMatchObject({ code: 6, stdout: 'not a tty\nout-2\n' })
  expect(ran.stderr).toContain('err\n')
  const { session, frames } = await lastRecording()
  expect(session).toMatchObject({ type: 'command', end_reason: 'target_closed' })
  expect(outputOf(frames)).toContain('out-2\n')
  const marks = frames.filter(({ type }) => type === frameType.mark).map(({ payload }) => decodeMark(payload))
  expect(marks).toMatchObject([
    { kind: 'exec_start', command: '' },
    { kind: 'exec_end', exit: { kind: 'status', code: 6 }, stdin: { bytes: script.length } },
    { kind: 'end', reason: 'target_closed' },
  ])
  await expect
    .poll(() => gateway.server.commands.at(-1))
    .toMatchObject({
      session: session?.id,
      input: '(entered into a shell without a terminal; see the recording)',
      output: expect.stringContaining('out-2') as string,
    })
})

test('a command with a terminal (ssh -t)', async () => {
  const terminal = await ssh.terminal(direct(), [...key(), 'tty; exit 4'])
  await terminal.until(/\/dev\/pts\/\d+\r\n/)
  expect(await terminal.ended).toBe(4)
})

test('a client that is killed ends the command on the target', async () => {
  const terminal = await ssh.terminal(direct(), [...key(), 'echo pid $$; exec sleep 100'])
  const pid = Number(/pid (\d+)/.exec(await terminal.until(/pid \d+/))?.[1])
  terminal.child.kill('SIGKILL')
  await expect.poll(() => isRunning(pid)).toBe(false)
})

async function controlMaster() {
  const socket = join(gateway.folder, `mux${randomBytes(4).toString('hex')}`)
  const master = await ssh.terminal(direct(), [
    ...key(),
    '-oControlMaster=yes',
    `-oControlPath=${socket}`,
    '-N',
  ])
  await expect
    .poll(() =>
      stat(socket).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  const run = (command: string, options?: { input: string }) =>
    ssh.run(direct(), [`-oControlPath=${socket}`, command], options)
  const end = async () => {
    master.child.kill()
    await master.ended
  }
  return { run, end }
}

test('a command that goes on behind the end of its outputs and of its input is not cut off, by a client that closes there either', async () => {
  const { run, end } = await controlMaster()
  const ran = await run('echo out; cat; exec >&- 2>&-; sleep 0.5; exit 7', { input: 'in\n' })
  expect(ran).toMatchObject({ code: 7, stdout: 'out\nin\n' })
  expect((await lastRecording()).session).toMatchObject({ end_reason: 'target_closed' })
  await end()
})

test('many channels on one connection, each with its own check of rights', async () => {
  const { run, end } = await controlMaster()
  const many = Array.from({ length: 20 }, (_, index) => run(`sleep 0.2; echo ${index}; exit ${index}`))
  const results = await Promise.all(many)
  expect(
    results.map(({ stdout, stderr, code }, index) => [stdout, code, code === index ? '' : stderr]),
  ).toEqual(results.map((_, index) => [`${index}\n`, index, '']))
  expect(gateway.requests).toHaveLength(20)
  await end()
})

test('what is not offered is refused with a sentence', async () => {
  const scp = await ssh.run(direct(), [...key(), 'scp -t /tmp/x'])
  expect(scp).toMatchObject({ code: 1, stdout: '' })
  expect(scp.stderr).toContain('Transferring files (SFTP, scp) is not offered here yet')
  const sftp = await ssh.run(direct(), [...key(), '-s', 'sftp'])
  expect(sftp.code).toBe(1)
  expect(sftp.stderr).toContain('Transferring files')
  const unknown = await ssh.run(direct(), [...key(), '-s', 'no-such-thing'])
  expect(unknown.stderr).toContain('subsystem request failed')
  const methods = [{ method: 'publickey', key: parsePrivateKey(sshd.privateKey) } as const]
  const { transport, told, socket } = await logInRaw({ port: gateway.port, username: direct(), methods })
  const open = new Writer().byte(90).string('x11').uint32(0).uint32(1000).uint32(1000)
  transport.send(open.finish())
  // Refused (92) as a type that is not known (3).
  await expect.poll(() => told.find(([number]) => number === 92)?.readUInt32BE(5)).toBe(3)
  socket.destroy()
  const forward = await ssh.run(direct(), [...key(), `-W127.0.0.1:${sshd.port}`])
  expect(forward.code).not.toBe(0)
  expect(forward.stderr).toContain('Port forwarding is not offered here yet')
  const remote = await ssh.run(direct(), [...key(), '-oExitOnForwardFailure=yes', '-R0:127.0.0.1:1', 'true'])
  expect(remote.code).toBe(255)
  const agentAndX11 = await ssh.run(direct(), [
    ...key(),
    '-A',
    '-X',
    'echo ${SSH_AUTH_SOCK:-none} ${DISPLAY:-none}',
  ])
  expect(agentAndX11.stdout).toBe('none none\n')
  const bare = await ssh.run('ann', [...key(), 'true'])
  expect(bare).toMatchObject({ code: 1 })
  expect(bare.stderr).toContain('A command needs a target')
  const noTerminal = await ssh.run('ann', [...key(), '-T'])
  expect(noTerminal.stderr).toContain('needs a terminal')
})

test('an asset or account the person does not have is told apart from others only by the sentence', async () => {
  const asset = await ssh.run('ann@op@10.9.9.9', [...key(), 'true'])
  expect(asset.stderr).toContain('You have no asset 10.9.9.9 with ssh')
  const account = await ssh.run(`ann@root@${sshd.host}`, [...key(), 'true'])
  expect(account.stderr).toContain('You have no account root on box')
  expect([asset.code, account.code]).toEqual([1, 1])
  expect(gateway.requests).toEqual([])
})

test('several assets with one address: a command is refused, a name decides, a terminal chooses', async () => {
  gateway.assets.push(testAsset('twin', sshd.host))
  gateway.accounts.set('twin', [{ alias: 'op', name: 'op', username: 'op', has_secret: true }])
  try {
    expect((await ssh.run(direct(), [...key(), 'true'])).stderr).toContain('Several of your assets')
    expect(await ssh.run('ann@op@twin', [...key(), 'exit 9'])).toMatchObject({ code: 9 })
    const terminal = await ssh.terminal(direct(), key())
    await terminal.until(/twin[^]*Asset> /)
    terminal.type('2\r')
    terminal.type('echo I am $((40+2)); exit\r')
    await terminal.until(/I am 42/)
    await terminal.ended
    expect(gateway.requests.at(-1)).toMatchObject({ asset: { name: 'twin' } })
  } finally {
    gateway.assets.pop()
  }
})

test('a connection token is not used up by who knows its name but not its value', async () => {
  const id = '7d1c0000-0000-4000-8000-00000000000c'
  gateway.tokens.set(id, { value: 'token-value-12345', person: ann })
  const guess = { answers: ['guessed'] }
  expect((await ssh.run(`JMS-${id}`, ['-oNumberOfPasswordPrompts=1', 'true'], guess)).code).toBe(255)
  const owner = { answers: ['token-value-12345'] }
  expect(await ssh.run(`JMS-${id}`, ['exit 6'], owner)).toMatchObject({ code: 6 })
})

test('a connection token opens its session with its value, once', async () => {
  const id = '7d1c0000-0000-4000-8000-00000000000a'
  const person = { id: 'ann-id', username: 'ann', name: 'Ann Lee' }
  gateway.tokens.set(id, { value: 'token-value-12345', person })
  const name = `JMS-${id}`
  expect(await ssh.run(name, ['exit 6'], { answers: ['token-value-12345'] })).toMatchObject({ code: 6 })
  expect(gateway.requests).toMatchObject([{ kind: 'token', token: { id } }])
  const again = await ssh.run(name, ['-oNumberOfPasswordPrompts=1', 'true'], {
    answers: ['token-value-12345'],
  })
  expect(again.code).toBe(255)
})

test('MFA and a confirmation by the administrator are asked after the password', async () => {
  gateway.steps.push({ kind: 'mfa', choices: ['otp', 'sms'] }, { kind: 'confirm' })
  const answers = ['correct horse', '1', '999999', '123456', 'y']
  expect((await ssh.run(direct(), ['exit 8'], { answers })).code).toBe(8)
  const wrong = ['correct horse', '1', '0', '0', '0']
  const refused = await ssh.run(direct(), ['-oNumberOfPasswordPrompts=1', 'true'], { answers: wrong })
  expect(refused.code).toBe(255)
  expect(gateway.requests).toHaveLength(1)
})

test('a login that is not confirmed is refused with a sentence', async () => {
  gateway.steps.push({ kind: 'confirm' })
  gateway.confirmed = 'refused'
  const options = ['-oNumberOfPasswordPrompts=1', '-oLogLevel=INFO', 'true']
  const refused = await ssh.run(direct(), options, { answers: ['correct horse', 'y'] })
  expect(refused.code).toBe(255)
  expect(refused.stderr).toContain('The login was not confirmed')
})

test.each([
  ['says no', { answers: ['correct horse', 'n'], options: ['-oNumberOfPasswordPrompts=1'] }],
  [
    'hangs up before the question',
    { answers: ['correct horse'], options: ['-oPreferredAuthentications=password'] },
  ],
])('nobody is asked to confirm any more when the person %s', async (_how, { answers, options }) => {
  gateway.steps.push({ kind: 'confirm' })
  gateway.confirmed = 'waiting'
  expect((await ssh.run(direct(), [...options, 'true'], { answers })).code).toBe(255)
  await expect.poll(() => gateway.abandoned).toBeGreaterThan(0)
})

test('a key alone does not do where MFA is owed', async () => {
  gateway.steps.push({ kind: 'mfa', choices: ['otp'] })
  expect((await ssh.run(direct(), [...key(), 'true'])).code).toBe(255)
  expect((await ssh.run(direct(), [...key(), 'exit 2'], { answers: ['123456'] })).code).toBe(2)
})

test('a target that shows another host key is refused with a sentence until an administrator accepts it', async () => {
  const moved = await TestGateway.start()
  for (const one of gateway.keys) moved.keys.add(one)
  const client = new OpenSsh(moved.port, moved.folder)
  const visit = () => client.run(`ann@op@${moved.sshd.host}`, [...key(), 'exit 3'])
  expect(await visit()).toMatchObject({ code: 3 })
  await moved.sshd.changeHostKey()
  const refused = await visit()
  expect(refused.code).toBe(255)
  const [known, shown] = moved.server.hostKeys.shown
  expect(refused.stderr).toContain(`has changed (${shown?.fingerprint} instead of ${known?.fingerprint})`)
  moved.server.hostKeys.accept(shown?.fingerprint ?? '')
  expect(await visit()).toMatchObject({ code: 3 })
  await moved.stop()
})

test('host keys are made once, for nobody else to read', async () => {
  for (const name of ['ssh_host_ed25519_key', 'ssh_host_rsa_key']) {
    expect((await stat(join(gateway.folder, name))).mode & 0o777).toBe(0o600)
  }
  const first = await readFile(join(gateway.folder, 'ssh_host_rsa_key'), 'utf8')
  const rsa = await ssh.run(direct(), [...key(), '-oHostKeyAlgorithms=rsa-sha2-256', 'true'])
  expect(rsa.code).toBe(0)
  expect(await readFile(join(gateway.folder, 'ssh_host_rsa_key'), 'utf8')).toBe(first)
})

test('old methods are not spoken', async () => {
  for (const option of [
    '-oCiphers=aes128-cbc',
    '-oMACs=hmac-sha1',
    '-oKexAlgorithms=diffie-hellman-group14-sha1',
  ]) {
    const extra = option.startsWith('-oMACs') ? ['-oCiphers=aes128-ctr'] : []
    const ran = await ssh.run(direct(), [...key(), option, ...extra, 'true'])
    expect(ran.stderr).toMatch(/no matching/i)
  }
  expect((await ssh.run(direct(), [...key(), '-oCiphers=aes256-ctr', 'exit 1'])).code).toBe(1)
})

test('a person has only so many connections at one time', async () => {
  gateway.settings.max_sessions = 1
  const first = await ssh.terminal(direct(), key())
  await first.until(/\$ $/)
  const second = await ssh.run(direct(), [...key(), 'true'])
  expect(second.code).toBe(255)
  expect(second.stderr).toContain('You have 1 connections already')
  first.type('exit\n')
  await first.ended
  await expect.poll(async () => (await ssh.run(direct(), [...key(), 'true'])).code).toBe(0)
  gateway.settings.max_sessions = 50
})

test('sentences come in the person’s language: before the login in the one last spoken at their address', async () => {
  const say = async (lang: string) =>
    (await ssh.run(direct(), [...key(), `-oSetEnv=LANG=${lang}`, 'scp -t /tmp/x'])).stderr
  expect(await say('ja_JP.UTF-8')).toContain('はまだ利用できません')
  const wrong = ['-oNumberOfPasswordPrompts=1', 'true']
  const refused = await ssh.run(direct(), wrong, { answers: ['nope'] })
  expect(refused.stderr).toMatch(/ログインが拒否されました.wrong in ja/)
  expect(await say('en_US.UTF-8')).toContain('not offered here yet')
})

test('key exchanges that would hold everybody up are not offered', async () => {
  for (const name of [
    'diffie-hellman-group18-sha512',
    'diffie-hellman-group14-sha256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
  ]) {
    const ran = await ssh.run(direct(), [...key(), `-oKexAlgorithms=${name}`, 'true'])
    expect(ran.stderr).toContain('no matching key exchange method')
  }
  expect(await ssh.run(direct(), [...key(), '-oKexAlgorithms=curve25519-sha256', 'exit 4'])).toMatchObject({
    code: 4,
  })
})

test('a client that may use curves of NIST alone comes in', async () => {
  const curves = '-oKexAlgorithms=ecdh-sha2-nistp521,ecdh-sha2-nistp384,ecdh-sha2-nistp256'
  expect(await ssh.run(direct(), [...key(), curves, 'exit 4'])).toMatchObject({ code: 4 })
})

test('a client that says nothing is sent away', async () => {
  const impatient = await TestGateway.start({ loginTimeoutMs: 400 })
  const socket = connect(impatient.port, '127.0.0.1')
  await once(socket.resume(), 'close')
  await impatient.stop()
})

test('however many wait without logging in, the others of their address work and get in', async () => {
  const limits = {
    startups: { start: 4, rate: 50, full: 8 },
    startupsOfAddress: { start: 2, rate: 50, full: 4 },
  }
  const small = await TestGateway.start({ limits })
  const client = new OpenSsh(small.port, small.folder)
  const login = `ann@op@${small.sshd.host}`
  const password = { answers: ['correct horse'] }
  const established = await client.terminal(login, [], password.answers)
  await established.until(/\$ $/)
  const waiting = new Set<Socket>()
  for (let opened = 0; opened < 30; opened++) {
    const socket = connect(small.port, '127.0.0.1').on('error', () => {})
    await once(socket, 'data')
    waiting.add(socket)
    socket.once('close', () => waiting.delete(socket))
  }
  await expect.poll(() => waiting.size).toBeLessThanOrEqual(4)
  expect(await client.run(login, ['exit 5'], password)).toMatchObject({ code: 5 })
  established.type('exit 6\n')
  expect(await established.ended).toBe(6)
  for (const socket of waiting) socket.destroy()
  await small.stop()
})

test('behind a load balancer the address on the books is the client’s', async () => {
  const proxies = new BlockList()
  proxies.addAddress('127.0.0.1')
  const balanced = await TestGateway.start({ proxies })
  for (const one of gateway.keys) balanced.keys.add(one)
  const through = (header: string) => [
    ...key(),
    `-oProxyCommand=bash -c "exec 3<>/dev/tcp/127.0.0.1/${balanced.port}; printf '${header}' >&3; cat <&0 >&3 & exec cat <&3"`,
  ]
  const client = new OpenSsh(balanced.port, balanced.folder)
  const login = `ann@op@${balanced.sshd.host}`
  const addresses = () => [...balanced.server.sessions.values()].map((session) => session['remote_addr'])
  const first = await client.run(login, [
    ...through('PROXY TCP4 192.0.2.7 127.0.0.1 50000 22\\r\\n'),
    'exit 4',
  ])
  expect(first).toMatchObject({ code: 4 })
  const binary =
    '\\r\\n\\r\\n\\x00\\r\\nQUIT\\n\\x21\\x11\\x00\\x0c\\xc0\\x00\\x02\\x08\\x7f\\x00\\x00\\x01\\xc3\\x50\\x00\\x16'
  expect(await client.run(login, [...through(binary), 'exit 5'])).toMatchObject({ code: 5 })
  expect(addresses()).toEqual(['192.0.2.7', '192.0.2.8'])
  // Without a header, or with one from anywhere else, nobody gets in.
  expect(await client.run(login, [...key(), 'true'])).toMatchObject({ code: 255 })
  const direct = through('PROXY TCP4 192.0.2.9 127.0.0.1 50000 22\\r\\n').map((option) =>
    option.replace(String(balanced.port), String(gateway.port)),
  )
  expect(await ssh.run(login, [...direct, 'true'])).toMatchObject({ code: 255 })
  await balanced.stop()
})

test('channels of one client connection (ControlMaster) run on one connection to the target, each granted and recorded', async () => {
  const client = await signedIn()
  const where = async () => {
    const session = await client.openSession()
    await session.exec('echo $SSH_CONNECTION; read x')
    const [data] = (await once(session, 'data')) as [Buffer]
    return data.toString()
  }
  const before = gateway.server.sessions.size
  const first = await where()
  expect(first).toMatch(/^127/)
  expect(await where()).toBe(first)
  expect(gateway.requests).toHaveLength(2)
  expect(gateway.server.sessions.size - before).toBe(2)
  client.end()
  const ended = () => [...gateway.server.sessions.values()].slice(before).map((one) => one.end_reason)
  await expect.poll(ended).toEqual(['client_left', 'client_left'])
})

test('when the sign-ins of a person are ended, their connection opens nothing more and ends; a new one works', async () => {
  const exec = async (client: Client) => {
    const session = await client.openSession()
    await session.exec('echo in; exit')
    return await text(session)
  }
  const old = await signedIn()
  expect(await exec(old)).toBe('in\n')
  gateway.disconnect(ann)
  await expect(exec(old)).rejects.toMatchObject({
    said: expect.stringContaining('Your login has ended') as string,
  })
  await old.closed
  const anew = await signedIn()
  expect(await exec(anew)).toBe('in\n')
  anew.end()
})

test('a sign-in that was under way when the sign-ins of its person were ended leads nowhere', async () => {
  gateway.steps.push({ kind: 'mfa', choices: ['otp'] })
  const answer = async () => {
    gateway.steps.length = 0
    gateway.disconnect(ann)
    return [gateway.mfaCode]
  }
  // Whether the client hears of its success or of the end first.
  const client = await signedIn({ method: 'keyboard-interactive', answer }).catch(() => undefined)
  await client?.closed
  expect(gateway.requests).toEqual([])
})

/** A client of our own, with the right password. */
const signedIn = (...more: AuthMethod[]): Promise<Client> =>
  logIn({
    port: gateway.port,
    username: direct(),
    methods: [{ method: 'password', password: gateway.password }, ...more],
  })
