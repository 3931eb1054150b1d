import { createHash } from 'node:crypto'
import type { RecordingMark } from '@sallyport/contract/recording'
import type { Recording } from '../../recorder/recording.ts'
import type { ExitResult } from '../ports.ts'

const headMax = 1024

class Direction {
  readonly #hash = createHash('sha256')
  readonly #limit: number
  #bytes = 0
  #recorded = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The part of the chunk that is still to be recorded. */
  take(chunk: Buffer): Buffer | undefined {
    this.#hash.update(chunk)
    this.#bytes += chunk.byteLength
    const room = this.#limit - this.#recorded
    if (room <= 0) return undefined
    const part = chunk.byteLength > room ? chunk.subarray(0, room) : chunk
    this.#recorded += part.byteLength
    return part
  }

  close(): { bytes: number; sha256: string; recorded_bytes: number } {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex'), recorded_bytes: this.#recorded }
  }
}

/** What is kept of a command without a terminal: sizes and hashes of everything, content up to a bound for each direction. */
export class ExecAudit {
  readonly #recording: Recording
  readonly #stdin: Direction
  readonly #stdout: Direction
  readonly #stderr: Direction
  readonly #head: Buffer[] = []
  #headBytes = 0

  /** `limits`: bytes of content kept of what the command was sent, and of each of its outputs. */
  constructor(recording: Recording, command: string, limits: { input: number; output: number }) {
    this.#recording = recording
    this.#stdin = new Direction(limits.input)
    this.#stdout = new Direction(limits.output)
    this.#stderr = new Direction(limits.output)
    recording.mark({ kind: 'exec_start', command })
  }

  input(chunk: Buffer): void {
    const part = this.#stdin.take(chunk)
    if (part) this.#recording.inputContent(part)
  }

  /** The beginning of what the command wrote, as text for its record. */
  get head(): string {
    return Buffer.concat(this.#head).toString('utf8').slice(0, headMax)
  }

  #keepHead(chunk: Buffer): void {
    const room = headMax - this.#headBytes
    if (room <= 0) return
    this.#head.push(Buffer.from(chunk.subarray(0, room)))
    this.#headBytes += Math.min(room, chunk.byteLength)
  }

  output(chunk: Buffer): void {
    this.#keepHead(chunk)
    const part = this.#stdout.take(chunk)
    if (part) this.#recording.output(part)
  }

  errorOutput(chunk: Buffer): void {
    this.#keepHead(chunk)
    const part = this.#stderr.take(chunk)
    if (part) this.#recording.errorOutput(part)
  }

  /** Once, at the end. */
  close(exit: ExitResult): void {
    const mark: RecordingMark = {
      kind: 'exec_end',
      exit: exit.kind === 'lost' ? { kind: 'lost' } : exit,
      stdin: this.#stdin.close(),
      stdout: this.#stdout.close(),
      stderr: this.#stderr.close(),
    }
    this.#recording.mark(mark)
  }
}
