/**
 * The one place that knows the inside of ssh2 (1.17.0, pinned). Everybody else imports ssh2 from here. Mended:
 * - Channel writes: after a block on the window the library keeps the chunk it already sent and may send it again when standard error
 *   blocks later; a write to a channel that is closing never calls back; a window of 4 GiB lets the peer fill our memory. Here each
 *   direction has its own pending chunk, and a write is done only when the socket has room.
 * - Channel reads: a peer that ignores its window is cut off, and draining standard error no longer reopens the window for a standard
 *   output that nobody reads.
 */
import { createRequire } from 'node:module'
import type { Duplex, Readable, Writable } from 'node:stream'
import './ssh2-gcm.ts'
import ssh2 from 'ssh2'

const require = createRequire(import.meta.url)

export type Done = (error?: Error | null) => void

interface Protocol {
  /** Gone after the connection ended: nothing may be sent any more. */
  _destruct?: unknown
  /** Packets held back while keys are exchanged. */
  _queue?: unknown[]
  _handlers: Record<string, (...args: unknown[]) => void>
  /** Set while keys are exchanged. */
  _kexinit?: unknown
  _cipher: { encrypt(packet: Buffer): void }
  _packetRW: {
    write: { allocStart: number; alloc(length: number): Buffer; finalize(packet: Buffer): Buffer }
  }
  channelOpenFail(id: number, reason: number, description: string): void
  channelData(id: number, data: Buffer): void
  channelExtData(id: number, data: Buffer, type: number): void
  channelWindowAdjust(id: number, amount: number): void
}

interface Connection extends NodeJS.EventEmitter {
  _sock: Duplex
  _protocol: Protocol
  _chanMgr: { get(id: number): ChannelHolder | undefined }
}

interface Flow {
  id: number
  window: number
  packetSize: number
  state: 'open' | 'eof' | 'closing' | 'closed'
}

interface ChannelHolder {
  incoming?: Flow
  _chanInfo?: { incoming: Flow }
}

interface Channel extends Duplex {
  _client: Connection
  incoming: Flow
  outgoing: Flow
  stderr: (Readable | Writable) & { _channel: Channel }
  /** The library calls `_chunkcb` when the window opens while `_waitWindow` is set. */
  _waitWindow: boolean
  _chunk: undefined
  _chunkcb?: () => void
  _waitChanDrain: boolean
}

const {
  Channel,
  MAX_WINDOW,
  WINDOW_THRESHOLD,
}: {
  Channel: { prototype: Channel }
  MAX_WINDOW: number
  WINDOW_THRESHOLD: number
} = require('ssh2/lib/Channel.js')

export const { Client: SshClient, Server: SshServer, utils } = ssh2

const STDERR = 1

interface Pending {
  data: Buffer
  done: Done
}

interface Outbox {
  out?: Pending
  error?: Pending
}

const outboxes = new WeakMap<Channel, Outbox>()
const waiting = new WeakMap<Connection, Set<() => void>>()

/** Calls back when the connection can take more, or is gone. */
function whenRoom(connection: Connection, callback: () => void): void {
  const known = waiting.get(connection)
  if (known) {
    known.add(callback)
    return
  }
  const callbacks = new Set([callback])
  waiting.set(connection, callbacks)
  const flush = () => {
    if (isBlocked(connection)) return
    connection._sock.off('drain', flush)
    connection._sock.off('close', flush)
    connection.off('handshake', flush)
    waiting.delete(connection)
    for (const callback of callbacks) callback()
  }
  connection._sock.on('drain', flush)
  connection._sock.on('close', flush)
  connection.on('handshake', flush)
}

function isBlocked({ _sock, _protocol }: Connection): boolean {
  if (_sock.destroyed || !_protocol._destruct) return false
  return _sock.writableNeedDrain || _protocol._queue !== undefined
}

function send(channel: Channel, kind: keyof Outbox, { data, done }: Pending): void {
  const { outgoing, _client: connection } = channel
  const protocol = connection._protocol
  let position = 0
  while (position < data.length && outgoing.window > 0) {
    // The close event tells everybody; what is left has no reader any more.
    if (outgoing.state !== 'open' || !protocol._destruct) break
    if (isBlocked(connection)) {
      const rest = data.subarray(position)
      whenRoom(connection, () => send(channel, kind, { data: rest, done }))
      return
    }
    const length = Math.min(data.length - position, outgoing.window, outgoing.packetSize)
    const part = length === data.length ? data : data.subarray(position, position + length)
    outgoing.window -= length
    position += length
    if (kind === 'out') protocol.channelData(outgoing.id, part)
    else protocol.channelExtData(outgoing.id, part, STDERR)
  }
  if (position < data.length && outgoing.state === 'open' && protocol._destruct && !isClosed(channel)) {
    const outbox = outboxes.get(channel) ?? {}
    outbox[kind] = { data: data.subarray(position), done }
    outboxes.set(channel, outbox)
    channel._chunkcb = () => resume(channel)
    channel._waitWindow = true
    return
  }
  if (isBlocked(connection)) whenRoom(connection, done)
  else done()
}

function isClosed({ incoming }: Channel): boolean {
  return incoming.state === 'closed'
}

function resume(channel: Channel): void {
  const outbox = outboxes.get(channel)
  if (!outbox) return
  outboxes.delete(channel)
  if (outbox.out) send(channel, 'out', outbox.out)
  if (outbox.error) send(channel, 'error', outbox.error)
}

