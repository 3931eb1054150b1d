import type { Duplex } from 'node:stream'
import type { PrivateKey, PublicKey } from '../keys/key.ts'
import { type Input, PacketReader } from '../packets/packet-reader.ts'
import { PacketWriter } from '../packets/packet-writer.ts'
import { type DisconnectReason, SshError } from '../wire/errors.ts'
import { message } from '../wire/messages.ts'
import type { PacketStream } from '../wire/packet-stream.ts'
import { Reader } from '../wire/reader.ts'
import { Writer } from '../wire/writer.ts'
import { type Algorithms, defaultAlgorithms } from './algorithms.ts'
import { readDisconnect, writeDisconnect } from './disconnect.ts'
import { pingExtension, readExtInfo, writeExtInfo } from './extensions.ts'
import { FairShare } from './fair-share.ts'
import { IdentReader } from './ident.ts'
import { Intake } from './intake.ts'
import { KeyExchange, type Role } from './key-exchange.ts'
import { StagedOutput } from './output.ts'

export interface TransportOptions {
  role: Role
  /** Our version, `SSH-2.0-…` (RFC 4253, 4.2). */
  ident: string
  algorithms?: Algorithms
  /** Of a server. */
  hostKeys?: readonly PrivateKey[]
  /** Of a client: throws or rejects to refuse. Asked anew when the server comes with another key later. */
  verifyHostKey?: (key: PublicKey) => void | Promise<void>
  /** What we tell of ourselves by RFC 8308; that pings are answered is told besides. */
  extensions?: ReadonlyMap<string, string>
  /** New keys are exchanged when so many bytes went one way. */
  rekeyBytes?: number
  /** New keys are exchanged when so much time went by and something is sent or comes. */
  rekeyMs?: number
  /** An exchange of keys that takes longer ends the connection. */
  exchangeMs?: number
}

/** As long as the peer has not authenticated itself: the least that has to be taken (RFC 4253, 6.1). */
const maxPacketBytesBefore = 35_000
/** Commands and keys' certificates exceed 35,000 bytes; OpenSSH takes as much. */
const maxPacketBytesAfter = 256 * 1024
/** Far below what the cipher bears (RFC 4344, 3.2), as OpenSSH does for ChaCha20. */
const defaultRekeyBytes = 1024 ** 3
const defaultRekeyMs = 60 * 60_000
const rekeyPackets = 2 ** 31
/** Each costs us more than the peer, who is nobody yet. */
const maxExchangesBefore = 4
/** Messages that ask for nothing: a few hide how long a password is (PuTTY). */
const maxIdleBefore = 100
/** Data stops when the stream is full. What goes beyond it are answers to a peer that keeps asking and does not read: it is not read either. */
const maxUnsentBytes = 2 * 1024 * 1024
/** Of messages that wait until keys are exchanged, and then go at once: a few for each channel. */
const maxQueued = 2000
/** Clients that never wait for our proposal: theirs is awaited, so that we can choose the cipher. Up to 9.9 they prefer ones that are slow here. */
const proposesAtOnce = /^SSH-2\.0-OpenSSH_/
/** A peer that does not read our last words, or does not end then, is left. */
const lingerMs = 1000

/**
 * One SSH connection's transport over a stream: versions, packets, exchange of keys, and the end (RFC 4253). The stream's pieces are
 * used up before its `data` event is over; what is written to it has to be used up when the write's callback is called.
 */
export class Transport implements PacketStream {
  /** Ends when the first keys are in use; rejects when it does not come to that. */
  readonly ready: Promise<void>
  /** Settles once, with what went wrong where something did; never rejects. */
  readonly closed: Promise<SshError | undefined>
  readonly peer: { ident: string; extensions: Map<string, Buffer> } = { ident: '', extensions: new Map() }
  onPacket: (payload: Buffer) => void | Promise<void> = () => this.sendUnimplemented()
  onDrain: () => void = () => {}

