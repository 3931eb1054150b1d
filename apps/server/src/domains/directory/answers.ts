/**
 * What the directory says, message by message: nothing is handed on but whole messages of LDAP (RFC 4511) in which every length fits. The
 * library behind it takes lengths as they are told, and over wrong ones it neither comes to an end nor stops to take memory.
 */
import type net from 'node:net'
import { Duplex } from 'node:stream'

const mostInMessage = 4 << 20
/** What is made of an element takes many times the bytes of a small one: so many bytes that may be read allow for one. */
const bytesPerElement = 32

const tags = { boolean: 0x01, integer: 0x02, octets: 0x04, enumerated: 0x0a, sequence: 0x30, set: 0x31 }
const kinds = { bound: 0x61, entry: 0x64, done: 0x65, reference: 0x73, extended: 0x78 }
const referral = 0xa3
/** Of SASL, and of extended answers. */
const additions = [0x87, 0x8a, 0x8b]
const controls = 0xa0
/** The one control with a list in it that the library would read, although nobody here asks for it. */
const sorting = Buffer.from('1.2.840.113556.1.4.473')
const mostInteger = 4

class NoMessage extends Error {
  override name = 'NoMessage'
}

/** Where the inside of an element begins and ends. @returns undefined where its head has not come yet */
function insideOf(bytes: Buffer, at: number): { begin: number; end: number } | undefined {
  const first = bytes[at + 1]
  if (first === undefined) return undefined
  if (first < 0x80) return { begin: at + 2, end: at + 2 + first }
  const more = first & 0x7f
  if (more < 1 || more > 4) throw new NoMessage('a length that is none')
  const begin = at + 2 + more
  return begin > bytes.length ? undefined : { begin, end: begin + bytes.readUIntBE(at + 2, more) }
}

interface Allowance {
  elements: number
}

/** Elements one after the other, up to an end that none reaches over. */
class Elements {
  readonly #bytes: Buffer
  readonly #end: number
  readonly #left: Allowance
  #at: number

  constructor(bytes: Buffer, left: Allowance, begin = 0, end = bytes.length) {
    this.#bytes = bytes
    this.#left = left
    this.#at = begin
    this.#end = end
  }

  get next(): number | undefined {
    return this.#at < this.#end ? this.#bytes[this.#at] : undefined
  }