/**
 * Opens the window again once both outputs of the channel are read below their bound. Called by one when it is about to be, so only the
 * other is asked.
 */
function reopenWindow(channel: Channel, other: Readable | Writable): void {
  if (!channel._waitChanDrain || channel.outgoing.state === 'closed' || !channel._client._protocol._destruct)
    return
  if ('readableLength' in other && other.readableLength >= MAX_WINDOW) return
  channel._waitChanDrain = false
  if (channel.incoming.window > WINDOW_THRESHOLD) return
  const amount = MAX_WINDOW - channel.incoming.window
  channel.incoming.window += amount
  channel._client._protocol.channelWindowAdjust(channel.outgoing.id, amount)
}

Channel.prototype._write = function (this: Channel, data: Buffer, _encoding, done) {
  send(this, 'out', { data, done })
}
Channel.prototype._read = function (this: Channel) {
  reopenWindow(this, this.stderr)
}

const mended = new WeakSet<object>()

/** Mends the class of a channel's standard error, which the library doesn't export. */
function mendStderr(stderr: Channel['stderr']): void {
  const prototype: object = Object.getPrototypeOf(stderr)
  if (mended.has(prototype)) return
  mended.add(prototype)
  Object.assign(prototype, {
    _write(this: { _channel: Channel }, data: Buffer, _encoding: string, done: Done) {
      send(this._channel, 'error', { data, done })
    },
    _read(this: { _channel: Channel }) {
      reopenWindow(this._channel, this._channel)
    },
  })
}

/** Call once for each channel, before it is used. */
export function mendChannel<T extends Duplex>(channel: T): T {
  if (isChannel(channel)) {
    mendStderr(channel.stderr)
    channel.once('close', () => resume(channel))
  }
  return channel
}

/** Whether anything can still be sent on the channel: ssh2 throws when its connection is gone. */
export function isOpen(channel: Duplex): boolean {
  if (!isChannel(channel)) return false
  const { state } = channel.outgoing
  return Boolean(channel._client._protocol._destruct) && (state === 'open' || state === 'eof')
}

/**
 * Call once for each connection, client or server: a peer that sends more than its window allows is disconnected instead of filling
 * our memory.
 */
export function enforceWindows(connection: object): void {
  if (!isConnection(connection)) throw new TypeError('Not a connection of ssh2')
  const { _chanMgr: channels, _protocol: protocol, _sock: socket } = connection
  for (const name of ['CHANNEL_DATA', 'CHANNEL_EXTENDED_DATA']) {
    const handle = protocol._handlers[name]
    if (!handle) continue
    protocol._handlers[name] = (...args) => {
      const [, recipient, data] = args
      if (typeof recipient === 'number' && Buffer.isBuffer(data)) {
        const holder = channels.get(recipient)
        const incoming = holder?._chanInfo?.incoming ?? holder?.incoming
        if (incoming && data.length > incoming.window) {
          socket.destroy(new Error('The peer sends more than it was allowed to'))
          return
        }
      }
      handle(...args)
    }
  }
}

const USERAUTH_BANNER = 53

/** A line for the person in front of an SSH client that has not logged in yet (RFC 4252, 5.4); the library sends one only at the start. */
export function sendBanner(connection: object, line: string): void {
  if (!isConnection(connection)) throw new TypeError('Not a connection of ssh2')
  const { _protocol: protocol } = connection
  if (!protocol._destruct || protocol._kexinit !== undefined) return
  const text = Buffer.from(`${line}\r\n`)
  const { write } = protocol._packetRW
  const packet = write.alloc(1 + 4 + text.length + 4)
  let position = packet.writeUInt8(USERAUTH_BANNER, write.allocStart)
  position = packet.writeUInt32BE(text.length, position)
  text.copy(packet, position)
  packet.writeUInt32BE(0, position + text.length)
  protocol._cipher.encrypt(write.finalize(packet))
}

const ADMINISTRATIVELY_PROHIBITED = 1

/** `sentence` gets the type of each channel a client wants to open; what it returns is why not. The library would refuse without a word. */
export function refuseChannels(connection: object, sentence: (type: unknown) => string | undefined): void {
  if (!isConnection(connection)) throw new TypeError('Not a connection of ssh2')
  const { _handlers: handlers } = connection._protocol
  const handle = handlers.CHANNEL_OPEN
  if (!handle) throw new TypeError('ssh2 has changed')
  handlers.CHANNEL_OPEN = (...args) => {
    const [, info] = args
    const refusal = isObject(info) ? sentence(info.type) : undefined
    if (isObject(info) && refusal !== undefined && typeof info.sender === 'number') {
      connection._protocol.channelOpenFail(info.sender, ADMINISTRATIVELY_PROHIBITED, refusal)
    } else handle(...args)
  }
}

/** The socket a connection was made with. */
export function socketOf(connection: object): Duplex {
  if (!isConnection(connection)) throw new TypeError('Not a connection of ssh2')
  return connection._sock
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isChannel(object: object): object is Channel {
  return 'stderr' in object && 'outgoing' in object && '_client' in object
}

function isConnection(object: object): object is Connection {
  return '_sock' in object && '_protocol' in object && '_chanMgr' in object
}
