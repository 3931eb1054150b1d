import { Duplex } from 'node:stream'
import { SshError } from '../wire/errors.ts'
import { message } from '../wire/messages.ts'
import type { Reader } from '../wire/reader.ts'
import { Writer } from '../wire/writer.ts'
import { ChannelError } from './errors.ts'
import { Inlet } from './inlet.ts'
import { Outlet, type Room, type SendWindow } from './outlet.ts'

const maxWindow = 0xffffffff
/** RFC 4253, 6.1 promises packets of this size to work; no more is sent in one whatever the peer allows. */
const maxSentBytes = 32_768

/** Of one stream that nobody reads, before small pieces are put together. */
export const unstagedBytes = 4096

/** What a channel needs of the connection it is on. */
export interface ChannelLink extends Room {
  /** How long the peer may take to answer a request. */
  readonly replyMs: number
  /** Sends what the peer asked for; who asks without end and does not read is not listened to. */
  answer(payload: Buffer): void
  /** So much may be on its way on one channel now. */
  readonly fairWindowBytes: number
  /** Both sides have closed it; so many requests the peer may still answer. */
  forget(channel: Channel, unanswered: number): void
}

export interface ChannelEnds {
  /** What the peer calls it by. */
  id: number
  /** Bytes it may still send. */
  windowBytes: number
  /** Bytes of data in one message, at most. */
  packetBytes: number
  peer: { id: number; windowBytes: number; packetBytes: number }
}

/** What a granted request leads to, once the peer has been told that it is granted. */
export type AfterAnswer = () => void

interface PendingRequest {
  settle(isGranted: boolean): void
}

/**
 * A channel (RFC 4254, 5) as a stream. `end()` tells the peer that no more comes, which can still send; `destroy()` closes both ways.
 * A write is done when the connection has room for more; once the peer has closed, what is written goes nowhere. The window opens again
 * for what was read, never for what waits to be read. What the peer or the network does is never an `error`: see `gone`.
 *
 * Emits `eow` when the peer reads no more of what is written (eow@openssh.com); extended data it still reads.
 */
export class Channel extends Duplex {
  readonly id: number
  /** Settles when the peer has closed it, or the connection is gone, then with what was wrong with that; what came before may still be read. */
  readonly gone: Promise<SshError | undefined>
  readonly #link: ChannelLink
  readonly #peerId: number
  #windowBytes: number
  readonly #packetBytes: number
  readonly #leave: (error?: SshError) => void
  readonly #requests: PendingRequest[] = []
  readonly #outlets: Outlet[] = []
  readonly #data: Outlet
  readonly #inlet = new Inlet(this)
  readonly #sendWindow: SendWindow
  /** What the peer may still send. */
  #window: number
  #isEofReceived = false
  #isPeerDone = false
  /** The peer has closed it, and nothing more is to be said to it; or the connection is gone. */
  #isCloseReceived = false
  #isCloseSent = false
  /** Since something was asked for, data or an end came of it. */
  #isRunning = false

