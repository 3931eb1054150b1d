import { createReadStream, createWriteStream } from 'node:fs'
import { access, constants, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { codeOf } from '../failure.ts'
import type { ObjectStorage, StoredObject } from './index.ts'

export class StorageKeyError extends Error {
  override name = 'StorageKeyError'
}

const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/
const maxSegments = 16
const incomingDir = '.incoming'
/** A folder in the network takes its time for each. */
const deletedAtOnce = 32
const abandonedAfterMs = 24 * 3600 * 1000

/** A folder as object storage; nothing is written to it before `prepare`, which removes what writers that were killed left half-way. */
export function folderStorage(root: string): ObjectStorage {
  const incoming = join(root, incomingDir)
  return {
    async prepare() {
      await mkdir(incoming, { recursive: true, mode: 0o700 })
      await removeAbandoned(incoming)
    },
    isUp: () =>
      access(incoming, constants.W_OK).then(
        () => true,
        () => false,
      ),
    async put(key, content) {
      const path = pathOf(root, key)
      const unfinished = join(incoming, randomBytes(12).toString('hex'))
      try {
        const sink = createWriteStream(unfinished, { mode: 0o600, flags: 'wx', flush: true })
        await pipeline(content instanceof Readable ? content : Readable.from([content]), sink)
        await moveIn(root, unfinished, path)
        await syncDir(dirname(path))
        return sink.bytesWritten
      } catch (error) {
        // What failed first says more than that this fails, too.
        await rm(unfinished, { force: true }).catch(() => undefined)
        throw error
      }
    },

    async get(key, range) {
      const path = pathOf(root, key)
      const file = await openIfPresent(path)
      if (file === undefined) return undefined
      try {
        const { size } = await file.stat()
        const start = Math.min(range?.start ?? 0, size)
        const end = Math.min(range?.end ?? size, size)
        if (end > start)
          return { key, size, stream: createReadStream(path, { fd: file, start, end: end - 1 }) }
        await file.close()
        return { key, size, stream: Readable.from([]) }
      } catch (error) {
        await file.close()
        throw error
      }
    },

    list: (prefix) => walk(root, prefix),

    async delete(...keys) {
      const paths = keys.map((key) => pathOf(root, key))
      for (let at = 0; at < paths.length; at += deletedAtOnce)
        await Promise.all(paths.slice(at, at + deletedAtOnce).map((path) => rm(path, { force: true })))
      for (const dir of new Set(paths.map((path) => dirname(path)))) await removeEmptyDirs(root, dir)
    },
  }
}

/** @throws StorageKeyError for anything but plain names between slashes: no dots in front, no empty parts. */
function pathOf(root: string, key: string): string {
  const segments = key.split('/')
  if (segments.length > maxSegments || !segments.every((name) => segment.test(name))) {
    throw new StorageKeyError('A storage key consists of plain names between slashes')
  }
  return join(root, ...segments)
}

async function* walk(root: string, prefix: string): AsyncIterable<StoredObject> {
  const dir = prefix === '' ? root : pathOf(root, prefix.replace(/\/$/, ''))
  const entries = await readdir(dir, { withFileTypes: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return []
    throw error
  })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (!segment.test(entry.name)) continue
    const key = prefix === '' ? entry.name : `${prefix.replace(/\/$/, '')}/${entry.name}`
    if (entry.isDirectory()) yield* walk(root, `${key}/`)
    else if (entry.isFile()) yield { key, size: (await stat(join(dir, entry.name))).size }
  }
}

/** Somebody who deletes may take the folder away just before; it is made again, a few times. */
async function moveIn(root: string, from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await makeDurableDir(root, dirname(to))
      await rename(from, to)
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
async function makeDurableDir(root: string, dir: string): Promise<void> {
  const first = await mkdir(dir, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let current = dir; current.length >= first.length && current !== root; current = dirname(current)) {
    await syncDir(dirname(current))
  }
}

async function syncDir(dir: string): Promise<void> {
  const handle = await open(dir)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function openIfPresent(path: string) {
  try {
    return await open(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}

async function removeAbandoned(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name)
    const age = await stat(path).then(
      (found) => Date.now() - found.mtimeMs,
      () => 0,
    )
    if (age > abandonedAfterMs) await rm(path, { force: true })
  }
}