  readonly #stream: Duplex
  readonly #options: TransportOptions
  readonly #output: StagedOutput
  readonly #reader = new PacketReader(maxPacketBytesBefore)
  readonly #writer: PacketWriter
  readonly #identReader: IdentReader
  #keys: KeyExchange | undefined
  /** What waits until keys are exchanged. */
  #queue: (readonly Buffer[])[] = []
  #queuedBytes = 0
  /** What the connection ends with when keys are exchanged and the queue is sent. */
  #farewell: { reason: DisconnectReason; text: string } | undefined
  readonly #intake: Intake
  /** Of the event loop, for what is sealed. */
  readonly #sending = new FairShare(() => this.#drain())
  #isAuthenticated = false
  #exchanges = 0
  /** Messages that asked for nothing before somebody authenticated himself. */
  #idle = 0
  #timer: NodeJS.Timeout | undefined
  #keysSince = 0
  /** Where the peer may tell of itself: right behind its first keys, and a server right before it says that we are who we are. */
  #extInfo: 'first' | 'beforeSuccess' | 'told' | 'never' = 'never'
  #isClosed = false
  readonly #readySettles = Promise.withResolvers<void>()
  readonly #closedSettles = Promise.withResolvers<SshError | undefined>()

  constructor(stream: Duplex, options: TransportOptions) {
    this.#stream = stream
    this.#options = options
    this.#output = new StagedOutput(stream)
    this.#writer = new PacketWriter(this.#output)
    this.#identReader = new IdentReader(options.role === 'client' ? 'server' : 'client')
    this.ready = this.#readySettles.promise
    this.ready.catch(() => {})
    this.closed = this.#closedSettles.promise
    this.#armTimer()
    this.#intake = new Intake(stream, {
      takeNext: (input) => this.#takeNext(input),
      fail: (error) => this.#fail(error),
    })
    stream.on('drain', () => this.#onRoom())
    // What the peer said before counts, also where it still waits for its turn.
    stream.on('error', (cause: Error) =>
      this.#intake.whenThrough(() =>
        this.destroy(new SshError('connectionLost', 'The connection was lost', { cause })),
      ),
    )
    for (const end of ['end', 'close']) stream.on(end, () => this.#intake.whenThrough(() => this.#onEnd()))
    stream.resume()
    this.#output.write(Buffer.from(`${options.ident}\r\n`))
  }

  /** The hash of the first exchange of keys; empty before. */
  get sessionId(): Buffer {
    return this.#keys?.sessionId ?? Buffer.alloc(0)
  }

  /** What the server proved itself with in the first exchange of keys, on both sides; empty before. */
  get hostKey(): Buffer {
    return this.#keys?.hostKey ?? Buffer.alloc(0)
  }

  /** False while the stream is full, keys are exchanged or others have their turn: then data has to wait for `onDrain`; answers may still be sent. */
  get isWritable(): boolean {
    if (this.#isClosed || this.#keys?.isSending !== false) return false
    return !this.#stream.writableNeedDrain && !this.#sending.isWaiting
  }

  get isBehind(): boolean {
    return this.#intake.isBehind
  }

  /** Seals a message, its parts one after the other, or keeps it while keys are exchanged. When `isWritable`, the parts are the caller's again on return. */
  send(payload: Buffer | readonly Buffer[]): void {
    if (this.#isClosed) return
    const parts = Array.isArray(payload) ? (payload as readonly Buffer[]) : [payload as Buffer]
    if (this.#keys?.isSending !== false) {
      this.#queue.push(parts)
      for (const part of parts) this.#queuedBytes += part.length
      if (this.#queue.length > maxQueued || this.#queuedBytes > maxUnsentBytes)
        this.#fail(new SshError('protocolError', 'The peer keeps asking and exchanges no keys'))
      return
    }
    const begunAt = performance.now()
    this.#write(parts)
    this.#sending.count(begunAt)
    if (this.#isRekeyDue()) void this.#exchangeKeys()
  }

  /** Answers the message that is being dealt with: it is none we know (RFC 4253, 11.4). */
  sendUnimplemented(): void {
    this.send(
      new Writer(5)
        .byte(message.unimplemented)
        .uint32((this.#reader.sequence - 1) >>> 0)
        .finish(),
    )
  }

  /** Exchanges new keys; ends when they are in use, rejects when the connection ends before. */
  async rekey(): Promise<void> {
    const ended = this.closed.then((error) => {
      throw error ?? new SshError('connectionLost', 'The connection ended')
    })
    await Promise.race([this.#exchangeKeys(), ended])
  }

  /** Tells the peer why, sends what was sent before, and ends. */
  disconnect(reason: DisconnectReason, text: string): void {
    if (this.#queue.length > 0) this.#farewell = { reason, text }
    else this.#end(reason, text, undefined)
  }

  /** Ends at once. */
  destroy(error?: SshError): void {
    this.#close(error)
    this.#stream.destroy()
  }

  /** The next thing that is whole in the input, dealt with; undefined when more has to come first. */
  #takeNext(input: Input): Promise<void> | 'done' | undefined {
    if (!this.#keys) {
      const ident = this.#identReader.next(input)
      if (ident === undefined) return undefined
      this.#onIdent(ident)
      return 'done'
    }
    const payload = this.#reader.next(input)
    return payload && (this.#handle(payload) ?? this.#untilRead() ?? 'done')
  }

  /** A promise when so much is unsent that the peer has to read first. */
  #untilRead(): Promise<void> | undefined {
    if (this.#stream.writableLength <= maxUnsentBytes) return undefined
    return new Promise((resolve) => this.#stream.once('drain', resolve))
  }

  #onIdent(ident: string): void {
    const { role, algorithms = defaultAlgorithms, hostKeys = [], verifyHostKey } = this.#options
    this.peer.ident = ident
    const ours = this.#options.ident
    this.#keys = new KeyExchange({
      role,
      idents: role === 'client' ? { client: ours, server: ident } : { client: ident, server: ours },
      algorithms,
      hostKeys,
      verifyHostKey:
        verifyHostKey ??
        (() => {
          throw new SshError('hostKeyNotVerifiable', 'Nobody knows the host key')
        }),
      writer: this.#writer,
      reader: this.#reader,
      onSending: () => this.#onSendingKeys(),
      fail: (error) => this.#fail(error),
    })
    if (role === 'client' || !proposesAtOnce.test(ident)) void this.#exchangeKeys()
  }

  /** Deals with one message, in the state it is allowed in; any other ends the connection. */
  #handle(payload: Buffer): void | Promise<void> {
    const number = payload[0] ?? 0
    const keys = this.#keys
    if (!keys) return
    const extInfo = this.#extInfo
    if (extInfo === 'first') this.#extInfo = 'beforeSuccess'
    if (number === message.disconnect) return this.destroy(readDisconnect(payload))
    if (number === message.ignore || number === message.debug || number === message.unimplemented) {
      if (keys.isFirst && keys.isStrict) throw outOfTurn()
      this.#countIdle()
      if (number === message.unimplemented) keys.onUnimplemented(new Reader(payload, 1).uint32())
      return
    }
    if (number === message.kexInit) return this.#onKexInit(keys, payload)
    if (number >= message.kexFirst && number <= message.kexLast) return keys.onMethodMessage(payload)
    if (number === message.newKeys) return this.#onNewKeys(keys)
    // RFC 4253, 7.1 forbids all others, but AsyncSSH of Debian 12 sends its channels' messages on, and OpenSSH lets it: the old keys protect them.
    if (keys.isFirst || (keys.isReceiving && number < message.globalRequest)) throw outOfTurn()
    if (number === message.extInfo) return this.#onExtInfo(payload, extInfo)
    if (extInfo === 'told') {
      if (number !== message.userauthSuccess) throw outOfTurn()
      this.#extInfo = 'never'
    }
    const isService = number === message.serviceRequest || number === message.serviceAccept
    if (!isService && (number < message.userauthRequest || number > 127)) {
      this.#countIdle()
      if (number === message.ping) this.send([Buffer.from([message.pong]), payload.subarray(1)])
      else if (number !== message.pong) this.sendUnimplemented()
      return
    }
    if (number === message.userauthSuccess && this.#options.role === 'client') this.#onAuthenticated()
    if (this.#isRekeyDue()) void this.#exchangeKeys()
    return this.onPacket(payload)
  }

  #countIdle(): void {
    if (!this.#isAuthenticated && ++this.#idle > maxIdleBefore)
      throw new SshError('protocolError', 'There is too much that asks for nothing')
  }

  #onKexInit(keys: KeyExchange, payload: Buffer): void {
    if (!this.#isAuthenticated && ++this.#exchanges > maxExchangesBefore)
      throw new SshError('protocolError', 'Keys are exchanged too often')
    this.#armTimer()
    keys.onKexInit(payload)
  }

  #onNewKeys(keys: KeyExchange): void {
    const isFirst = keys.isFirst
    keys.onNewKeys()
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#keysSince = performance.now()
    if (!isFirst) return
    this.#extInfo = 'first'
    this.#readySettles.resolve()
  }

  #onExtInfo(payload: Buffer, state: 'first' | 'beforeSuccess' | 'told' | 'never'): void {
    const isSecond = state === 'beforeSuccess' && this.#options.role === 'client'
    if (state !== 'first' && !isSecond) throw outOfTurn()
    for (const [name, value] of readExtInfo(payload)) this.peer.extensions.set(name, value)
    if (isSecond) this.#extInfo = 'told'
  }

  #onAuthenticated(): void {
    this.#isAuthenticated = true
    this.#extInfo = 'never'
    this.#reader.maxBytes = maxPacketBytesAfter
  }

  #write(parts: readonly Buffer[]): void {
    let bytes = 0
    for (const part of parts) bytes += part.length
    this.#writer.write(parts, bytes)
    if (parts[0]?.[0] === message.userauthSuccess) this.#onAuthenticated()
  }

  /** Our new keys are in use: what waited for them goes. */
  #onSendingKeys(): void {
    const { extensions = new Map<string, string>() } = this.#options
    if (this.#keys?.isFirst === true && this.#keys.isExtInfoWanted)
      this.#write([writeExtInfo(new Map([...extensions, [pingExtension, '0']]))])
    const queue = this.#queue
    this.#queue = []
    this.#queuedBytes = 0
    for (const parts of queue) this.#write(parts)
    if (this.#farewell) this.#end(this.#farewell.reason, this.#farewell.text, undefined)
    else this.#drain()
  }

  /** The stream has room: what waited for it is sealed in turn. */
  #onRoom(): void {
    const share = this.#sending
    if (share.isWaiting) return
    if (!share.begin()) {
      share.wait()
      return
    }
    try {
      this.#drain()
    } finally {
      share.end()
    }
  }

  #drain(): void {
    if (this.isWritable) this.onDrain()
  }

  #isRekeyDue(): boolean {
    const { rekeyBytes = defaultRekeyBytes, rekeyMs = defaultRekeyMs } = this.#options
    if (!this.#isAuthenticated || this.#keys?.isIdle !== true) return false
    const { packets: written, bytes: bytesWritten } = this.#writer.sinceKeys
    const { packets: read, bytes: bytesRead } = this.#reader.sinceKeys
    return (
      bytesWritten >= rekeyBytes ||
      bytesRead >= rekeyBytes ||
      written >= rekeyPackets ||
      read >= rekeyPackets ||
      performance.now() - this.#keysSince >= rekeyMs
    )
  }

  async #exchangeKeys(): Promise<void> {
    if (!this.#keys || this.#isClosed) return
    this.#armTimer()
    await this.#keys.start()
  }

  #armTimer(): void {
    const { exchangeMs } = this.#options
    if (exchangeMs === undefined || this.#timer) return
    this.#timer = setTimeout(
      () => this.#fail(new SshError('keyExchangeFailed', 'The exchange of keys took too long')),
      exchangeMs,
    )
  }

  #onEnd(): void {
    if (this.#identReader.hasOtherLines) {
      this.destroy(new SshError('versionNotSupported', 'The peer does not speak SSH 2.0'))
      return
    }
    const isOrderly =
      this.#keys && !this.#keys.isFirst && !this.#intake.isHeld && this.#reader.isBetweenPackets
    this.destroy(isOrderly ? undefined : new SshError('connectionLost', 'The connection was lost'))
  }

  #fail(error: unknown): void {
    const known =
      error instanceof SshError
        ? error
        : new SshError('byApplication', 'Something went wrong here', { cause: error })
    this.#end(known.reason, known.message, known)
  }

  #end(reason: DisconnectReason, text: string, error: SshError | undefined): void {
    if (this.#isClosed) return
    if (this.#keys) this.#write([writeDisconnect(reason, text)])
    this.#output.flush()
    this.#close(error)
    // Closed at once, what the peer is sending would make it fail before it reads why.
    this.#stream.end()
    this.#stream.resume()
    setTimeout(() => this.#stream.destroy(), lingerMs).unref()
  }

  #close(error: SshError | undefined): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#queue = []
    this.#intake.end()
    this.#readySettles.reject(error ?? new SshError('connectionLost', 'The connection ended'))
    this.#closedSettles.resolve(error)
  }
}

function outOfTurn(): SshError {
  return new SshError('protocolError', 'A message came when it was not its turn')
}