  constructor(link: ChannelLink, { id, windowBytes, packetBytes, peer }: ChannelEnds) {
    super({ autoDestroy: false, readableHighWaterMark: unstagedBytes })
    this.id = id
    this.#link = link
    this.#peerId = peer.id
    this.#window = windowBytes
    this.#windowBytes = windowBytes
    this.#packetBytes = packetBytes
    const sendBytes = Math.min(peer.packetBytes, maxSentBytes)
    this.#sendWindow = { bytes: peer.windowBytes, packetBytes: sendBytes, isShut: false }
    const { promise, resolve } = Promise.withResolvers<SshError | undefined>()
    this.gone = promise
    this.#leave = resolve
    this.#data = this.outlet(message.channelData)
    this.once('end', () => this.#settle())
    this.once('finish', () => this.#settle())
  }

  /** Whether anything can still be said to the peer. */
  get isOpen(): boolean {
    return !this.#isCloseSent && !this.#isCloseReceived
  }

  /** Tells the peer that nothing more is read of what it sends, so that it need not go on. */
  sendEow(): void {
    this.tell('eow@openssh.com')
  }

  override read(size?: number): unknown {
    const chunk: unknown = super.read(size)
    if (chunk !== null) this.grant()
    return chunk
  }

  override _read(): void {
    this.#inlet.flush()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#data.write(chunk, done)
  }

  override _final(done: () => void): void {
    this.beforeEof(() => {
      if (this.isOpen) this.#sendToPeer(message.channelEof)
      done()
    })
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#close()
    if (this.#isPeerDone && !this.#isCloseReceived) this.#closedByPeer()
    this.onDestroy()
    done(error)
  }

  /** Bytes that came and wait to be read. */
  protected get unreadBytes(): number {
    return this.#inlet.unreadBytes
  }

  /** Whether both directions at their end are the end of the channel; otherwise the peer closes it. */
  protected get endsItself(): boolean {
    return true
  }

  /** Whether there is something to say to a peer that has closed it, both directions being at their end: until then it stays open. */
  protected get outlivesPeer(): boolean {
    return false
  }

  /** What is to be sent before the end of the data. */
  protected beforeEof(done: () => void): void {
    done()
  }

  protected onDestroy(): void {}

  /** A way to send data in messages with this number, and this type of extended data. */
  protected outlet(number: number, type?: number): Outlet {
    const header = new Writer(13).byte(number).uint32(this.#peerId)
    if (type !== undefined) header.uint32(type)
    const outlet = new Outlet(header.uint32(0).finish(), this.#link, this.#sendWindow)
    this.#outlets.push(outlet)
    return outlet
  }

  /** Lets the peer send as much as has been read, when that is worth a message. */
  protected grant(): void {
    const windowBytes = Math.min(this.#windowBytes, this.#link.fairWindowBytes)
    const bytes = windowBytes - this.#window - this.unreadBytes
    if (bytes * 4 < windowBytes || bytes <= 0) return
    if (!this.isOpen || this.#isEofReceived) return
    this.#window += bytes
    this.#link.packets.send(
      new Writer(9).byte(message.channelWindowAdjust).uint32(this.#peerId).uint32(bytes).finish(),
    )
  }

  /** Lets the peer send so much before it is read, from now on. */
  protected widen(windowBytes: number): void {
    this.#windowBytes = windowBytes
    this.grant()
  }

  /** A request without an answer. */
  protected tell(name: string, write?: (body: Writer) => void): void {
    if (this.isOpen) this.#sendRequest(name, false, write)
  }

  /** Settles when the peer has granted it; rejects with a `ChannelError` when not, in time. */
  protected async ask(name: string, write?: (body: Writer) => void): Promise<void> {
    if (!this.isOpen) throw new ChannelError(`The channel is closed: no ${name}`)
    this.#sendRequest(name, true, write)
    this.#isRunning = false
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      this.destroy()
      reject(new ChannelError(`The peer does not answer to ${name}`))
    }, this.#link.replyMs)
    this.#requests.push({
      settle(isGranted) {
        clearTimeout(timer)
        if (isGranted) resolve()
        else reject(new ChannelError(`The peer refused ${name}`))
      },
    })
    await promise
  }

  /** A request of the peer; false where it is not granted. `body`: what comes behind its name. */
  protected onRequest(_name: string, _body: Reader): boolean | AfterAnswer {
    return false
  }

  /** Extended data: where nobody can read it, it is as good as read. */
  protected onExtendedData(_type: number, _bytes: Buffer): void {}

  /** No more comes from the peer. */
  protected onEof(): void {
    this.#inlet.end()
  }

  /** From here on for the connection: what it was sent for this channel. Throws an `SshError` when the peer may not send that now. */
  takeData(bytes: Buffer): void {
    if (this.#takesBytes(bytes.length)) this.#inlet.take(bytes)
    this.grant()
  }

  takeExtendedData(type: number, bytes: Buffer): void {
    if (this.#takesBytes(bytes.length)) this.onExtendedData(type, bytes)
    this.grant()
  }

  takeWindowAdjust(bytes: number): void {
    if (bytes > maxWindow - this.#sendWindow.bytes) {
      throw new SshError('protocolError', 'A window is too large')
    }
    this.#sendWindow.bytes += bytes
    for (const outlet of this.#outlets) outlet.resume()
  }

  takeEof(): void {
    if (this.#isEofReceived) throw new SshError('protocolError', 'A channel ended twice')
    this.#isEofReceived = true
    this.onEof()
  }

  takeClose(): void {
    if (this.#isPeerDone) throw new SshError('protocolError', 'A channel was closed twice')
    this.#isPeerDone = true
    const isBehindBothEnds = this.#isEofReceived && this.writableFinished && !this.#isCloseSent
    if (!isBehindBothEnds || !this.outlivesPeer) this.#closedByPeer()
  }

  takeRequest(body: Reader): void {
    const name = body.name()
    const wantsReply = body.boolean()
    let granted: boolean | AfterAnswer = false
    if (name === 'eow@openssh.com') {
      this.#data.shut()
      this.emit('eow')
    } else if (this.isOpen) granted = this.onRequest(name, body)
    if (granted !== false) this.#isRunning = true
    if (wantsReply && this.isOpen) {
      const number = granted === false ? message.channelFailure : message.channelSuccess
      this.#link.answer(new Writer(5).byte(number).uint32(this.#peerId).finish())
    }
    if (typeof granted === 'function') granted()
  }

  takeReply(isGranted: boolean): void {
    const request = this.#requests.shift()
    if (!request) throw new SshError('protocolError', 'An answer to a request nobody made')
    request.settle(isGranted)
  }

  /** The connection is gone. That is wrong where the peer might have sent more, also when it went in order. */
  lost(error: SshError | undefined): void {
    this.#isCloseSent = true
    const isCutOff = !this.#isEofReceived && !this.#isPeerDone
    this.#end(error ?? (isCutOff ? new SshError('connectionLost', 'The connection ended') : undefined))
  }

  #closedByPeer(): void {
    this.#link.forget(this, this.#requests.length)
    // Some servers say what came of a program before they say that it runs.
    this.#answerAll(this.#isRunning)
    this.#end(undefined)
  }

  #end(error: SshError | undefined): void {
    this.#close()
    this.#isCloseReceived = true
    this.#answerAll(false)
    if (!this.#isEofReceived) {
      this.#isEofReceived = true
      this.onEof()
    }
    this.#leave(error)
    this.#settle()
  }

  #answerAll(isGranted: boolean): void {
    for (const request of this.#requests.splice(0)) request.settle(isGranted)
  }

  #close(): void {
    if (!this.#isCloseSent) {
      this.#isCloseSent = true
      this.#sendToPeer(message.channelClose)
    }
    this.#stopSending()
  }

  #stopSending(): void {
    this.#sendWindow.isShut = true
    for (const outlet of this.#outlets) outlet.resume()
  }

  /** Everything has come and gone. */
  #settle(): void {
    if (!this.readableEnded) return
    if (this.#isCloseReceived || (this.endsItself && this.writableFinished)) this.destroy()
  }

  /** Counts what came; whether somebody is there to read it. */
  #takesBytes(count: number): boolean {
    if (this.#isEofReceived) throw new SshError('protocolError', 'There is data behind the end of a channel')
    if (count > this.#packetBytes || count > this.#window) {
      throw new SshError('protocolError', 'There is more data than was allowed')
    }
    this.#window -= count
    this.#isRunning = true
    return !this.#isCloseSent
  }

  #sendRequest(name: string, wantsReply: boolean, write?: (body: Writer) => void): void {
    const body = new Writer().byte(message.channelRequest).uint32(this.#peerId).string(name)
    body.boolean(wantsReply)
    write?.(body)
    this.#link.packets.send(body.finish())
  }

  #sendToPeer(number: number): void {
    this.#link.packets.send(new Writer(5).byte(number).uint32(this.#peerId).finish())
  }
}
