import { SshError } from '../wire/errors.ts'
import { message } from '../wire/messages.ts'
import type { PacketStream } from '../wire/packet-stream.ts'
import { printable } from '../wire/printable.ts'
import { Reader } from '../wire/reader.ts'
import { Writer } from '../wire/writer.ts'
import type { Channel, ChannelEnds, ChannelLink } from './channel.ts'
import { ChannelError, openFailureOf, openFailures, type OpenFailure } from './errors.ts'

/** How a channel is made of what both sides said about it. */
export type MakeChannel<Kind extends Channel> = (link: ChannelLink, ends: ChannelEnds) => Kind

export interface ChannelsOptions {
  /** Bytes a peer may send on a channel before they are read. */
  windowBytes: number
  /** Bytes of data in one message of the peer, at most. */
  packetBytes: number
  /** Channels at one time, with those that are being opened or closed. */
  maxChannels: number
  /** How long the peer may take to answer, and the application to say whether a channel is opened. */
  replyMs: number
  /** The peer wants a channel; without it, it gets none. */
  onOpen?: (opening: Opening) => void
  /** A global request of the peer; false where it is not granted. */
  onRequest?: (name: string, body: Reader) => boolean
}

/** A channel the peer wants to open: `accept` or `refuse` is to be called, now or later; only the first counts. */
export interface Opening {
  readonly type: string
  /** What comes behind the part that all types have in common; to be read before the call returns. */
  readonly body: Reader
  /** The channel, with this window at first; one that is closed already when it took too long, or the connection is gone. */
  accept<Kind extends Channel>(make: MakeChannel<Kind>, windowBytes?: number): Kind
  /** `text`: a sentence for the person, in ASCII if it is for OpenSSH, which shows others with escapes. */
  refuse(reason: OpenFailure, text: string): void
}

interface OpeningOut {
  confirmed(peer: ChannelEnds['peer']): Channel
  refused(error: ChannelError): void
}

/** Enough to be dealt with while more is asked for. */
const leastFairBytes = 256 * 1024
/** By that it grows with each message of data. */
const growBytes = 16 * 1024

/** Of a peer that asks on and on while it does not read what it is told. */
const maxUnreadAnswers = 1000
const maxTextChars = 2000
/** Closed channels of which answers may still come, at most: there is no word that none does. */
const maxOwing = 1000

/** All channels of one connection, and its global requests (RFC 4254). */
export class Channels implements ChannelLink {
  readonly packets: PacketStream
  readonly replyMs: number
  readonly #options: ChannelsOptions
  readonly #channels = new Map<number, Channel>()
  readonly #opening = new Map<number, OpeningOut>()
  /** Answers that may still come, by the channel that was closed before them. */
  readonly #owed = new Map<number, number>()
  readonly #asked: ((isGranted: boolean) => void)[] = []
  #openingIn = 0
  #nextId = 0
  #unreadAnswers = 0
  #waiting: (() => void)[] = []
  #fairBytes = Number.POSITIVE_INFINITY
  #end: { error: SshError | undefined } | undefined

  constructor(packets: PacketStream, options: ChannelsOptions) {
    this.packets = packets
    this.replyMs = options.replyMs
    this.#options = options
    packets.onDrain = () => this.#drain()
  }

  /** Channels, with those that are being opened or closed. */
  get count(): number {
    return this.#channels.size + this.#opening.size + this.#openingIn
  }

