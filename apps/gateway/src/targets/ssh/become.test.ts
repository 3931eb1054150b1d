/** Accounts that are signed in to as another one, and become with su: on a real sshd with real users, and on machines that misbehave. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { startSshd, type TestSshd } from '@sallyport/ssh/testing/sshd'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ShellConnection, TargetChannel, Terminal } from '../../traffic/ports.ts'
import { exec, shell, TestClient } from '../../testing/client.ts'
import { startTestBench, type TestBench } from '../../testing/gateway.ts'
import type { TestHost } from '../../testing/server.ts'
import { processorMs } from '../../testing/processor-time.ts'
import { asksForPassword, becoming, type Becoming } from './become.ts'

/** Only root makes users to switch between. */
describe.runIf(process.getuid?.() === 0)('on a machine with two users', () => {
  let bench: TestBench
  /** Its user is the other account; the server itself is not connected to. */
  let other: TestSshd
  let host: TestHost
  const hostWith = (secret: string) => {
    const { sshd } = bench
    const su_from = { username: sshd.username, secret: sshd.privateKey, secret_type: 'ssh_key' as const }
    const account = { username: other.username, secret, secret_type: 'password' as const, su_from }
    const made = bench.server.addHost(sshd.host, sshd.port, account)
    bench.server.allow(bench.user, made)
    return made
  }
  beforeAll(async () => {
    bench = await startTestBench()
    other = await startSshd()
    host = hostWith(other.password ?? '')
  })
  afterAll(async () => {
    await bench.stop()
    await other.stop()
  })

  test('a shell is the other account’s, and its password is nowhere in what is shown, recorded or kept as a command', async () => {
    const client = shell().collect()
    const session = bench.open(client, { host })
    client.type('id -un; tty; exit 4\n')
    expect(await client.exited).toEqual({ kind: 'status', code: 4 })
    await session.done
    expect(client.text).toContain(`${other.username}\r\n/dev/pts/`)
    await expect.poll(() => bench.server.recordings.get(session.id)?.finished).toBeTruthy()
    const recorded = JSON.stringify(await bench.server.frames(session.id))
    const bytes = await bench.server.outputBytes(session.id)
    expect(bytes.equals(client.output)).toBe(true)
    const secret = other.password ?? 'none'
    for (const shown of [client.text, bytes.toString(), recorded, JSON.stringify(bench.server.commands)])
      expect(shown).not.toContain(secret)
    await expect
      .poll(() =>
        bench.server.commands.filter((one) => one['session'] === session.id).map((one) => one['input']),
      )
      .toEqual(['id -un; tty; exit 4'])
  })

  test('what is interrupted in it goes on in the shell, as in any other', async () => {
    const client = shell().collect()
    const session = bench.open(client, { host })
    client.type('echo be""gun; sleep 600\n')
    await expect.poll(() => client.text).toContain('begun')
    client.type('\u0003')
    client.type('echo still the""re; exit\n')
    await expect.poll(() => client.text).toContain('still there')
    await session.done
  })

  test('a command runs as the other account, with its bytes, its errors and its status', async () => {
    const client = exec('id -un >&2; cat; exit 7').collect()
    const session = bench.open(client, { host })
    const input = randomBytes(300_000)
    client.stdin.end(input)
    expect(await client.exited).toEqual({ kind: 'status', code: 7 })
    await session.done
    expect(client.output.equals(input)).toBe(true)
    expect(client.errorOutput).toBe(`${other.username}\n`)
    await expect
      .poll(() =>
        bench.server.commands.filter((one) => one['session'] === session.id).map((one) => one['input']),
      )
      .toEqual(['id -un >&2; cat; exit 7'])
  })

  test('a command that was given a terminal runs on it', async () => {
    const terminal = { term: 'xterm', cols: 80, rows: 24 }
    const client = new TestClient({
      command: `id -un; echo 'it''s'; test -t 1 && echo seen`,
      terminal,
    }).collect()
    await bench.open(client, { host }).done
    expect(client.text).toBe(`${other.username}\r\nits\r\nseen\r\n`)
  })

  test('a shell without a terminal runs what it reads', async () => {
    const client = new TestClient({}).collect()
    const session = bench.open(client, { host })
    client.stdin.end('id -un\nexit 5\n')
    expect(await client.exited).toEqual({ kind: 'status', code: 5 })
    await session.done
    expect(client.text).toBe(`${other.username}\n`)
  })

  test.each([
    ['a shell', () => shell()],
    ['a command', () => exec('id')],
  ])('with a wrong password %s does not open, and the person is told', async (_what, make) => {
    const client = make().collect()
    const session = bench.open(client, { host: hostWith('wrong-password') })
    expect(await session.done).toMatchObject({ reason: 'target_failed' })
    const sentence = `did not let ${bench.sshd.username} become ${other.username}`
    expect([...client.notices, client.text].join('\n')).toContain(sentence)
    expect(client.text).not.toContain('wrong-password')
  })
})

