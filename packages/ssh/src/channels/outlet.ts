import type { PacketStream } from '../wire/packet-stream.ts'

/** What may be sent on a channel; its data and its extended data share it. */
export interface SendWindow {
  /** Bytes the peer has room for. */
  bytes: number
  /** Bytes of one message, at most. */
  readonly packetBytes: number
  /** Nothing is sent any more: what is written goes nowhere. */
  isShut: boolean
}

export interface Room {
  readonly packets: Pick<PacketStream, 'send' | 'isWritable'>
  /** Calls back when data may be sent, or the connection is gone: in turn with everybody else who waits. */
  whenRoom(resume: () => void): void
}

const nothing = Buffer.alloc(0)

/** One stream of data out of a channel: a chunk at a time, in messages as large as window and peer allow, while there is room. */
export class Outlet {
  /** Everything of a message before its data; the length is written anew each time. */
  readonly #header: Buffer
  readonly #room: Room
  readonly #window: SendWindow
  #left: Buffer = nothing
  #done: (() => void) | undefined
  #isWaiting = false
  #isUnwanted = false

  /** `header` ends with the length of the data. */
  constructor(header: Buffer, room: Room, window: SendWindow) {
    this.#header = header
    this.#room = room
    this.#window = window
  }

  /** Calls back when all of it is sent and there is room for more. The chunk before must be done. */
  write(chunk: Buffer, done: () => void): void {
    this.#left = chunk
    this.#done = done
    this.#send()
  }

  /** The window has opened, or is shut. */
  resume(): void {
    if (this.#done && (this.#isShut || !this.#isWaiting)) this.#send()
  }

  /** The peer reads no more of this stream: what is written goes nowhere. */
  shut(): void {
    this.#isUnwanted = true
    this.resume()
  }

  get #isShut(): boolean {
    return this.#isUnwanted || this.#window.isShut
  }

  #send(): void {
    const { packets } = this.#room
    const window = this.#window
    while (this.#left.length > 0 && !this.#isShut) {
      const bytes = Math.min(this.#left.length, window.bytes, window.packetBytes)
      if (bytes === 0) return
      if (!packets.isWritable) {
        this.#wait()
        return
      }
      this.#header.writeUInt32BE(bytes, this.#header.length - 4)
      window.bytes -= bytes
      packets.send([this.#header, this.#left.subarray(0, bytes)])
      this.#left = this.#left.subarray(bytes)
    }
    if (!packets.isWritable && !this.#isShut) {
      this.#wait()
      return
    }
    const done = this.#done
    this.#left = nothing
    this.#done = undefined
    done?.()
  }

  #wait(): void {
    if (this.#isWaiting) return
    this.#isWaiting = true
    this.#room.whenRoom(() => {
      this.#isWaiting = false
      if (this.#done) this.#send()
    })
  }
}
