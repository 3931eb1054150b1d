/**
 * The browser's end of a terminal over a websocket: opens it, keeps it alive, re-attaches after a lost connection, keeps the output
 * under way small, and knows how it ended. Bytes go to whoever shows them; nothing here draws.
 */
import {
  monitorPositionSchema,
  ownerSizeSchema,
  reattachWithinMs,
  type TerminalEnd,
  type TerminalMessage,
  type TerminalMessageType,
  terminalEndSchema,
  terminalInputAckSchema,
  terminalMessageSchema,
  terminalPingMs,
  terminalRestoreSchema,
  type TerminalSession,
  terminalSessionSchema,
  terminalSocketPath,
  terminalSubprotocol,
} from '@sallyport/contract/terminal-socket'
import { interrupt, TypedText } from './typed-text.ts'

export type TerminalTarget =
  /** A new session by a connection token. */
  | { kind: 'connect'; token: string }
  /** Watching somebody's session. */
  | { kind: 'monitor'; sessionId: string }

/** Why it ended: the gateway's word, or `unreachable` when the session could not be taken up again. */
export type TerminalEndReason = TerminalEnd['reason'] | 'unreachable'

export type TerminalState =
  /** The gateway has not answered yet. */
  | { phase: 'asking' }
  /** The gateway is there, the session is not: the asset is being reached. */
  | { phase: 'connecting' }
  | { phase: 'live' }
  /** The connection is lost; the session goes on and is taken up again. */
  | { phase: 'reconnecting' }
  /** `message` is the sentence in the person's language, if one was given, and `detail` the code of what was refused. */
  | { phase: 'ended'; reason: TerminalEndReason; detail?: string; message: string; canReattach: boolean }

interface Size {
  cols: number
  rows: number
}

export interface TerminalSocketHandlers {
  onState: (state: TerminalState) => void
  /** Output to show; `taken` must be called once it is on the screen, since the gateway waits for that. */
  onOutput: (bytes: Uint8Array, taken: () => void) => void
  /** Forget what is shown: the screen follows anew, of this size where one is given. */
  onScreenReset: (size: Size | undefined) => void
  onSession: (session: TerminalSession) => void
  /** The watched person's terminal has this size. */
  onOwnerSize: (size: Size) => void
  /** How far the watched stream has come. */
  onMonitorPosition?: (position: { time_ms: number; is_live: boolean }) => void
  /** Of what was typed, something has waited here for more than a second: so much of it has been sent. Undefined: nothing waits any more. */
  onTypedHeld?: (percent: number | undefined) => void
}

const firstDelayMs = 250
const longestDelayMs = 5_000
const openTimeoutMs = 15_000
/** A gateway of other make, which answers no PING, says something each minute; after this long without a word the connection is dead. */
const silenceLimitMs = 90_000
/** … and one that answers them, after this long without an answer: what is typed seems to arrive until then. */
const answerLimitMs = 12_000
/** Output shown since the last acknowledgement before the gateway is told. */
const acknowledgeEvery = 64 * 1024

export class TerminalSocket {
  private socket: WebSocket | undefined
  private state: TerminalState = { phase: 'asking' }
  private connectionId = ''
  private sessionId: string | undefined
  private size: Size = { cols: 80, rows: 24 }
  private errorText = ''
  private end: TerminalEnd | undefined
  private lostAt = 0
  private attempt = 0
  private taken = 0
  private acknowledged = 0
  private heardAt = 0
  /** Since when no word has followed a PING. */
  private askedAt: number | undefined
  private answersPings = false
  private timers = new Set<ReturnType<typeof setTimeout>>()
  private pinger: ReturnType<typeof setInterval> | undefined
  private readonly target: TerminalTarget
  private readonly handlers: TerminalSocketHandlers
  private readonly typed = new TypedText(
    (data) => (typeof data === 'string' ? this.post('TERMINAL_DATA', data) : this.sendRaw(data)),
    (percent) => this.handlers.onTypedHeld?.(percent),
  )
  private readonly retryNow = () => this.retryAtOnce()
  /** A page that is closed will not come back for its session. */
  private readonly leave = () => this.close()

  constructor(target: TerminalTarget, handlers: TerminalSocketHandlers) {
    this.target = target
    this.handlers = handlers
    this.sessionId = target.kind === 'monitor' ? target.sessionId : undefined
  }

  /** Connects with the terminal's present size. */
  start(size: Size) {
    this.size = size
    this.listen()
    this.open()
  }

