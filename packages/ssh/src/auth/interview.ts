import { message } from '../wire/messages.ts'
import type { PacketStream } from '../wire/packet-stream.ts'
import type { Reader } from '../wire/reader.ts'
import { Writer } from '../wire/writer.ts'

export interface Question {
  prompt: string
  /** False when the answer must not be shown. */
  echo: boolean
}

/** Several questions at once (RFC 4256, 3.2). */
export interface Questions {
  name: string
  instruction: string
  questions: readonly Question[]
}

/** One answer to each question. Rejects with an `AbandonedError` when there will be none. */
export type Ask = (questions: Questions) => Promise<string[]>

/** The client asked for something else instead of answering, gave not as many answers as there were questions, or is gone. */
export class AbandonedError extends Error {
  override readonly name = 'AbandonedError'
}

/** The questions of one keyboard-interactive authentication, on the server. */
export class Interview {
  state: 'open' | 'abandoned' | 'spoilt' = 'open'
  readonly #packets: PacketStream
  #pending: { count: number; resolve(answers: string[]): void; reject(error: Error): void } | undefined

  constructor(packets: PacketStream) {
    this.#packets = packets
  }

  get isAsking(): boolean {
    return this.#pending !== undefined
  }

  readonly ask: Ask = async ({ name, instruction, questions }) => {
    if (this.state !== 'open') throw new AbandonedError('The client does not answer any more')
    const { promise, resolve, reject } = Promise.withResolvers<string[]>()
    const pending = { count: questions.length, resolve, reject }
    this.#pending = pending
    void this.#packets.closed.then(() => this.#giveUp('abandoned', 'The client is gone'))
    const body = new Writer().byte(message.userauthInfoRequest).string(name).string(instruction)
    body.string('').uint32(questions.length)
    for (const { prompt, echo } of questions) body.string(prompt).boolean(echo)
    this.#packets.send(body.finish())
    return await promise
  }

  /** What the client answered. Throws an `SshError` when it is malformed. */
  answer(body: Reader): void {
    const pending = this.#pending
    if (!pending) return
    if (body.uint32() !== pending.count) {
      this.#giveUp('spoilt', 'There are not as many answers as questions')
      return
    }
    const answers = Array.from({ length: pending.count }, () => body.string(body.left).toString('utf8'))
    body.end()
    this.#pending = undefined
    pending.resolve(answers)
  }

  /** The client wants something else. Only a question that is open can be abandoned: otherwise its turn comes later. */
  abandon(): void {
    if (this.#pending) this.#giveUp('abandoned', 'The client wants something else')
  }

  #giveUp(state: 'abandoned' | 'spoilt', why: string): void {
    const pending = this.#pending
    if (!pending) return
    this.#pending = undefined
    this.state = state
    pending.reject(new AbandonedError(why))
  }
}
