import type { DisconnectReason } from '../wire/errors.ts'
import { SshError } from '../wire/errors.ts'
import type { PacketStream } from '../wire/packet-stream.ts'

/** Two ends of a connection in memory, as two transports would be. */
export function packetPair(options: { roomBytes?: number } = {}): [PacketEnd, PacketEnd] {
  const one = new PacketEnd(options.roomBytes ?? 1_000_000)
  const other = new PacketEnd(options.roomBytes ?? 1_000_000)
  one.connect(other)
  other.connect(one)
  return [one, other]
}

/** Keeps what it is sent until the other end's handler has taken it. */
export class PacketEnd implements PacketStream {
  readonly sessionId = Buffer.from('0123456789abcdef0123456789abcdef')
  hostKey = Buffer.from('a host key')
  readonly peer = { ident: 'SSH-2.0-test', extensions: new Map<string, Buffer>() }
  onPacket: (payload: Buffer) => void | Promise<void> = () => {}
  onDrain: () => void = () => {}
  readonly closed: Promise<SshError | undefined>
  /** What was sent to the other end, as long as somebody counts: its number and length. */
  readonly sent: { number: number; bytes: number }[] = []
  /** What this end told when it disconnected. */
  goodbye: { reason: DisconnectReason; text: string } | undefined
  /** Nothing sent here is handed to the other end as long as it is true. */
  isHeld = false
  isBehind = false
  readonly #roomBytes: number
  readonly #close: (error: SshError | undefined) => void
  #other: PacketEnd | undefined
  #queue: Buffer[] = []
  #queuedBytes = 0
  #isPumping = false
  #isClosed = false

  constructor(roomBytes: number) {
    this.#roomBytes = roomBytes
    const { promise, resolve } = Promise.withResolvers<SshError | undefined>()
    this.closed = promise
    this.#close = resolve
  }

  connect(other: PacketEnd): void {
    this.#other = other
  }

  get isWritable(): boolean {
    return this.#queuedBytes < this.#roomBytes
  }

  get queuedBytes(): number {
    return this.#queuedBytes
  }

  send(payload: Buffer | readonly Buffer[]): void {
    if (this.#isClosed) return
    const bytes = Buffer.isBuffer(payload) ? Buffer.from(payload) : Buffer.concat(payload)
    this.sent.push({ number: bytes[0] ?? 0, bytes: bytes.length })
    this.#queue.push(bytes)
    this.#queuedBytes += bytes.length
    this.#start()
  }

  release(): void {
    this.isHeld = false
    this.#start()
  }

  disconnect(reason: DisconnectReason, text: string): void {
    this.goodbye ??= { reason, text }
    this.#finish(undefined)
  }

  destroy(error?: SshError): void {
    this.#finish(error)
  }

  #finish(error: SshError | undefined): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#close(error)
    const other = this.#other
    setImmediate(() => other?.destroy())
  }

  #start(): void {
    if (this.#isPumping || this.isHeld) return
    this.#isPumping = true
    setImmediate(() => void this.#pump())
  }

  async #pump(): Promise<void> {
    const other = this.#other
    for (let count = 0; !this.isHeld; count++) {
      const next = this.#queue.shift()
      if (!next) break
      const wasWritable = this.isWritable
      this.#queuedBytes -= next.length
      if (other && !other.#isClosed) {
        try {
          await other.onPacket(next)
        } catch (error) {
          if (!(error instanceof SshError)) throw error
          other.goodbye = { reason: error.reason, text: error.message }
          other.#finish(error)
        }
      }
      if (!wasWritable && this.isWritable) this.onDrain()
    }
    this.#isPumping = false
  }
}
