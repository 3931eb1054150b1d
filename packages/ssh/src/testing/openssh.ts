import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
  bytes: Buffer
}

const quiet = [
  '-Fnone',
  '-oStrictHostKeyChecking=no',
  '-oUserKnownHostsFile=/dev/null',
  '-oLogLevel=INFO',
  '-oConnectTimeout=10',
  '-oIdentitiesOnly=yes',
]

/** The OpenSSH client of this machine against one port of loopback. */
export class OpenSsh {
  readonly #port: number
  readonly #folder: string

  constructor(port: number, folder: string) {
    this.#port = port
    this.#folder = folder
  }

  /** Runs `ssh` to its end; `answers` are given to the questions for password and codes, one after the other. */
  async run(
    user: string,
    args: string[],
    { answers, input }: { answers?: string[]; input?: Buffer | string } = {},
  ): Promise<Ran> {
    const child = await this.#spawn(user, args, answers)
    child.stdin?.on('error', () => {})
    child.stdin?.end(input ?? '')
    if (!child.stdout || !child.stderr) throw new Error('no pipes')
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const [bytes, stderr, code] = await Promise.all([buffer(child.stdout), buffer(child.stderr), ended])
    return { code, bytes, stdout: bytes.toString(), stderr: stderr.toString().replaceAll('\r', '') }
  }

  /** Runs `ssh`, reads the first of its output and then no more, as `ssh … | head` does; the input stays open. */
  async runAndReadFirst(user: string, args: string[]): Promise<Ran> {
    const child = await this.#spawn(user, args)
    if (!child.stdout || !child.stderr) throw new Error('no pipes')
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const errors = buffer(child.stderr)
    const bytes = await new Promise<Buffer>((resolve) => child.stdout?.once('data', resolve))
    child.stdout.destroy()
    const [stderr, code] = await Promise.all([errors, ended])
    return { code, bytes, stdout: bytes.toString(), stderr: stderr.toString() }
  }

  /** `ssh -tt`: a terminal to type into. */
  async terminal(user: string, args: string[] = [], answers?: string[]): Promise<TypedTerminal> {
    return new TypedTerminal(await this.#spawn(user, ['-tt', ...args], answers))
  }

  /** `ssh -t` in a window of its own, which can be resized. */
  async window(user: string, args: string[] = []): Promise<TypedTerminal> {
    const { command, env } = await this.#commandLine(user, ['-t', ...args], [])
    const tty = join(this.#folder, `tty-${Math.random().toString(36).slice(2)}`)
    // A shell's way to quote: each word in single quotes.
    const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
    const child = spawn(
      'script',
      ['-qefc', `tty > ${tty}; stty cols 80 rows 24; exec ${quoted}`, '/dev/null'],
      {
        env,
      },
    )
    return new TypedTerminal(child, tty)
  }

  async #spawn(user: string, args: string[], answers: string[] = []): Promise<ChildProcess> {
    const { command, env } = await this.#commandLine(user, args, answers)
    const [program = '', ...rest] = command
    return spawn(program, rest, { env })
  }

  async #commandLine(
    user: string,
    args: string[],
    answers: string[],
  ): Promise<{ command: string[]; env: NodeJS.ProcessEnv }> {
    const options = args.filter((arg) => arg.startsWith('-'))
    const command = args.filter((arg) => !arg.startsWith('-'))
    const env: NodeJS.ProcessEnv = { ...process.env, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color' }
    if (answers.length > 0) {
      const file = join(this.#folder, `askpass-${Math.random().toString(36).slice(2)}`)
      await writeFile(`${file}.answers`, `${answers.join('\n')}\n`)
      await writeFile(
        file,
        `#!/bin/sh\necho "$1" >> ${file}.asked\nhead -n1 ${file}.answers\nsed -i 1d ${file}.answers\n`,
      )
      await chmod(file, 0o700)
      Object.assign(env, { SSH_ASKPASS: file, SSH_ASKPASS_REQUIRE: 'force' })
    } else options.push('-oBatchMode=yes')
    const target = ['-p', String(this.#port), `-l${user}`, '127.0.0.1']
    return { command: ['ssh', ...quiet, ...options, ...target, ...command], env }
  }
}

/** A remote terminal a test types into and reads from. */
export class TypedTerminal {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  output = ''
  errors = ''
  readonly #tty: string | undefined

  /** `tty` names the file that says which terminal a window is. */
  constructor(child: ChildProcess, tty?: string) {
    this.child = child
    this.#tty = tty
    this.ended = new Promise((resolve) => child.once('close', resolve))
    child.stdout?.on('data', (data: Buffer) => (this.output += data.toString()))
    child.stderr?.on('data', (data: Buffer) => (this.errors += data.toString()))
    child.stdin?.on('error', () => {})
  }

  type(text: string): void {
    this.child.stdin?.write(text)
  }

  /** Ends the input, as a script does. */
  endInput(): void {
    this.child.stdin?.end()
  }

  async resize(cols: number, rows: number): Promise<void> {
    if (this.#tty === undefined) throw new Error('Only a window can be resized')
    const device = (await readFile(this.#tty, 'utf8')).trim()
    await run('stty', ['-F', device, 'cols', String(cols), 'rows', String(rows)])
  }

  /** Waits until `pattern` has come since the last call; returns everything up to there. */
  async until(pattern: RegExp, timeoutMs = 15_000): Promise<string> {
    const deadline = Date.now() + timeoutMs
    while (Date.now() < deadline) {
      const match = pattern.exec(this.output)
      if (match) {
        const end = match.index + match[0].length
        const seen = this.output.slice(0, end)
        this.output = this.output.slice(end)
        return seen
      }
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    throw new Error(
      `${String(pattern)} did not come. There is: ${JSON.stringify(this.output)} ${this.errors}`,
    )
  }
}
