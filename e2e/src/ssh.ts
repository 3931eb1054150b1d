/** The person's own OpenSSH client. */
import { execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SshResult {
  code: number | null
  stdout: Buffer
  stderr: string
}

const options = [
  '-Fnone',
  '-oStrictHostKeyChecking=no',
  '-oUserKnownHostsFile=/dev/null',
  '-oLogLevel=ERROR',
  '-oConnectTimeout=15',
]

/** A program that answers OpenSSH's questions for a password, and for a code, from the environment. */
const askPass = (async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'sallyport-askpass-')), 'askpass')
  await writeFile(
    path,
    `#!/bin/sh
case "$1" in *[Cc]ode*) printf '%s\\n' "$SALLYPORT_TEST_CODE" ;; *) printf '%s\\n' "$SALLYPORT_TEST_PASSWORD" ;; esac
`,
  )
  await chmod(path, 0o700)
  return path
})()

export interface SshLogin {
  port: number
  /** `person@account@host` and the like. */
  login: string
  password?: string
  keyFile?: string
  /** Of the second factor. */
  code?: string
}

async function commandOf(given: SshLogin): Promise<{ args: string[]; env: NodeJS.ProcessEnv }> {
  const identity = given.keyFile
    ? ['-i', given.keyFile, '-oIdentitiesOnly=yes', `-oBatchMode=${given.code ? 'no' : 'yes'}`]
    : ['-oPubkeyAuthentication=no', '-oNumberOfPasswordPrompts=1']
  return {
    args: [...options, ...identity, '-p', String(given.port), '-l', given.login, '127.0.0.1'],
    env:
      given.password || given.code
        ? {
            ...process.env,
            SSH_ASKPASS: await askPass,
            SSH_ASKPASS_REQUIRE: 'force',
            SALLYPORT_TEST_PASSWORD: given.password ?? '',
            SALLYPORT_TEST_CODE: given.code ?? '',
          }
        : process.env,
  }
}

/** `ssh … command`, to its end. */
export async function ssh(
  given: SshLogin,
  command: string,
  input?: Buffer,
  more: string[] = [],
): Promise<SshResult> {
  const { args, env } = await commandOf(given)
  return await new Promise((resolve) => {
    const child = execFile(
      'ssh',
      [...more, ...args, command],
      { env, encoding: 'buffer', maxBuffer: 256 << 20, timeout: 60_000 },
      (error, stdout, stderr) =>
        resolve({
          code: error ? (typeof error.code === 'number' ? error.code : null) : 0,
          stdout,
          stderr: stderr.toString(),
        }),
    )
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}

export interface Shell {
  /** Everything the terminal showed so far. */
  screen(): string
  type(text: string): void
  /** Ends with ssh's exit status. */
  ended: Promise<number | null>
  kill(signal?: NodeJS.Signals): void
}

/** An interactive login with a terminal. */
export async function shell(given: SshLogin): Promise<Shell> {
  const { args, env } = await commandOf(given)
  const child = spawn('ssh', ['-tt', ...args], {
    env: { ...env, TERM: 'xterm-256color' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const shown: string[] = []
  child.stdout.on('data', (bytes: Buffer) => shown.push(bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => shown.push(bytes.toString()))
  child.stdin.on('error', () => undefined)
  return {
    screen: () => shown.join(''),
    type: (text) => void child.stdin.write(text),
    ended: new Promise((resolve) => child.once('exit', (code) => resolve(code))),
    kill: (signal = 'SIGKILL') => void child.kill(signal),
  }
}
