import { type TerminalInputAck, terminalInputWindowBytes } from '@sallyport/contract/terminal-socket'

type Typed = string | Uint8Array<ArrayBuffer>

interface Piece {
  data: Typed
  bytes: number
}

const pieceLength = 16 * 1024
/** Ctrl-C. */
export const interrupt = '\u0003'
/** Around a paste, for programs that want to know (bracketed paste). */
const pasteBegin = '\u001b[200~'
const pasteEnd = '\u001b[201~'
/** What waits for less long is not worth a word. */
const tellAfterMs = 1000

/**
 * What a person types, on its way to the gateway: in order, no more than a window of it beyond what the gateway has given on, and kept until
 * the gateway has taken it, for when the socket is lost. A gateway that does not count is sent everything at once.
 */
export class TypedText {
  /** What the gateway is not known to have taken, and how many of these pieces have been sent. */
  private pieces: Piece[] = []
  private sent = 0
  /** Of those that have not. */
  private heldBytes = 0
  /** Of all that was typed in the session: where the pieces begin, what has been sent, and what the gateway has given on. */
  private beginBytes = 0
  private sentBytes = 0
  private givenBytes = 0
  private isOpen = false
  /** As the gateway told last: its sockets, and lines that were not let through. */
  private sockets = 0
  private refused = 0
  /** What had been sent when a line was last not let through: it was meant to follow that one, and is not sent again. */
  private refusedToBytes = 0
  private isCounted: boolean | undefined
  /** Where what waits began to wait. */
  private heldFromBytes = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private isTold = false
  private readonly post: (data: Typed) => void
  private readonly onHeld: (percent: number | undefined) => void

  /** `onHeld` hears how much of what waits here for long has been sent; undefined when nothing waits any more. */
  constructor(post: (data: Typed) => void, onHeld: (percent: number | undefined) => void) {
    this.post = post
    this.onHeld = onHeld
  }

  /** The first socket of a session is there. */
  begin() {
    this.isOpen = true
  }

  /** The socket is lost: what was not taken is sent again once the next one tells from where. */
  lose() {
    this.isOpen = false
  }

  /** The gateway has told of the session, and nothing before of what was typed: it does not count. */
  goUncounted() {
    if (this.isCounted) return
    this.isCounted = false
    this.isOpen = true
    this.flush()
  }

  acknowledge({ taken, bytes, sockets, refused }: TerminalInputAck) {
    this.isCounted = true
    this.givenBytes = bytes
    const isRefused = refused > this.refused
    const isElsewhere = this.sockets > 0 && sockets > this.sockets + 1
    this.refused = refused
    this.sockets = sockets
    this.forgetTo(taken)
    if (!this.isOpen) {
      // Somebody was at another page: nobody saw where the rest of this would land.
      if (isElsewhere) this.pieces = []
      while (this.pieces[0] && this.beginBytes < this.refusedToBytes) {
        this.beginBytes += this.pieces[0].bytes
        this.pieces.shift()
      }
      this.refusedToBytes = 0
      this.isOpen = true
      this.sent = 0
      this.heldBytes = sum(this.pieces)
      this.beginBytes = taken
      this.sentBytes = taken
    }
    if (isRefused) this.refusedToBytes = this.sentBytes
    // It was meant to follow a line that was not let through.
    if (isRefused && this.heldBytes > 0) this.drop()
    else this.flush()
  }

  add(data: Typed) {
    if (this.heldBytes === 0) this.heldFromBytes = this.sentBytes
    for (const piece of typeof data === 'string' ? cut(data) : [data]) this.hold(piece)
    this.flush(data === interrupt ? Infinity : terminalInputWindowBytes)
  }

  /** Gives up what has not been sent. */
  drop() {
    const dropped = this.pieces.splice(this.sent)
    this.heldBytes = 0
    const edge = dropped.find(({ data }) => isEdge(data))
    // A program that was told of the paste would take what is typed next for more of it.
    if (edge && !begins(edge.data)) this.hold(pasteEnd)
    this.flush(Infinity)
  }

  /** The session is over, at least here. */
  clear() {
    this.pieces = []
    this.sent = 0
    this.heldBytes = 0
    this.sockets = 0
    this.refusedToBytes = 0
    this.isOpen = false
    this.tell()
  }

  private hold(data: Typed) {
    const bytes = bytesOf(data)
    this.pieces.push({ data, bytes })
    this.heldBytes += bytes
  }

  private forgetTo(taken: number) {
    for (const { bytes } of this.pieces.slice(0, this.sent)) {
      if (this.beginBytes + bytes > taken) break
      this.pieces.shift()
      this.sent -= 1
      this.beginBytes += bytes
    }
  }

  private flush(windowBytes = terminalInputWindowBytes) {
    while (this.isOpen) {
      const next = this.pieces[this.sent]
      const underWay = this.sentBytes - this.givenBytes
      if (!next || (this.isCounted !== false && underWay + next.bytes > windowBytes)) break
      this.sent += 1
      this.sentBytes += next.bytes
      this.heldBytes -= next.bytes
      this.post(next.data)
    }
    if (this.isCounted === false) {
      this.pieces.splice(0, this.sent)
      this.sent = 0
    }
    this.tell()
  }

  private tell() {
    const held = this.heldBytes
    if (held === 0) {
      clearTimeout(this.timer)
      this.timer = undefined
      if (this.isTold) this.onHeld(undefined)
      this.isTold = false
      return
    }
    this.timer ??= setTimeout(() => {
      this.isTold = true
      this.tell()
    }, tellAfterMs)
    const sent = Math.max(0, this.sentBytes - this.heldFromBytes)
    if (this.isTold) this.onHeld(Math.floor((100 * sent) / (sent + held)))
  }
}

const encoder = new TextEncoder()
const bytesOf = (data: Typed) =>
  typeof data === 'string' ? encoder.encode(data).byteLength : data.byteLength

const sum = (pieces: readonly Piece[]) => pieces.reduce((all, { bytes }) => all + bytes, 0)

const begins = (data: Typed) => typeof data === 'string' && data.startsWith(pasteBegin)
const isEdge = (data: Typed) => begins(data) || (typeof data === 'string' && data.endsWith(pasteEnd))

/** In pieces, none of which ends within a character or the end of a paste. */
function cut(text: string): string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length;) {
    let end = start + pieceLength
    if (isHighSurrogate(text.charCodeAt(end - 1))) end += 1
    if (text.length - end < pasteEnd.length) end = text.length
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff
