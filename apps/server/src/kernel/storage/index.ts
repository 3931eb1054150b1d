import type { Readable } from 'node:stream'

export { FolderCalls } from './calls.ts'
export { claimStorage } from './claim.ts'
export { folderStorage, StorageKeyError } from './folder.ts'
export { openStorage } from './opening.ts'

export interface StoredObject {
  key: string
  /** Bytes. */
  size: number
}

/** Where recordings and files lie: a folder here, an object store elsewhere. Objects are written whole or not at all. */
export interface ObjectStorage {
  /** Makes it ready to be written to, once it is known to be the right one. */
  prepare(): Promise<void>
  /** Replaces what was there; when it resolves, the object survives a power loss. Returns the bytes written. */
  put(key: string, content: Readable | Uint8Array): Promise<number>
  /** The object from `start` to `end` (bytes, end excluded), whose stream is read to its end or destroyed; undefined when there is none. */
  get(
    key: string,
    range?: { start: number; end: number },
  ): Promise<(StoredObject & { stream: Readable }) | undefined>
  /** All objects whose keys begin with `prefix`, which ends in `/` or is empty; in order of their keys. */
  list(prefix: string): AsyncIterable<StoredObject>
  /** Quiet about those there are none of. */
  delete(...keys: readonly string[]): Promise<void>
  /** Whether it can be written to. */
  isUp(): Promise<boolean>
  /** The room left where it lies. */
  freeBytes(): Promise<number>
}