  /** The gateway takes what is typed, also while it still asks or connects. */
  private get isGreeted() {
    return this.state.phase === 'connecting' || this.state.phase === 'live'
  }

  get isEnded() {
    return this.state.phase === 'ended'
  }

  /** Sends what was typed or pasted. What is typed while the connection is lost is not sent later: nobody saw where it would land. */
  send(text: string) {
    if (text === interrupt) this.typed.drop()
    if (this.isGreeted) this.typed.add(text)
  }

  sendBytes(bytes: Uint8Array<ArrayBuffer>) {
    if (this.isGreeted) this.typed.add(bytes)
  }

  /** Gives up what was typed or pasted and still waits here. */
  dropTyped() {
    this.typed.drop()
  }

  resize(size: Size) {
    this.size = size
    if (this.isGreeted && this.target.kind === 'connect') this.post('TERMINAL_RESIZE', JSON.stringify(size))
  }

  /** Leaves the session: the person closed the terminal. */
  close() {
    if (this.isGreeted) this.post('CLOSE', '')
    this.finish({ reason: 'client_left', message: '', canReattach: false })
  }

  /** Takes up a session that goes on elsewhere, after it ended here with `canReattach`. */
  reattach() {
    if (this.state.phase !== 'ended' || !this.state.canReattach) return
    this.end = undefined
    this.errorText = ''
    this.listen()
    this.setState({ phase: 'asking' })
    this.open()
  }

  private listen() {
    window.addEventListener('online', this.retryNow)
    window.addEventListener('pagehide', this.leave)
  }

  private open() {
    const query = new URLSearchParams(this.query())
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const socket = new WebSocket(
      `${scheme}://${location.host}${terminalSocketPath}?${query}`,
      terminalSubprotocol,
    )
    socket.binaryType = 'arraybuffer'
    this.socket = socket
    this.taken = 0
    this.acknowledged = 0
    this.heardAt = Date.now()
    this.askedAt = undefined
    const opening = this.after(openTimeoutMs, () => socket.close())
    socket.addEventListener('message', (event: MessageEvent<string | ArrayBuffer>) => {
      if (socket !== this.socket) return
      this.heardAt = Date.now()
      this.askedAt = undefined
      if (typeof event.data === 'string') {
        const message = parseMessage(event.data)
        if (message?.type === 'CONNECT') this.cancel(opening)
        if (message) this.onMessage(message)
      } else this.onOutput(new Uint8Array(event.data))
    })
    socket.addEventListener('close', () => {
      this.cancel(opening)
      if (socket === this.socket) this.onClosed()
    })
    clearInterval(this.pinger)
    this.pinger = setInterval(() => {
      const now = Date.now()
      const isUnanswered =
        this.answersPings && this.askedAt !== undefined && now - this.askedAt > answerLimitMs
      if (isUnanswered || now - this.heardAt > silenceLimitMs) {
        socket.close()
        // It waits for its peer to close, too.
        if (socket === this.socket) this.onClosed()
      } else if (socket.readyState === WebSocket.OPEN) {
        this.ping()
      }
    }, terminalPingMs)
  }

  private ping() {
    this.post('PING', '')
    this.askedAt ??= Date.now()
  }

  private query(): Record<string, string> {
    if (this.target.kind === 'monitor') return { type: 'monitor', target_id: this.target.sessionId }
    if (this.sessionId === undefined) return { token: this.target.token }
    return { type: 'reattach', target_id: this.sessionId }
  }

