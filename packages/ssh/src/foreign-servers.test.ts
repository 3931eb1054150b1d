import { spawn, type ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, copyFile, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { AuthError, type AuthMethod } from './auth/client-auth.ts'
import { noModes } from './channels/session.ts'
import type { Client, ConnectOptions } from './client.ts'
import { parsePrivateKey } from './keys/private-key.ts'
import { dialLocally, exec, logIn } from './testing/log-in.ts'
import { runProgram } from './testing/run-program.ts'
import { freePort, startSshd, type TestSshd } from './testing/sshd.ts'

// It looks up accounts and their passwords, as an ordinary user cannot.
describe.runIf(process.getuid?.() === 0)("our client against Dropbear's server", () => {
  /** For its account. */
  let sshd: TestSshd
  let dropbear: ChildProcess
  let port: number
  const open: Client[] = []

  beforeAll(async () => {
    sshd = await startSshd()
    const home = join(sshd.dir, 'home')
    const { uid, gid } = await stat(home)
    await mkdir(join(home, '.ssh'), { mode: 0o700 })
    await copyFile(join(sshd.dir, 'authorized_keys'), join(home, '.ssh', 'authorized_keys'))
    for (const path of [join(home, '.ssh'), join(home, '.ssh', 'authorized_keys')])
      await chown(path, uid, gid)
    await chmod(join(home, '.ssh', 'authorized_keys'), 0o600)
    const hostKey = join(sshd.dir, 'dropbear-host-key')
    await runProgram(['dropbearkey', '-t', 'ed25519', '-f', hostKey])
    port = await freePort()
    dropbear = spawn(
      'dropbear',
      ['-F', '-E', '-p', `127.0.0.1:${port}`, '-r', hostKey, '-P', join(sshd.dir, 'pid')],
      {
        stdio: 'ignore',
      },
    )
    await vi.waitFor(async () => (await dialLocally(port)).destroy(), 20_000)
  })
  afterAll(async () => {
    for (const client of open) client.destroy()
    dropbear.kill()
    await once(dropbear, 'exit')
    await sshd.stop()
  })

  const key = (): AuthMethod => ({ method: 'publickey', key: parsePrivateKey(sshd.privateKey) })

  async function login(methods: AuthMethod[] = [key()], more: Partial<ConnectOptions> = {}): Promise<Client> {
    const client = await logIn({ port, username: sshd.username, methods }, more)
    open.push(client)
    return client
  }

  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

  test('a password and a key open, a wrong password and a key nobody knows do not', async () => {
    await login([{ method: 'password', password: sshd.password ?? '' }])
    await login([{ method: 'publickey', key: parsePrivateKey(sshd.strangerKey) }, key()])
    await expect(login([{ method: 'password', password: 'wrong' }])).rejects.toThrow(AuthError)
  })

  test('output, errors and exit status come each on its own; a signal is told', async () => {
    const client = await login()
    const session = await exec(client, 'echo out; echo err >&2; exit 42')
    expect(await Promise.all([text(session), text(session.stderr), session.exited])).toEqual([
      'out\n',
      'err\n',
      { kind: 'status', code: 42 },
    ])
    expect(await (await exec(client, 'kill -KILL $$')).exited).toEqual({ kind: 'signal', name: 'KILL' })
  })

  test.each([
    ['', {}],
    [' while keys are changed, through a small window', { rekeyBytes: 700_000, windowBytes: 20_000 }],
  ])('20 MB come back unharmed, and the exit status behind the end of the input%s', async (_name, more) => {
    const session = await exec(await login([key()], more), 'cat; echo end >&2; exit 3')
    const data = randomBytes(20_000_000)
    session.end(data)
    const [back, err] = await Promise.all([buffer(session), text(session.stderr)])
    expect([digest(back), err]).toEqual([digest(data), 'end\n'])
    expect(await session.exited).toEqual({ kind: 'status', code: 3 })
  })

  test('what ends its output before it ends has an exit status all the same', async () => {
    const session = await exec(await login(), 'exec >&- 2>&-; sleep 0.3; exit 9')
    session.end()
    session.resume()
    expect(await session.exited).toEqual({ kind: 'status', code: 9 })
  })

  test('a thousand small pieces arrive as they were written', async () => {
    const session = await exec(await login(), 'cat')
    const sent: Buffer[] = []
    for (let count = 0; count < 1000; count++) {
      const piece = randomBytes(1 + (count % 7))
      sent.push(piece)
      session.write(piece)
      if (count % 10 === 0) await new Promise(setImmediate)
    }
    session.end()
    expect((await buffer(session)).equals(Buffer.concat(sent))).toBe(true)
  })

  test('a shell on a terminal, which is resized', async () => {
    const session = await (await login()).openSession()
    await session.pty({ term: 'vt100', cols: 91, rows: 33, widthPixels: 0, heightPixels: 0, modes: noModes })
    await session.shell()
    let output = ''
    session.on('data', (data: Buffer) => (output += data.toString()))
    session.write('echo $TERM; stty size; read x; stty size; exit 3\n')
    await expect.poll(() => output).toMatch(/vt100\r\n33 91/)
    session.windowChange({ cols: 120, rows: 50, widthPixels: 0, heightPixels: 0 })
    session.write('\n')
    await expect.poll(() => output).toMatch(/50 120/)
    expect(await session.exited).toEqual({ kind: 'status', code: 3 })
  })

  test('a dozen sessions at once on one connection', async () => {
    const client = await login([key()], { rekeyBytes: 500_000 })
    const many = Array.from({ length: 12 }, async (_, index) => {
      const session = await exec(client, `cat; exit ${index}`)
      const data = randomBytes(200_000 + index)
      session.end(data)
      return [(await buffer(session)).equals(data), await session.exited]
    })
    expect(await Promise.all(many)).toEqual(many.map((_, code) => [true, { kind: 'status', code }]))
  })

  test('a way on to another machine', async () => {
    const way = await (await login()).openDirect({ host: '127.0.0.1', port: sshd.port })
    expect(String(await once(way, 'data'))).toContain('SSH-2.0-OpenSSH')
    way.destroy()
  })
})
