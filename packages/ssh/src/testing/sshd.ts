import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { withOwnTerminals } from '../../../../scripts/lib/own-terminals.mjs'

const run = promisify(execFile)

/** A real OpenSSH server on loopback, with an account to log in with. */
export interface TestSshd {
  host: string
  port: number
  pid: number
  username: string
  /** Only when the tests run as root: an ordinary user's sshd can't check passwords. */
  password?: string
  /** OpenSSH private key text, accepted for `username`. */
  privateKey: string
  privateKeyFile: string
  /** A key nobody accepts. */
  strangerKey: string
  strangerKeyFile: string
  /** `ssh-ed25519 AAAA…`, as in known_hosts. */
  hostKey: string
  /** A folder of this server alone, removed by `stop`. */
  dir: string
  /** Everything sshd wrote to its log. */
  log(): string
  /** Starts again on the same port with another host key. */
  changeHostKey(): Promise<void>
  stop(): Promise<void>
}

/** Options for the OpenSSH client: nothing of the machine's own configuration, no questions. */
export const sshOptions = [
  '-Fnone',
  '-oIdentitiesOnly=yes',
  '-oBatchMode=yes',
  '-oStrictHostKeyChecking=no',
  '-oUserKnownHostsFile=/dev/null',
  '-oLogLevel=ERROR',
]

interface Account {
  username: string
  password?: string
  /** Its login shell. */
  shell: string
  remove(): Promise<void>
}

/**
 * The tests type as into bash. An account whose login shell is a plain sh reads this at the start of an interactive shell and becomes
 * one; forcing a command instead would make sshd refuse signals.
 */
const bashInstead = '[ -n "$BASH_VERSION" ] || { unset ENV; exec /bin/bash -l; }\n'

/** Where a server listens: on this machine, unless in a network namespace. */
export interface Place {
  address: string
  namespace?: string
}

/**
 * Starts sshd on a free port, of 127.0.0.1 unless elsewhere. As root it creates an ordinary account with a random password and removes it
 * at `stop`; otherwise the account is the current user, by key only. `config` adds lines to sshd_config.
 */
export async function startSshd(
  config: string[] = [],
  place: Place = { address: '127.0.0.1' },
): Promise<TestSshd> {
  const dir = await mkdtemp(join(tmpdir(), 'sallyport-sshd-'))
  await chmod(dir, 0o755)
  const account =
    process.getuid?.() === 0
      ? await createAccount(dir)
      : { username: userInfo().username, shell: userInfo().shell ?? '', remove: async () => {} }
  const path = (name: string) => join(dir, name)
  try {
    for (const name of ['host_key', 'user_key', 'stranger_key']) await generateKey(path(name))
    await writeFile(path('authorized_keys'), await readFile(path('user_key.pub')), { mode: 0o644 })
    const port = await freePort()
    await writeFile(path('bash_instead'), bashInstead)
    await writeFile(
      path('sshd_config'),
      [
        ...config,
        `Port ${port}`,
        `ListenAddress ${place.address}`,
        `HostKey ${path('host_key')}`,
        'PidFile none',
        `AuthorizedKeysFile ${path('authorized_keys')}`,
        'StrictModes no',
        'UsePAM no',
        `AllowUsers ${account.username}`,
        'PermitRootLogin yes',
        'PasswordAuthentication yes',
        'KbdInteractiveAuthentication no',
        'PrintMotd no',
        'PrintLastLog no',
        'AcceptEnv LANG LC_*',
        'MaxStartups 200',
        'MaxSessions 200',
        'MaxAuthTries 100',
        'UseDNS no',
        'Subsystem sftp internal-sftp',
        ...(account.shell === '/bin/bash' ? [] : [`SetEnv ENV=${path('bash_instead')}`]),
        '',
      ].join('\n'),
    )
    let log = ''
    const note = (text: string) => (log = (log + text).slice(-200_000))
    let child = await launch(path('sshd_config'), { ...place, port }, note)
    const server: TestSshd = {
      host: place.address,
      port,
      pid: child.pid ?? 0,
      username: account.username,
      password: account.password,
      privateKey: await readFile(path('user_key'), 'utf8'),
      privateKeyFile: path('user_key'),
      strangerKey: await readFile(path('stranger_key'), 'utf8'),
      strangerKeyFile: path('stranger_key'),
      hostKey: await publicKey(path('host_key.pub')),
      dir,
      log: () => log,
      async changeHostKey() {
        await terminate(child)
        await rm(path('host_key'))
        await generateKey(path('host_key'))
        child = await launch(path('sshd_config'), { ...place, port }, note)
        server.pid = child.pid ?? 0
        server.hostKey = await publicKey(path('host_key.pub'))
      },
      async stop() {
        await terminate(child)
        await account.remove()
        await rm(dir, { recursive: true, force: true })
      },
    }
    return server
  } catch (error) {
    await account.remove()
    await rm(dir, { recursive: true, force: true })
    throw error
  }
}

