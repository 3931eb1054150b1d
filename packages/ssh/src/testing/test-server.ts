import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import type { Duplex } from 'node:stream'
import type { AuthRequest, Verdict } from '../auth/server-auth.ts'
import type { ServerSession } from '../channels/server-session.ts'
import type { Terminal, TerminalSize } from '../channels/session.ts'
import { generateKey } from '../keys/generate.ts'
import type { PrivateKey } from '../keys/key.ts'
import { serve, type ChannelOpening, type ServeOptions, type ServerConnection } from '../server.ts'
import type { SshError } from '../wire/errors.ts'

/** What became of one session. */
export interface SeenSession {
  command?: string
  subsystem?: string
  terminal?: Terminal
  env: Record<string, string>
  sizes: TerminalSize[]
  signals: string[]
}

/** Our server on loopback, which runs what it is asked to for whoever the test lets in, and goes on to other machines. */
export class TestServer {
  readonly sessions: SeenSession[] = []
  readonly connections: ServerConnection[] = []
  /** How connections ended. */
  readonly ends: (SshError | undefined)[] = []
  /** Settles a login; everybody gets in unless a test says otherwise. */
  authenticate: (request: AuthRequest, connection: ServerConnection) => Verdict | Promise<Verdict> = () =>
    'accepted'
  options: Partial<ServeOptions> = {}
  readonly #server: Server
  readonly #hostKeys: PrivateKey[]

  private constructor(hostKeys: PrivateKey[]) {
    this.#hostKeys = hostKeys
    this.#server = createServer({ noDelay: true, highWaterMark: 1024 * 1024 }, (socket) => {
      socket.on('error', () => {})
      this.serve(socket)
    })
  }

  static async start(options: Partial<ServeOptions> = {}): Promise<TestServer> {
    const server = new TestServer([await generateKey('ssh-ed25519'), await generateKey('ssh-rsa')])
    server.options = options
    server.#server.listen(0, '127.0.0.1')
    await once(server.#server, 'listening')
    return server
  }

  get port(): number {
    const address = this.#server.address()
    return address !== null && typeof address === 'object' ? address.port : 0
  }

  get hostKey(): PrivateKey | undefined {
    return this.#hostKeys[0]
  }

  serve(stream: Duplex): ServerConnection {
    const connection: ServerConnection = serve(stream, {
      // As the gateway's begins: clients look at it.
      ident: 'OpenSSH_compatible_Test',
      hostKeys: this.#hostKeys,
      authenticate: async (request) => await this.authenticate(request, connection),
      methods: () => ['publickey', 'password', 'keyboard-interactive'],
      maxFailures: 6,
      onLogin: () => {},
      onChannel: (opening) => this.#onChannel(opening),
      loginMs: 20_000,
      replyMs: 20_000,
      keepaliveMs: 20_000,
      ...this.options,
    })
    this.connections.push(connection)
    void connection.closed.then((error) => this.ends.push(error))
    return connection
  }

  async stop(): Promise<void> {
    for (const connection of this.connections) connection.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #onChannel(opening: ChannelOpening): void {
    if (opening.type === 'session') this.#onSession(opening.accept())
    else if (opening.type === 'direct-tcpip') {
      const socket = connect({ host: opening.host, port: opening.port, allowHalfOpen: true })
      socket.once('connect', () => {
        const channel = opening.accept()
        channel.pipe(socket).pipe(channel)
        void channel.gone.then(() => socket.destroy())
      })
      let isConnected = false
      socket.once('connect', () => (isConnected = true))
      socket.on('error', () => {
        if (!isConnected) opening.refuse('connectFailed', 'Nobody listens there')
      })
    } else opening.refuse('unknownChannelType', 'Only sessions and ways on')
  }

  #onSession(session: ServerSession): void {
    const seen: SeenSession = { env: {}, sizes: [], signals: [] }
    this.sessions.push(seen)
    let child: ChildProcess | undefined
    const begin = (command: string | undefined) => () => {
      child = run(session, seen, command)
    }
    session.handlers = {
      pty: (terminal) => {
        seen.terminal = terminal
        return true
      },
      env: (name, value) => {
        seen.env[name] = value
        return name === 'LANG'
      },
      windowChange: (size) => void seen.sizes.push(size),
      signal: (name) => {
        seen.signals.push(name)
        child?.kill(`SIG${name}` as NodeJS.Signals)
      },
      shell: () => begin(undefined),
      exec: (command) => {
        seen.command = command
        return begin(command)
      },
      subsystem: (name) => {
        seen.subsystem = name
        return begin(`echo subsystem ${name}`)
      },
    }
  }
}

/** Runs a command, or a shell, on a terminal where there is one. */
function run(
  session: ServerSession,
  { terminal, env }: SeenSession,
  command: string | undefined,
): ChildProcess {
  const line = command ?? 'exec sh'
  const sized = `stty cols ${terminal?.cols ?? 80} rows ${terminal?.rows ?? 24}; ${line}`
  const args = terminal ? ['script', '-qefc', sized, '/dev/null'] : ['sh', '-c', line]
  const child = spawn(args[0] ?? '', args.slice(1), {
    env: { PATH: process.env['PATH'], ...env, ...(terminal && { TERM: terminal.term }) },
  })
  session.pipe(child.stdin)
  child.stdout.pipe(session, { end: false })
  child.stderr.pipe(session.stderr, { end: false })
  child.stdin.on('error', () => session.resume())
  session.on('eow', () => child.stdout.destroy())
  child.once('close', (code, signal) =>
    session.exit(
      signal ? { kind: 'signal', name: signal.slice(3) } : { kind: 'status', code: code ?? 0 },
      10_000,
    ),
  )
  void session.gone.then(() => child.kill('SIGHUP'))
  return child
}
