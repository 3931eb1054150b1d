import {
  access,
  constants,
  type FileHandle,
  mkdir,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
} from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { callbackify } from 'node:util'
import { codeOf } from '../failure.ts'
import type { FolderCalls } from './calls.ts'
import type { ObjectStorage, StoredObject } from './index.ts'

export class StorageKeyError extends Error {
  override name = 'StorageKeyError'
}

const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/
const maxSegments = 16
const incomingDir = '.incoming'
const deletedAtOnce = 32
const readBytes = 64 * 1024
const abandonedAfterMs = 24 * 3600 * 1000

/**
 * A folder as object storage; nothing is written to it before `prepare`, which removes what writers that were killed left half-way. Whatever
 * touches the folder goes through `calls`.
 */
export function folderStorage(root: string, calls: FolderCalls): ObjectStorage {
  const incoming = join(root, incomingDir)
  return {
    async prepare() {
      await calls.run(() => mkdir(incoming, { recursive: true, mode: 0o700 }))
      await removeAbandoned(calls, incoming)
    },
    isUp: () =>
      calls
        .run(() => access(incoming, constants.W_OK))
        .then(
          () => true,
          () => false,
        ),
    async freeBytes() {
      const { bavail, bsize } = await calls.run(() => statfs(root))
      return bavail * bsize
    },
    async put(key, content) {
      const path = pathOf(root, key)
      const unfinished = join(incoming, randomBytes(12).toString('hex'))
      try {
        const bytes = await write(calls, unfinished, content instanceof Readable ? content : [content])
        await moveIn(calls, root, unfinished, path)
        await syncDir(calls, dirname(path))
        return bytes
      } catch (error) {
        if (content instanceof Readable) content.destroy()
        // What failed first says more than that this fails, too.
        await calls.run(() => rm(unfinished, { force: true })).catch(() => undefined)
        throw error
      }
    },

    async get(key, range) {
      const file = await openIfPresent(calls, pathOf(root, key))
      if (file === undefined) return undefined
      try {
        const { size } = await calls.run(() => file.stat())
        const start = Math.min(range?.start ?? 0, size)
        const end = Math.min(range?.end ?? size, size)
        if (end > start) return { key, size, stream: reading(calls, file, start, end) }
        await calls.close(file)
        return { key, size, stream: Readable.from([]) }
      } catch (error) {
        await calls.close(file)
        throw error
      }
    },

    list: (prefix) => walk(calls, root, prefix),

    async delete(...keys) {
      const paths = keys.map((key) => pathOf(root, key))
      for (let at = 0; at < paths.length; at += deletedAtOnce)
        await Promise.all(
          paths.slice(at, at + deletedAtOnce).map((path) => calls.run(() => rm(path, { force: true }))),
        )
      for (const dir of new Set(paths.map((path) => dirname(path))))
        await calls.run(() => removeEmptyDirs(root, dir))
    },
  }
}

/** Returns the bytes written once they survive a power loss. */
async function write(
  calls: FolderCalls,
  path: string,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<number> {
  const file = await calls.open(path, 'wx', 0o600)
  let bytes = 0
  try {
    for await (const part of content) {
      await calls.run(() => file.writeFile(part))
      bytes += part.byteLength
    }
    await calls.run(() => file.sync())
    return bytes
  } finally {
    await calls.close(file)
  }
}

/** An open file from `start` to `end`, which is closed with the stream. */
function reading(calls: FolderCalls, file: FileHandle, start: number, end: number): Readable {
  let at = start
  const readOn = async (stream: Readable) => {
    const length = Math.min(readBytes, end - at)
    if (length === 0) return stream.push(null)
    const { bytesRead, buffer } = await calls.run(() => file.read(Buffer.allocUnsafe(length), 0, length, at))
    at += bytesRead
    return stream.push(bytesRead === 0 ? null : buffer.subarray(0, bytesRead))
  }
  const closing = callbackify(() => calls.close(file))
  return new Readable({
    highWaterMark: readBytes,
    read() {
      readOn(this).catch((error: Error) => this.destroy(error))
    },
    destroy(error, done) {
      closing(() => done(error))
    },
  })
}

/** @throws StorageKeyError for anything but plain names between slashes: no dots in front, no empty parts. */
function pathOf(root: string, key: string): string {
  const segments = key.split('/')
  if (segments.length > maxSegments || !segments.every((name) => segment.test(name))) {
    throw new StorageKeyError('A storage key consists of plain names between slashes')
  }
  return join(root, ...segments)
}

async function* walk(calls: FolderCalls, root: string, prefix: string): AsyncIterable<StoredObject> {
  const dir = prefix === '' ? root : pathOf(root, prefix.replace(/\/$/, ''))
  const entries = await calls
    .run(() => readdir(dir, { withFileTypes: true }))
    .catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return []
      throw error
    })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (!segment.test(entry.name)) continue
    const key = prefix === '' ? entry.name : `${prefix.replace(/\/$/, '')}/${entry.name}`
    if (entry.isDirectory()) yield* walk(calls, root, `${key}/`)
    else if (entry.isFile()) yield { key, size: (await calls.run(() => stat(join(dir, entry.name)))).size }
  }
}

/** Somebody who deletes may take the folder away just before; it is made again, a few times. */
async function moveIn(calls: FolderCalls, root: string, from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await makeDurableDir(calls, root, dirname(to))
      await calls.run(() => rename(from, to))
      return
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || attempt === 5) throw error
    }
  }
}

/** The folder and those above it, up to the first that holds something. */
async function removeEmptyDirs(root: string, dir: string): Promise<void> {
  for (let current = dir; current !== root; current = dirname(current)) {
    const isRemoved = await rmdir(current).then(
      () => true,
      () => false,
    )
    if (!isRemoved) return
  }
}

/** A new folder is only safe when its entry in the folder above is. */
async function makeDurableDir(calls: FolderCalls, root: string, dir: string): Promise<void> {
  const first = await calls.run(() => mkdir(dir, { recursive: true, mode: 0o700 }))
  if (first === undefined) return
  for (let current = dir; current.length >= first.length && current !== root; current = dirname(current)) {
    await syncDir(calls, dirname(current))
  }
}

async function syncDir(calls: FolderCalls, dir: string): Promise<void> {
  const handle = await calls.open(dir)
  try {
    await calls.run(() => handle.sync())
  } finally {
    await calls.close(handle)
  }
}

async function openIfPresent(calls: FolderCalls, path: string) {
  try {
    return await calls.open(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}

async function removeAbandoned(calls: FolderCalls, incoming: string): Promise<void> {
  for (const name of await calls.run(() => readdir(incoming))) {
    const path = join(incoming, name)
    const found = await calls.run(() => stat(path).catch(() => undefined))
    if (found && Date.now() - found.mtimeMs > abandonedAfterMs)
      await calls.run(() => rm(path, { force: true }))
  }
}