/** A port of 127.0.0.1 nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  server.close()
  await once(server, 'close')
  return address.port
}

async function generateKey(file: string): Promise<void> {
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'sallyport-test', '-f', file])
}

async function publicKey(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).split(' ').slice(0, 2).join(' ').trim()
}

async function launch(
  config: string,
  { address, namespace, port }: Place & { port: number },
  note: (text: string) => void,
): Promise<ChildProcess> {
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true, mode: 0o755 })
  const { command, args } = withOwnTerminals('/usr/sbin/sshd', ['-D', '-e', '-f', config], dirname(config))
  const within = namespace === undefined ? [] : ['nsenter', `--net=/run/netns/${namespace}`]
  const [first = command, ...rest] = [...within, command, ...args]
  const child = spawn(first, rest, { stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-4000)
    note(text)
  })
  let failure: Error | undefined
  child.once('error', (error) => (failure = error))
  child.once('exit', (code) => (failure ??= new Error(`sshd ended with code ${code}: ${log}`)))
  for (let attempt = 0; attempt < 200; attempt++) {
    if (failure) throw failure
    // Not everybody can look into a namespace; there its own word has to do.
    if (namespace === undefined ? await answers(address, port) : log.includes('Server listening'))
      return child
    await sleep(25)
  }
  child.kill('SIGKILL')
  throw new Error(`sshd does not answer on port ${port}: ${log}`)
}

async function answers(address: string, port: number): Promise<boolean> {
  const socket = connect(port, address)
  try {
    await once(socket, 'data', { signal: AbortSignal.timeout(2000) })
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Ends the listener and every connection it serves. */
async function terminate(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const children = await run('ps', ['-o', 'pid=', '--ppid', String(child.pid)]).catch(() => ({ stdout: '' }))
  child.kill('SIGTERM')
  await once(child, 'exit')
  for (const pid of children.stdout.split('\n').map(Number).filter(Boolean)) {
    try {
      process.kill(pid, 'SIGTERM')
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}

let accounts = 0

async function createAccount(dir: string): Promise<Account> {
  await removeStaleAccounts()
  const username = `sptest-${process.pid}-${accounts++}`
  const password = randomBytes(12).toString('hex')
  await withPasswdLock('useradd', ['-M', '-d', join(dir, 'home'), '-s', '/bin/bash', username])
  const child = spawn('chpasswd', { stdio: ['pipe', 'ignore', 'inherit'] })
  child.stdin.end(`${username}:${password}\n`)
  await once(child, 'exit')
  await mkdir(join(dir, 'home'))
  await run('chown', [username, join(dir, 'home')])
  return { username, password, shell: '/bin/bash', remove: () => removeAccount(username) }
}

/** Accounts of test runs that were killed: their process is gone. */
async function removeStaleAccounts(): Promise<void> {
  const passwd = await readFile('/etc/passwd', 'utf8')
  for (const [, username, pid] of passwd.matchAll(/^(sptest-(\d+)-\d+):/gm)) {
    if (!username || Number(pid) === process.pid) continue
    try {
      process.kill(Number(pid), 0)
    } catch {
      await removeAccount(username)
    }
  }
}

async function removeAccount(username: string): Promise<void> {
  // What stays behind a session (tmux, say) would be the next account's of the same number. That there is none is no error.
  await run('pkill', ['-KILL', '-U', username]).catch(() => {})
  await withPasswdLock('userdel', ['-f', username]).catch(async (error: unknown) => {
    const passwd = await readFile('/etc/passwd', 'utf8')
    if (passwd.includes(`\n${username}:`)) throw error
  })
}

async function withPasswdLock(command: string, args: string[]): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await run(command, args)
      return
    } catch (error) {
      if (attempt >= 20 || !String(error).includes('lock')) throw error
      await sleep(100 + Math.random() * 200)
    }
  }
}