describe('on a machine that is not as it should be', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-su-'))
  })
  afterAll(async () => {
    await rm(folder, { recursive: true })
  })
  const terminal: Terminal = { term: 'xterm', cols: 80, rows: 24 }
  const plan: Becoming = {
    where: 'web',
    from: { username: 'deploy', password: 'own-Secret-1' },
    to: { username: 'root', password: 'Secret-2' },
    method: 'su',
    timeoutMs: 10_000,
  }
  const usual = 'env LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin'

  /** A machine whose su and sudo are this script. */
  async function machine(script: string): Promise<ShellConnection> {
    const own = await mkdtemp(join(folder, 'bin-'))
    for (const name of ['su', 'sudo']) {
      await writeFile(join(own, name), `#!/bin/sh\n${script}\n`)
      await chmod(join(own, name), 0o755)
    }
    const run = async (
      command: string,
      { terminal }: { terminal?: Terminal } = {},
    ): Promise<TargetChannel> => {
      const line = command.replace(usual, `env PATH=${own}:/usr/bin:/bin`)
      const args = terminal ? ['script', '-qefc', line, '/dev/null'] : ['sh', '-c', line]
      const child = spawn(args[0] ?? '', args.slice(1))
      child.stdin.on('error', () => {})
      const exited = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 255)))
      return {
        stdin: child.stdin,
        stdout: child.stdout,
        stderr: terminal ? undefined : child.stderr,
        resize: () => {},
        signal: () => {},
        endReading: () => {},
        exited: exited.then((code) => ({ kind: 'status', code })),
        destroy: () => void child.kill('SIGKILL'),
      }
    }
    return {
      shell: () => Promise.reject(new Error('only commands')),
      exec: run,
      roundTrip: () => Promise.resolve(),
      closed: new Promise(() => {}),
      end: () => {},
    }
  }
  const asks = `printf 'Password: ' >&2; read -r given`

  test.each([
    ['says nothing', 'exec sleep 60', { code: 'su_silent' }],
    ['asks, and says nothing to the answer', `${asks}; exec sleep 60`, { code: 'su_silent' }],
    ['refuses', `${asks}; echo 'su: Authentication failure' >&2; exit 1`, { code: 'su_refused' }],
    ['asks again', `${asks}; echo 'Sorry, try again.' >&2; ${asks}; exec sleep 60`, { code: 'su_refused' }],
    ['has no su', 'exit 127', { code: 'su_refused' }],
  ])('where su %s, neither a shell nor a command opens', async (_what, script, refusal) => {
    const target = becoming(await machine(script), { ...plan, timeoutMs: 1500 })
    await expect(target.exec('id')).rejects.toMatchObject(refusal)
    await expect(target.shell(terminal)).rejects.toMatchObject(refusal)
  })

  test('an echo of the password is not handed on', async () => {
    const target = becoming(await machine(`${asks}; echo "$given"; printf 'web# '; exec sleep 60`), plan)
    const channel = await target.shell(terminal)
    expect(String((await channel.stdout.iterator().next()).value)).toBe('web# ')
    channel.destroy()
  })

  test('who needs no password is not asked for one, and a question of the command is the person’s', async () => {
    const script = `shift 2; [ "$1" = -c ] && exec sh -c "$2"; printf 'web# '; exec cat`
    const target = becoming(await machine(script), { ...plan, to: { username: 'root', password: undefined } })
    const channel = await target.exec(`printf 'Password: '; read -r typed; echo "got $typed"`)
    channel.stdin.end('mine\n')
    channel.stderr?.resume()
    expect(await text(channel.stdout)).toBe('Password: got mine\n')
    const opened = await target.shell(terminal)
    expect(String((await opened.stdout.iterator().next()).value)).toContain('web# ')
    opened.destroy()
  })

  test('sudo is given the password of who is signed in', async () => {
    const script = `${asks}; [ "$given" = own-Secret-1 ] || exit 1; for last; do :; done; exec sh -c "$last"`
    const target = becoming(await machine(script), { ...plan, method: 'sudo' })
    const channel = await target.exec('echo in')
    channel.stderr?.resume()
    expect(await text(channel.stdout)).toBe('in\n')
  })

  test.each([
    ['no password', { username: 'root', password: undefined }, 'su_password_unusable'],
    ['a password no terminal takes', { username: 'root', password: 'a\u0003b' }, 'su_password_unusable'],
    ['a name that looks like an option', { username: '-c', password: 'x' }, 'su_refused'],
  ])('an account with %s is not become', async (_what, to, code) => {
    const target = becoming(await machine(`${asks}; exec sleep 60`), { ...plan, to })
    await expect(target.exec('id')).rejects.toMatchObject({ code })
  })
})

test.each([
  ['Password: ', true],
  ['[sudo] password for web: ', true],
  ['Last login: today\r\nEnter passphrase for key:\t', true],
  ['Password:\r\n', false],
  ['Passwords are asked for at: noon', false],
  ['login: ', false],
])('%j asks for a password: %j', (heard, isSo) => {
  expect(asksForPassword(heard)).toBe(isSo)
})

test('whatever a machine says instead of asking, each piece of it is looked at in no time', () => {
  const said = `${'password'.repeat(4000)}${':'.repeat(32_000)}`
  const ms = processorMs(() => {
    for (let pieces = 0; pieces < 20; pieces++) asksForPassword(said + 'x'.repeat(pieces))
  })
  expect(ms).toBeLessThan(100)
})
