import { Readable, Writable } from 'node:stream'
import type { SftpAttributes } from './attributes.ts'
import type { SftpFiles } from './files.ts'
import { openFlags } from './requests.ts'

/** What streams need of a client. */
export interface StreamedFiles extends SftpFiles<Buffer> {
  readonly maxReadBytes: number
  readonly maxWriteBytes: number
}

/** Of one file under way at a time, beyond what the client allows in all. */
const maxParts = 32
const maxBytes = 1024 * 1024
const minPartBytes = 4096

type Settle = (error?: Error | null) => void

async function settleWith(settle: Settle, work: () => Promise<void>): Promise<void> {
  let failure: Error | null = null
  try {
    await work()
  } catch (error) {
    failure = error instanceof Error ? error : new Error('Not done', { cause: error })
  }
  settle(failure)
}

interface Part {
  offset: bigint
  data: Promise<Buffer | undefined>
}

/** A file as it is read: more requests are made ahead the longer it is read. */
export class SftpReadStream extends Readable {
  readonly #files: StreamedFiles
  readonly #path: Buffer
  readonly #maxParts: number
  #handle: Buffer | undefined
  #parts: Part[] = []
  #ahead = 2
  #offset: bigint
  #partBytes: number

  constructor(files: StreamedFiles, path: Buffer, start: bigint) {
    super({ highWaterMark: files.maxReadBytes })
    this.#partBytes = files.maxReadBytes
    this.#files = files
    this.#path = path
    this.#offset = start
    this.#maxParts = Math.max(2, Math.min(maxParts, Math.floor(maxBytes / files.maxReadBytes)))
  }

  override _construct(settle: Settle): void {
    void settleWith(settle, async () => {
      this.#handle = await this.#files.open(this.#path, openFlags.read, {})
    })
  }

  override _read(): void {
    this.#next().then(
      (data) => this.push(data ?? null),
      (error: Error) => this.destroy(error),
    )
  }

  override _destroy(cause: Error | null, settle: Settle): void {
    void settleWith(settle, async () => {
      const closing = this.#handle ? this.#files.close(this.#handle) : Promise.resolve()
      await closing.catch((failure: unknown) => {
        if (!cause) throw failure
      })
      if (cause) throw cause
    })
  }

  /** The data at the place that is next; where less came than was asked for, the rest is asked for again. */
  async #next(): Promise<Buffer | undefined> {
    const handle = this.#handle
    if (!handle) return undefined
    const bytes = this.#partBytes
    while (this.#parts.length < this.#ahead) {
      const data = this.#files.read(handle, this.#offset, bytes)
      // Who waits for it hears of it; those behind the first that fails nobody waits for.
      data.catch(() => {})
      this.#parts.push({ offset: this.#offset, data })
      this.#offset += BigInt(bytes)
    }
    const part = this.#parts.shift()
    const data = await part?.data
    if (!part || !data || data.length === 0) return undefined
    if (data.length === bytes) this.#ahead = Math.min(this.#ahead + 1, this.#maxParts)
    else this.#restart(part.offset + BigInt(data.length), data.length)
    return data
  }

  /** A short answer moves everything behind it: that is the end of the file, or as much as this server ever gives. */
  #restart(offset: bigint, bytes: number): void {
    this.#parts = []
    this.#ahead = 2
    this.#offset = offset
    this.#partBytes = Math.max(bytes, minPartBytes)
  }
}

export interface SftpWriteOptions {
  /** Goes on there in what is in the file already; otherwise the file begins anew. */
  start?: bigint
  /** Of the file where it is new. */
  attributes?: SftpAttributes
}

/** A file as it is written. */
export class SftpWriteStream extends Writable {
  readonly #files: StreamedFiles
  readonly #path: Buffer
  readonly #options: SftpWriteOptions
  readonly #pending = new Set<Promise<void>>()
  #bytes = 0
  #handle: Buffer | undefined
  #offset: bigint
  #failure: Error | undefined
  #whenRoom: (() => void) | undefined

  constructor(files: StreamedFiles, path: Buffer, options: SftpWriteOptions) {
    super({ highWaterMark: files.maxWriteBytes })
    this.#files = files
    this.#path = path
    this.#options = options
    this.#offset = options.start ?? 0n
  }

  override _construct(settle: Settle): void {
    const { start, attributes = {} } = this.#options
    const fresh = start === undefined ? openFlags.truncate : 0
    const flags = openFlags.write | openFlags.create | fresh
    void settleWith(settle, async () => {
      this.#handle = await this.#files.open(this.#path, flags, attributes)
    })
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, settle: Settle): void {
    this.#send([chunk], settle)
  }

  /** Small ones go together. */
  override _writev(chunks: { chunk: Buffer }[], settle: Settle): void {
    this.#send(
      chunks.map(({ chunk }) => chunk),
      settle,
    )
  }

  override _final(settle: Settle): void {
    void settleWith(settle, async () => {
      await Promise.all(this.#pending)
      if (this.#failure) throw this.#failure
      await this.#close()
    })
  }

  override _destroy(cause: Error | null, settle: Settle): void {
    void settleWith(settle, async () => {
      await Promise.all(this.#pending)
      await this.#close().catch((failure: unknown) => {
        if (!cause) throw failure
      })
      if (cause) throw cause
    })
  }

  async #close(): Promise<void> {
    const handle = this.#handle
    this.#handle = undefined
    if (handle) await this.#files.close(handle)
  }

  #send(chunks: Buffer[], settle: Settle): void {
    const [only = Buffer.alloc(0), more] = chunks
    const data = more ? Buffer.concat(chunks) : only
    const handle = this.#handle
    if (!handle || data.length === 0) {
      settle()
      return
    }
    const write = this.#files.write(handle, this.#offset, data)
    this.#offset += BigInt(data.length)
    this.#bytes += data.length
    const settled: Promise<void> = write.then(
      () => this.#settled(settled, data.length),
      (error: Error) => {
        this.#failure ??= error
        this.#settled(settled, data.length)
      },
    )
    this.#pending.add(settled)
    if (this.#hasRoom) settle()
    else this.#whenRoom = () => settle(this.#failure)
  }

  get #hasRoom(): boolean {
    return this.#failure === undefined && this.#bytes < maxBytes && this.#pending.size < maxParts
  }

  #settled(write: Promise<void>, bytes: number): void {
    this.#pending.delete(write)
    this.#bytes -= bytes
    if (!this.#failure && !this.#hasRoom) return
    const go = this.#whenRoom
    this.#whenRoom = undefined
    go?.()
  }
}
