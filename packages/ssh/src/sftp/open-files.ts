import type { SftpAnswer } from './answers.ts'
import { SftpStatusError } from './errors.ts'
import { Lane } from './lane.ts'

export interface OpenFile<File> {
  file: File
  lane: Lane
}

/** What a client has open, by handles of ours. */
export class OpenFiles<File> {
  readonly #max: number
  readonly #files = new Map<number, OpenFile<File>>()
  #next = 0
  /** Files on their way to be open. */
  #opening = 0

  constructor(max: number) {
    this.#max = max
  }

  async open(open: () => Promise<File>): Promise<SftpAnswer> {
    if (this.#files.size + this.#opening >= this.#max) {
      throw new SftpStatusError('failure', 'Too many files are open')
    }
    this.#opening++
    try {
      return { kind: 'handle', handle: this.#add(await open()) }
    } finally {
      this.#opening--
    }
  }

  get(handle: Buffer): OpenFile<File> {
    const open = handle.length === 4 ? this.#files.get(handle.readUInt32BE()) : undefined
    if (!open) throw new SftpStatusError('failure', 'The handle is not known')
    return open
  }

  /** Nobody finds it from then on. */
  take(handle: Buffer): OpenFile<File> {
    const open = this.get(handle)
    this.#files.delete(handle.readUInt32BE())
    return open
  }

  takeAll(): OpenFile<File>[] {
    const all = [...this.#files.values()]
    this.#files.clear()
    return all
  }

  #add(file: File): Buffer {
    while (this.#files.has(this.#next)) this.#next = (this.#next + 1) >>> 0
    this.#files.set(this.#next, { file, lane: new Lane() })
    const handle = Buffer.alloc(4)
    handle.writeUInt32BE(this.#next)
    this.#next = (this.#next + 1) >>> 0
    return handle
  }
}
