import { SshError } from '../wire/errors.ts'
import { Reader } from '../wire/reader.ts'

/** What a method of key exchange sends and receives: it asks for one message after the other, and no other is let through. */
export class Conversation {
  readonly send: (payload: Buffer) => void
  #waiting: { number: number; resolve: (reader: Reader) => void } | undefined
  /** Ends the peer's message that is being dealt with. */
  #settle: (() => void) | undefined

  constructor(send: (payload: Buffer) => void) {
    this.send = send
  }

  /** The next message, which has to be of this number. */
  receive(number: number): Promise<Reader> {
    this.#settle?.()
    return new Promise((resolve) => (this.#waiting = { number, resolve }))
  }

  /** Hands the peer's message over. The promise ends when the next can be dealt with. Throws when it is not its turn. */
  deliver(payload: Buffer): Promise<void> {
    const waiting = this.#waiting
    if (!waiting || waiting.number !== payload[0])
      throw new SshError('protocolError', 'A message of key exchange came when it was not its turn')
    this.#waiting = undefined
    return new Promise((resolve) => {
      this.#settle = resolve
      waiting.resolve(new Reader(payload, 1))
    })
  }

  /** Nothing more is received. */
  end(): void {
    this.#settle?.()
  }
}