  private onMessage(message: TerminalMessage) {
    switch (message.type) {
      case 'CONNECT':
        this.connectionId = message.id
        this.attempt = 0
        if (this.sessionId === undefined) this.typed.begin()
        if (this.target.kind === 'monitor') this.handlers.onScreenReset(undefined)
        this.post('TERMINAL_INIT', JSON.stringify({ ...this.size, code: '' }))
        // The first acknowledgement asks the gateway to wait for the others.
        this.acknowledge()
        // Whether it answers is known before a connection can be lost unnoticed.
        this.ping()
        this.setState({ phase: 'connecting' })
        break
      case 'TERMINAL_SESSION': {
        const data = read(terminalSessionSchema, message.data)
        if (!data) break
        this.typed.goUncounted()
        this.setState({ phase: 'live' })
        this.sessionId = data.session.id
        this.handlers.onSession(data)
        break
      }
      case 'TERMINAL_INPUT_ACK': {
        const ack = read(terminalInputAckSchema, message.data)
        if (ack) this.typed.acknowledge(ack)
        break
      }
      case 'TERMINAL_RESIZE': {
        const size = read(ownerSizeSchema, message.data)
        if (size) this.handlers.onOwnerSize({ cols: size.Width, rows: size.Height })
        break
      }
      case 'TERMINAL_RESTORE':
        this.handlers.onScreenReset(read(terminalRestoreSchema, message.data))
        break
      case 'MONITOR_POSITION': {
        const position = read(monitorPositionSchema, message.data)
        if (position) this.handlers.onMonitorPosition?.(position)
        break
      }
      case 'TERMINAL_ERROR':
        this.errorText = message.err ?? message.data
        break
      case 'TERMINAL_END':
        this.end = read(terminalEndSchema, message.data)
        break
      case 'CLOSE':
        this.finish(this.ending())
        break
      case 'PONG':
        this.answersPings = true
        break
      default: // PING and what is for other pages
    }
  }

  /** What is known about the end once the gateway has closed. */
  private ending(): Ending {
    if (this.end) {
      const { reason, detail, message, can_reattach } = this.end
      return { reason, detail, message, canReattach: can_reattach }
    }
    // Gateways of the compatible system say no more than an error's text.
    return {
      reason: this.errorText ? 'refused' : 'target_closed',
      message: this.errorText,
      canReattach: false,
    }
  }

  private onOutput(bytes: Uint8Array) {
    const socket = this.socket
    this.handlers.onOutput(bytes, () => {
      if (socket !== this.socket) return
      this.taken += bytes.byteLength
      if (this.taken - this.acknowledged >= acknowledgeEvery) this.acknowledge()
    })
  }

  private acknowledge() {
    this.acknowledged = this.taken
    this.post('TERMINAL_ACK', JSON.stringify({ bytes: this.taken }))
  }

  private onClosed() {
    this.socket = undefined
    this.typed.lose()
    if (this.isEnded) return
    if (this.end || this.errorText) {
      this.finish(this.ending())
      return
    }
    if (this.sessionId === undefined) {
      this.finish({ reason: 'refused', message: '', canReattach: false })
      return
    }
    if (this.state.phase !== 'reconnecting') {
      this.lostAt = Date.now()
      this.attempt = 0
      this.setState({ phase: 'reconnecting' })
    }
    const left = this.lostAt + reattachWithinMs - Date.now()
    if (left <= 0) {
      this.finish({ reason: 'unreachable', message: '', canReattach: true })
      return
    }
    const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** this.attempt, left)
    this.attempt += 1
    this.after(delay, () => this.open())
  }

  private retryAtOnce() {
    if (this.state.phase !== 'reconnecting' || this.socket) return
    this.clearTimers()
    this.open()
  }

  private finish(ending: Ending) {
    if (this.isEnded) return
    this.clearTimers()
    clearInterval(this.pinger)
    this.typed.clear()
    window.removeEventListener('online', this.retryNow)
    window.removeEventListener('pagehide', this.leave)
    const socket = this.socket
    this.socket = undefined
    this.setState({ phase: 'ended', ...ending })
    socket?.close()
  }

  private setState(state: TerminalState) {
    this.state = state
    this.handlers.onState(state)
  }

  private post(type: TerminalMessageType, data: string) {
    if (this.socket?.readyState !== WebSocket.OPEN) return
    this.socket.send(JSON.stringify({ id: this.connectionId, type, data }))
  }

  private sendRaw(bytes: Uint8Array<ArrayBuffer>) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(bytes)
  }

  private after(delayMs: number, action: () => void) {
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      action()
    }, delayMs)
    this.timers.add(timer)
    return timer
  }

  private cancel(timer: ReturnType<typeof setTimeout>) {
    clearTimeout(timer)
    this.timers.delete(timer)
  }

  private clearTimers() {
    for (const timer of this.timers) clearTimeout(timer)
    this.timers.clear()
  }
}

type Ending = Omit<Extract<TerminalState, { phase: 'ended' }>, 'phase'>

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Other gateways send plain text in some messages; the schemas then say no.
    return undefined
  }
}

/** The data of a message; undefined when it is not what it should be. */
const read = <T>(schema: { safeParse: (value: unknown) => { data?: T } }, text: string): T | undefined =>
  schema.safeParse(json(text)).data

const parseMessage = (text: string) => read(terminalMessageSchema, text)
