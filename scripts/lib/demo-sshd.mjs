import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { withOwnTerminals } from './own-terminals.mjs'
import { EarlyExit } from './supervisor.mjs'
import { ScriptError } from './workspace.mjs'

const mostStarts = 3

const rootAccount = 'sallyport-demo'
const rootAccountHome = '/var/lib/sallyport/demo'
const sshdPaths = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/lib/ssh/sshd', '/usr/libexec/sshd']

/**
 * Starts it at its address, or at another one when that was taken before sshd took it.
 * @param {string} dataDir
 * @param {(sshd: {command: string, args: string[]}) => Promise<unknown>} start rejects with EarlyExit where sshd does not stay
 */
export async function startDemoSshd(dataDir, start) {
  for (let tried = 1; ; tried++) {
    const { address, ...sshd } = await prepareDemoSshd(dataDir)
    try {
      await start(sshd)
      return address
    } catch (error) {
      if (!(error instanceof EarlyExit) || tried === mostStarts) throw error
    }
  }
}

/**
 * Prepares this machine's own sshd as the demo's live host: on loopback, by key only, for an ordinary account (the current one, which
 * then also runs it; `sallyport-demo`, which is created, when this is a run as root: there sshd keeps root, because it must hand the
 * terminals it opens to that account). Keys and port stay the same over restarts.
 * @param {string} dataDir
 * @returns {Promise<{command: string, args: string[],
 *   address: {host: string, port: number, username: string, private_key_file: string, host_key: string}}>}
 */
export async function prepareDemoSshd(dataDir) {
  const command = sshdPaths.find((path) => existsSync(path))
  if (command === undefined) {
    throw new ScriptError(
      'The demo needs an SSH server: install openssh-server (on Debian: apt install openssh-server).',
    )
  }
  const isRoot = process.getuid() === 0
  const account = isRoot ? demoAccount() : userInfo()
  // Where sshd's unprivileged half lives; a system without a running sshd may lack it.
  if (isRoot) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const dir = isRoot ? rootAccountHome : join(dataDir, 'demo')
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  for (const name of ['host_key', 'user_key']) generateKey(join(dir, name))
  copyFileSync(join(dir, 'user_key.pub'), join(dir, 'authorized_keys'))
  const port = await usablePort(join(dir, 'port'))
  writeFileSync(join(dir, 'sshd_config'), configOf(dir, account.username))
  for (const name of ['.', 'authorized_keys']) chownSync(join(dir, name), account.uid, account.gid)
  const [type, key] = readFileSync(join(dir, 'host_key.pub'), 'utf8').split(' ')
  return {
    ...withOwnTerminals(command, ['-D', '-e', '-f', join(dir, 'sshd_config'), '-p', String(port)], dir),
    address: {
      host: '127.0.0.1',
      port,
      username: account.username,
      private_key_file: join(dir, 'user_key'),
      host_key: `${type} ${key}`,
    },
  }
}

function configOf(dir, username) {
  return `${[
    'ListenAddress 127.0.0.1',
    `HostKey ${join(dir, 'host_key')}`,
    'PidFile none',
    `AuthorizedKeysFile ${join(dir, 'authorized_keys')}`,
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    `AllowUsers ${username}`,
    'AllowTcpForwarding no',
    'X11Forwarding no',
    'AcceptEnv LANG LC_*',
    'MaxStartups 100',
    'MaxSessions 100',
    'LogLevel ERROR',
    'Subsystem sftp internal-sftp',
  ].join('\n')}\n`
}

function generateKey(path) {
  if (existsSync(path)) return
  const made = spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'sallyport-demo', '-f', path])
  if (made.status !== 0) throw new ScriptError('ssh-keygen failed; install openssh-client.')
  chmodSync(path, 0o600)
}

/** The port of the last time when it is free, else another one. */
async function usablePort(file) {
  const last = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  const port = (last > 0 ? await tryPort(last) : undefined) ?? (await tryPort(0))
  writeFileSync(file, String(port))
  return port
}

function tryPort(port) {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(undefined))
    server.listen(port, '127.0.0.1', () => {
      const { port: found } = server.address()
      server.close(() => done(found))
    })
  })
}

function demoAccount() {
  const account = existingAccount()
  // No password, but not locked: sshd lets nobody into a locked account, whatever key they hold.
  spawnSync('usermod', ['--password', '*', rootAccount])
  return account
}

function existingAccount() {
  const found = lookUp()
  if (found !== undefined) return found
  const made = spawnSync('useradd', [
    '--system',
    '--user-group',
    '--home-dir',
    rootAccountHome,
    '--create-home',
    '--shell',
    '/bin/bash',
    rootAccount,
  ])
  const account = made.status === 0 ? lookUp() : undefined
  if (account === undefined) {
    throw new ScriptError(
      `The demo's account ${rootAccount} could not be created; run the demo as an ordinary user.`,
    )
  }
  return account
}

function lookUp() {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${rootAccount}:`))
  if (line === undefined) return undefined
  const [username, , uid, gid] = line.split(':')
  return { username, uid: Number(uid), gid: Number(gid) }
}
