/**
 * The gateway's side of the browser socket for tests, with a real shell of this machine behind it. It speaks the messages of
 * `@sallyport/contract/terminal-socket`, waits for acknowledgements, and keeps a session for re-attaching.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  terminalAckSchema,
  terminalAckWindowBytes,
  type TerminalEnd,
  type TerminalMessageType,
  terminalMessageSchema,
  terminalSizeSchema,
} from '@sallyport/contract/terminal-socket'
import type { RawData, WebSocket } from 'ws'

export interface ShellSession {
  id: string
  token: string
  /** Everything shown so far: what a re-attached or watching browser is sent. */
  shown: Buffer[]
  sizes: { cols: number; rows: number }[]
  /** Text frames with keystrokes, as they came. */
  typed: string[]
  /** Bytes of them, all in all, and those given on to the shell. */
  taken: number
  given: number
  /** How many it has had. */
  sockets: number
  /** Most of what was typed under way at once, of what was not given on. */
  mostTyped: number
  /** How often the browser said that the person left. */
  goodbyes: number
  /** Most output under way at once. */
  mostUnacknowledged: number
  socket: WebSocket | undefined
  watchers: Set<WebSocket>
  /** Ends the session as the gateway does. */
  end: (end: Partial<TerminalEnd>) => void
  /** Loses the browser's connection without a word. */
  cut: () => void
  output: (text: string) => void
  giveOn: () => void
  acknowledge: () => void
  attach: (socket: WebSocket) => void
}

export class FakeGateway {
  readonly sessions = new Map<string, ShellSession>()
  /** New connections are refused while set. */
  isDown = false
  /** The server does not hear of it while set: whoever comes is told to try again. */
  isUnheard = false
  /** PING is not answered while set. */
  isMute = false
  pings = 0
  /** What is typed is taken, and not given on to the shell, while set. */
  isHolding = false
  /** What is typed is lost on the way while set, as when the connection is. */
  isLosing = false
  /** It tells nothing of what is typed, as gateways of other make. */
  isUncounting = false
  /** Sessions are live once the asset was reached. */
  reached: Promise<void> = Promise.resolve()
  private readonly children = new Set<ChildProcessWithoutNullStreams>()

  get lastSession(): ShellSession {
    const session = [...this.sessions.values()].at(-1)
    if (!session) throw new Error('no session was opened')
    return session
  }

  /** Gives on what was held. */
  giveOn() {
    this.isHolding = false
    for (const session of this.sessions.values()) session.giveOn()
  }

  close() {
    for (const child of this.children) child.kill('SIGKILL')
  }

  accept(socket: WebSocket, request: IncomingMessage) {
    if (this.isUnheard) {
      socket.close(1013)
      return
    }
    const query = new URL(request.url ?? '', 'http://gateway').searchParams
    const targetId = query.get('target_id') ?? ''
    const post = poster(socket)
    post('CONNECT', { user: { id: 'u', name: 'Ann', username: 'ann' }, setting: {} })
    const session = query.has('token') ? undefined : this.sessions.get(targetId)
    if (!query.has('token') && !session) {
      post('TERMINAL_END', { reason: 'not_found', detail: '', message: '', can_reattach: false })
      post('CLOSE', {})
      socket.close()
      return
    }
    socket.once('message', (data: RawData) => {
      const init = terminalMessageSchema.parse(JSON.parse(text(data)))
      const size = terminalSizeSchema.parse(JSON.parse(init.data))
      if (query.get('type') === 'monitor' && session) this.watch(session, socket)
      else if (session) this.reattach(session, socket, size)
      else this.open(query.get('token') ?? '', socket, size)
    })
  }

  private watch(session: ShellSession, socket: WebSocket) {
    const post = poster(socket)
    post('TERMINAL_SESSION', sessionInfo(session.id))
    const size = session.sizes.at(-1) ?? { cols: 80, rows: 24 }
    post('TERMINAL_RESIZE', { Width: size.cols, Height: size.rows })
    for (const bytes of session.shown) socket.send(bytes)
    post('MONITOR_POSITION', { time_ms: 0, is_live: true })
    session.watchers.add(socket)
  }

  private reattach(session: ShellSession, socket: WebSocket, size: { cols: number; rows: number }) {
    const post = poster(socket)
    session.socket = socket
    session.sockets += 1
    session.acknowledge()
    post('TERMINAL_SESSION', sessionInfo(session.id))
    const painted = session.sizes.at(-1) ?? size
    post('TERMINAL_RESTORE', painted)
    socket.send(Buffer.concat(session.shown))
    session.sizes.push(size)
    session.attach(socket)
  }