  /**
   * What waits of one channel stands before what comes on the others. Where it waits because it is dealt with more slowly than it comes, less
   * may be on its way, and slowly more again: on a long way nothing waits, and all of a window is needed to keep it full.
   */
  get fairWindowBytes(): number {
    if (this.#channels.size < 2) return Number.POSITIVE_INFINITY
    this.#fairBytes = this.packets.isBehind ? leastFairBytes : this.#fairBytes + growBytes
    return this.#fairBytes
  }

  /** Rejects with a `ChannelError` when the peer refuses or does not answer in time, or the connection is gone. */
  async open<Kind extends Channel>(
    type: string,
    make: MakeChannel<Kind>,
    write?: (body: Writer) => void,
  ): Promise<Kind> {
    if (this.#end) throw new ChannelError('The connection is gone')
    if (this.count >= this.#options.maxChannels) throw new ChannelError('There are too many channels')
    const id = this.#newId()
    const { windowBytes, packetBytes } = this.#options
    const { promise, resolve, reject } = Promise.withResolvers<Kind>()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reject(new ChannelError(`The peer does not answer to the opening of a channel (${type})`))
    }, this.replyMs)
    this.#opening.set(id, {
      confirmed: (peer) => {
        clearTimeout(timer)
        const channel = make(this, { id, windowBytes, packetBytes, peer })
        if (isLate) queueMicrotask(() => channel.destroy())
        resolve(channel)
        return channel
      },
      refused: (error) => {
        clearTimeout(timer)
        reject(error)
      },
    })
    const body = new Writer().byte(message.channelOpen).string(type)
    body.uint32(id).uint32(windowBytes).uint32(packetBytes)
    write?.(body)
    this.packets.send(body.finish())
    return await promise
  }

  /** A global request; resolves with whether the peer granted it. False too when the connection is gone. */
  async ask(name: string): Promise<boolean> {
    if (this.#end) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#asked.push(resolve)
    this.packets.send(new Writer().byte(message.globalRequest).string(name).boolean(true).finish())
    return await promise
  }

  /** Everything from 80 on. Throws an `SshError` for what may not come now, and for numbers it does not know. */
  take(payload: Buffer): void | Promise<void> {
    const number = payload[0] ?? 0
    if (number === message.channelData) this.#takeData(payload)
    else this.#takeOther(number, new Reader(payload, 1))
    if (this.#unreadAnswers > maxUnreadAnswers) {
      return new Promise((resolve) => this.whenRoom(resolve))
    }
  }

  /** The connection is gone. */
  close(error: SshError | undefined): void {
    this.#end = { error }
    const lost = new ChannelError('The connection is gone')
    for (const opening of this.#opening.values()) opening.refused(lost)
    this.#opening.clear()
    for (const resolve of this.#asked.splice(0)) resolve(false)
    for (const channel of this.#channels.values()) channel.lost(error)
    this.#channels.clear()
    for (const resume of this.#waiting.splice(0)) resume()
  }

  whenRoom(resume: () => void): void {
    if (this.#end) queueMicrotask(resume)
    else this.#waiting.push(resume)
  }

  answer(payload: Buffer): void {
    if (this.packets.isWritable) this.#unreadAnswers = 0
    else this.#unreadAnswers++
    this.packets.send(payload)
  }

  forget(channel: Channel, unanswered: number): void {
    this.#channels.delete(channel.id)
    if (unanswered === 0) return
    this.#owed.set(channel.id, unanswered)
    if (this.#owed.size > maxOwing) this.#owed.delete(this.#owed.keys().next().value ?? 0)
  }

  /** Whether this is an answer that was owed when its channel was closed. */
  #takesOwed(id: number): boolean {
    const left = this.#owed.get(id)
    if (left === undefined) return false
    if (left > 1) this.#owed.set(id, left - 1)
    else this.#owed.delete(id)
    return true
  }

  #drain(): void {
    this.#unreadAnswers = 0
    // Whoever fills it goes to the end of the row.
    const waiting = this.#waiting
    this.#waiting = []
    let served = 0
    while (served < waiting.length && this.packets.isWritable) waiting[served++]?.()
    this.#waiting = [...waiting.slice(served), ...this.#waiting]
  }

  #takeData(payload: Buffer): void {
    if (payload.length < 9 || payload.readUInt32BE(5) !== payload.length - 9) {
      throw new SshError('protocolError', 'A message of data has another length than it says')
    }
    this.#find(payload.readUInt32BE(1)).takeData(payload.subarray(9))
  }

  #takeOther(number: number, body: Reader): void {
    switch (number) {
      case message.globalRequest:
        this.#takeGlobalRequest(body)
        break
      case message.requestSuccess:
      case message.requestFailure:
        this.#takeGlobalReply(number === message.requestSuccess)
        break
      case message.channelOpen:
        this.#takeOpen(body)
        break
      case message.channelOpenConfirmation:
        this.#takeConfirmation(body)
        break
      case message.channelOpenFailure:
        this.#takeOpenFailure(body)
        break
      default:
        this.#takeOfChannel(number, body)
    }
  }

  #takeOfChannel(number: number, body: Reader): void {
    if (number < message.channelWindowAdjust || number > message.channelFailure) {
      throw new SshError('protocolError', 'A message nobody knows')
    }
    const id = body.uint32()
    const isReply = number === message.channelSuccess || number === message.channelFailure
    if (isReply && !this.#channels.has(id) && this.#takesOwed(id)) {
      body.end()
      return
    }
    const channel = this.#find(id)
    if (number === message.channelRequest) {
      channel.takeRequest(body)
      return
    }
    if (number === message.channelWindowAdjust) channel.takeWindowAdjust(body.uint32())
    else if (number === message.channelExtendedData) channel.takeExtendedData(body.uint32(), rest(body))
    else if (number === message.channelEof) channel.takeEof()
    else if (number === message.channelClose) channel.takeClose()
    else channel.takeReply(number === message.channelSuccess)
    body.end()
  }

  #takeOpen(body: Reader): void {
    const type = body.name()
    const peer = { id: body.uint32(), windowBytes: body.uint32(), packetBytes: body.uint32() }
    if (peer.packetBytes === 0) throw new SshError('protocolError', 'A channel nothing can be sent on')
    const { onOpen, maxChannels, packetBytes } = this.#options
    const refuse = (reason: OpenFailure, text: string) => {
      const failure = new Writer(64 + text.length).byte(message.channelOpenFailure).uint32(peer.id)
      this.answer(failure.uint32(openFailures[reason]).string(text).string('').finish())
    }
    if (!onOpen) {
      refuse('administrativelyProhibited', 'Not offered')
      return
    }
    if (this.count >= maxChannels) {
      refuse('resourceShortage', 'Too many channels on one connection')
      return
    }
    this.#openingIn++
    let isSettled = false
    /** True the first time. */
    const settle = () => {
      if (isSettled) return false
      clearTimeout(timer)
      isSettled = true
      this.#openingIn--
      return !this.#end
    }
    const timer = setTimeout(() => {
      if (settle()) refuse('connectFailed', 'It took too long')
    }, this.replyMs)
    onOpen({
      type,
      body,
      accept: (make, windowBytes = this.#options.windowBytes) => {
        const isInTime = settle()
        const channel = make(this, { id: this.#newId(), windowBytes, packetBytes, peer })
        if (isInTime) {
          this.#channels.set(channel.id, channel)
          const confirmation = new Writer(17).byte(message.channelOpenConfirmation).uint32(peer.id)
          this.answer(confirmation.uint32(channel.id).uint32(windowBytes).uint32(packetBytes).finish())
        } else channel.lost(this.#end?.error)
        return channel
      },
      refuse: (reason, text) => {
        if (settle()) refuse(reason, text)
      },
    })
  }

  #takeConfirmation(body: Reader): void {
    const opening = this.#takeOpening(body.uint32())
    const peer = { id: body.uint32(), windowBytes: body.uint32(), packetBytes: body.uint32() }
    if (peer.packetBytes === 0) throw new SshError('protocolError', 'A channel nothing can be sent on')
    const channel = opening.confirmed(peer)
    this.#channels.set(channel.id, channel)
  }

  #takeOpenFailure(body: Reader): void {
    const opening = this.#takeOpening(body.uint32())
    const reason = openFailureOf(body.uint32())
    // Some old servers leave the texts out.
    const said = body.left > 0 ? printable(body.string(32_768), maxTextChars) : ''
    opening.refused(new ChannelError('The peer refused a channel', { reason, said }))
  }

  #takeOpening(id: number): OpeningOut {
    const opening = this.#opening.get(id)
    if (!opening) throw new SshError('protocolError', 'An answer to the opening of a channel nobody opens')
    this.#opening.delete(id)
    return opening
  }

  #takeGlobalRequest(body: Reader): void {
    const name = body.name()
    const wantsReply = body.boolean()
    const isGranted = this.#options.onRequest?.(name, body) ?? false
    if (wantsReply) {
      this.answer(Buffer.from([isGranted ? message.requestSuccess : message.requestFailure]))
    }
  }

  #takeGlobalReply(isGranted: boolean): void {
    const settle = this.#asked.shift()
    if (!settle) throw new SshError('protocolError', 'An answer to a request nobody made')
    settle(isGranted)
  }

  #find(id: number): Channel {
    const channel = this.#channels.get(id)
    if (!channel) throw new SshError('protocolError', 'A message for a channel that is not there')
    return channel
  }

  #newId(): number {
    while (this.#isTaken(this.#nextId)) this.#advance()
    const id = this.#nextId
    this.#advance()
    return id
  }

  #isTaken(id: number): boolean {
    return this.#channels.has(id) || this.#opening.has(id) || this.#owed.has(id)
  }

  #advance(): void {
    this.#nextId = (this.#nextId + 1) % 2 ** 32
  }
}

function rest(body: Reader): Buffer {
  const bytes = body.string(body.left)
  return bytes
}