  /** What is in the next one. */
  take(tag: number | undefined, most = Infinity): Elements {
    const inside = tag === undefined || this.next !== tag ? undefined : insideOf(this.#bytes, this.#at)
    if (inside === undefined || inside.end > this.#end || inside.end - inside.begin > most)
      throw new NoMessage('an element that does not belong here, or does not fit')
    this.#left.elements -= 1
    if (this.#left.elements < 0) throw new NoMessage('too many elements')
    this.#at = inside.end
    return new Elements(this.#bytes, this.#left, inside.begin, inside.end)
  }

  /** Each of the rest, which are all of that kind. */
  each(tag: number, check?: (inside: Elements) => void): void {
    while (this.next !== undefined) {
      const inside = this.take(tag)
      check?.(inside)
    }
  }

  takeIf(tag: number): Elements | undefined {
    return this.next === tag ? this.take(tag) : undefined
  }

  end(): void {
    if (this.next !== undefined) throw new NoMessage('more than belongs here')
  }

  is(text: Buffer): boolean {
    return this.#bytes.subarray(this.#at, this.#end).equals(text)
  }

  get integer(): number {
    return this.#at < this.#end ? this.#bytes.readIntBE(this.#at, this.#end - this.#at) : 0
  }
}

/** A whole message: what it answers, and whether that has its answer with it. */
interface Answer {
  bytes: Buffer
  id: number
  isLast: boolean
}

/** Which request it is, or answers. */
const idOf = (message: Elements) => message.take(tags.integer, mostInteger).integer

/** @throws NoMessage */
function answerIn(bytes: Buffer, left: Allowance): Answer {
  const message = new Elements(bytes, left).take(tags.sequence)
  const id = idOf(message)
  const kind = message.next
  const body = message.take(kind)
  if (kind === kinds.entry) checkEntry(body)
  else if (kind === kinds.reference) body.each(tags.octets)
  else if (kind === kinds.bound || kind === kinds.done || kind === kinds.extended) checkResult(body)
  else throw new NoMessage('an answer to what nobody asked')
  body.end()
  message.takeIf(controls)?.each(tags.sequence, checkControl)
  message.end()
  return { bytes, id, isLast: kind !== kinds.entry && kind !== kinds.reference }
}

function checkEntry(body: Elements): void {
  body.take(tags.octets)
  body.take(tags.sequence).each(tags.sequence, (attribute) => {
    attribute.take(tags.octets)
    attribute.take(tags.set).each(tags.octets)
    attribute.end()
  })
}

function checkResult(body: Elements): void {
  body.take(tags.enumerated, mostInteger)
  body.take(tags.octets)
  body.take(tags.octets)
  body.takeIf(referral)?.each(tags.octets)
  for (const addition of additions) body.takeIf(addition)
}

function checkControl(control: Elements): void {
  if (control.take(tags.octets).is(sorting)) throw new NoMessage('a control nobody asked for')
  control.takeIf(tags.boolean)
  control.takeIf(tags.octets)
  control.end()
}

/** Bytes as they come, made to messages. */
export class Messages {
  readonly #left: Allowance & { bytes: number }
  #pieces: Buffer[] = []
  #held = 0
  /** Of the first message held, as soon as that is known. */
  #needed = 2

  /** @param mostBytes of all that is read */
  constructor(mostBytes: number) {
    this.#left = { bytes: mostBytes, elements: mostBytes / bytesPerElement }
  }

  /** @throws NoMessage: there is nothing to be read any more */
  *read(piece: Buffer): Generator<Answer, void> {
    this.#left.bytes -= piece.length
    if (this.#left.bytes < 0) throw new NoMessage('too much')
    this.#pieces.push(piece)
    this.#held += piece.length
    if (this.#held < this.#needed) return
    let held = Buffer.concat(this.#pieces)
    for (;;) {
      const end = insideOf(held, 0)?.end
      this.#needed = end ?? held.length + 1
      if (this.#needed > mostInMessage || (held.length > 0 && held[0] !== tags.sequence))
        throw new NoMessage('no message, or one that is too long')
      if (held.length < this.#needed) break
      const message = held.subarray(0, this.#needed)
      const answer = answerIn(message, this.#left)
      held = held.subarray(this.#needed)
      yield answer
    }
    this.#pieces = [held]
    this.#held = held.length
  }
}

/**
 * The connection as the library has it, which asks one thing after another. It is never told of an error: what goes wrong closes it, and so
 * does an answer to what it does not wait for, of which the library would make one long text for a log nobody reads. Closed by either side
 * it is closed on both.
 */
class Guarded extends Duplex {
  /** Asked for by the library, which takes it for a socket. */
  readonly readyState = 'open'
  readonly #socket: net.Socket
  /** The request that has no answer yet. */
  #asked: number | undefined

  constructor(socket: net.Socket, mostBytes: number) {
    super({ readableObjectMode: true })
    this.#socket = socket
    const messages = new Messages(mostBytes)
    socket.on('data', (piece: Buffer) => {
      try {
        for (const answer of messages.read(piece)) this.#handOn(answer)
      } catch {
        this.destroy()
      }
    })
    socket.once('end', () => this.destroy())
    socket.once('close', () => this.destroy())
    if (socket.destroyed) this.destroy()
  }

  /** @throws NoMessage */
  #handOn({ bytes, id, isLast }: Answer): void {
    if (this.destroyed) return
    if (id !== this.#asked) throw new NoMessage('an answer to what nobody waits for')
    if (isLast) this.#asked = undefined
    this.push(bytes)
  }

  override _read(): void {
    // What comes is pushed as it comes: how much that may be is bounded.
  }

  /** @param chunk a request: the library writes each in one piece */
  override _write(chunk: Buffer, encoding: BufferEncoding, done: () => void): void {
    this.#asked = idOf(new Elements(chunk, { elements: 2 }).take(tags.sequence))
    this.#socket.write(chunk, encoding, () => done())
  }

  override _destroy(_error: Error | null, done: () => void): void {
    this.#socket.destroy()
    done()
  }
}

/** @param socket whose errors are listened for */
export const guarded = (socket: net.Socket, mostBytes: number): net.Socket =>
  new Guarded(socket, mostBytes) as unknown as net.Socket