  private open(token: string, socket: WebSocket, size: { cols: number; rows: number }) {
    const id = randomUUID()
    // script gives the shell a terminal; its size is set before the shell starts
    const command = `stty cols ${size.cols} rows ${size.rows}; exec env 'PS1=$ ' bash --norc -i`
    const child = spawn('script', ['-qfc', command, '/dev/null'], {
      env: { ...process.env, TERM: 'xterm-256color', LANG: 'C.UTF-8', HISTFILE: '' },
    })
    this.children.add(child)
    let sent = 0
    let acknowledged = 0
    const session: ShellSession = {
      id,
      token,
      shown: [],
      sizes: [size],
      typed: [],
      taken: 0,
      given: 0,
      sockets: 1,
      mostTyped: 0,
      goodbyes: 0,
      mostUnacknowledged: 0,
      socket,
      watchers: new Set(),
      cut: () => session.socket?.terminate(),
      output: (shown) => show(Buffer.from(shown)),
      giveOn: () => {
        for (const bytes of held.splice(0)) {
          session.given += bytes.byteLength
          child.stdin.write(bytes)
        }
        session.acknowledge()
      },
      acknowledge: () => {
        if (this.isUncounting || !session.socket) return
        const { taken, given: bytes, sockets } = session
        poster(session.socket)('TERMINAL_INPUT_ACK', { taken, bytes, sockets, refused: 0 })
      },
      end: (end) => {
        for (const target of [session.socket, ...session.watchers]) {
          if (!target) continue
          const post = poster(target)
          post('TERMINAL_END', {
            reason: 'target_closed',
            detail: '',
            message: '',
            can_reattach: false,
            ...end,
          })
          post('CLOSE', {})
          target.close()
        }
        child.kill('SIGHUP')
      },
      attach: (current) => {
        session.socket = current
        sent = 0
        acknowledged = 0
        current.on('close', () => {
          if (session.socket === current) session.socket = undefined
        })
        current.on('message', (data: RawData, isBinary: boolean) => {
          if (isBinary) {
            type(Buffer.isBuffer(data) ? data : Buffer.from(text(data)))
            return
          }
          const message = terminalMessageSchema.parse(JSON.parse(text(data)))
          if (message.type === 'TERMINAL_DATA') {
            if (this.isLosing) return
            session.typed.push(message.data)
            type(Buffer.from(message.data))
          } else if (message.type === 'TERMINAL_RESIZE') {
            session.sizes.push(terminalSizeSchema.parse(JSON.parse(message.data)))
          } else if (message.type === 'TERMINAL_ACK') {
            acknowledged = terminalAckSchema.parse(JSON.parse(message.data)).bytes
            if (sent - acknowledged < terminalAckWindowBytes / 2) child.stdout.resume()
          } else if (message.type === 'PING') {
            this.pings += 1
            if (!this.isMute) poster(current)('PONG', {})
          } else if (message.type === 'CLOSE') {
            session.goodbyes += 1
            session.end({ reason: 'client_left' })
          }
        })
      },
    }
    const held: Buffer[] = []
    const type = (bytes: Buffer) => {
      held.push(bytes)
      session.taken += bytes.byteLength
      session.mostTyped = Math.max(session.mostTyped, session.taken - session.given)
      if (!this.isHolding) session.giveOn()
    }
    const show = (bytes: Buffer) => {
      session.shown.push(bytes)
      session.socket?.send(bytes)
      for (const watcher of session.watchers) watcher.send(bytes)
      sent += bytes.byteLength
      session.mostUnacknowledged = Math.max(session.mostUnacknowledged, sent - acknowledged)
      if (sent - acknowledged > terminalAckWindowBytes - 128 * 1024) child.stdout.pause()
    }
    child.stdout.on('data', show)
    child.on('exit', () => {
      this.children.delete(child)
      session.end({})
    })
    child.stdin.on('error', () => session.end({ reason: 'target_closed' }))
    this.sessions.set(id, session)
    session.attach(socket)
    session.acknowledge()
    void this.reached.then(() => poster(socket)('TERMINAL_SESSION', sessionInfo(id)))
  }
}

function poster(socket: WebSocket) {
  return (type: TerminalMessageType, data: unknown) =>
    socket.send(JSON.stringify({ id: 'c1', type, data: JSON.stringify(data), err: '' }))
}

const text = (data: RawData) =>
  (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer)).toString()

const sessionInfo = (id: string) => ({
  session: {
    id,
    user: 'Ann(ann)',
    user_id: 'u',
    asset: 'web-01(10.1.1.5)',
    asset_id: 'a1',
    account: 'root(root)',
    account_id: 'acc',
    login_from: 'WT',
    remote_addr: '10.0.0.9',
    protocol: 'ssh',
    type: 'normal',
    org_id: '',
    date_start: new Date().toISOString(),
  },
  permission: { actions: ['connect', 'copy', 'paste'] },
})
