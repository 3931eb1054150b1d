import type * as fs from 'node:fs/promises'
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test, vi } from 'vitest'
import { testLog } from '../testing/index.ts'
import { FolderCalls } from './calls.ts'
import { folderStorage } from './folder.ts'

/** What the storage asks of the disk, in order, and which of it fails. */
const disk = vi.hoisted(() => ({ calls: [] as string[], failing: -1 }))

vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof fs>()
  const failable = <Args extends unknown[], Answer>(name: string, call: (...args: Args) => Promise<Answer>) =>
    async function (...args: Args): Promise<Answer> {
      disk.calls.push(name)
      if (disk.calls.length - 1 === disk.failing)
        throw Object.assign(new Error(`EIO: i/o error, ${name}`), { code: 'EIO' })
      return await call(...args)
    }
  const open = async (...args: Parameters<typeof fs.open>) => {
    const handle = await real.open(...args)
    const stat = failable('stat', async () => await real.stat(String(args[0])))
    return Object.assign(handle, { stat, sync: failable('sync', handle.sync.bind(handle)) })
  }
  return {
    ...real,
    open: failable('open', open),
    rename: failable('rename', real.rename),
    mkdir: failable('mkdir', real.mkdir),
  }
})

const root = await mkdtemp(join(tmpdir(), 'sallyport-storage-'))
afterAll(() => rm(root, { recursive: true }))
const storage = folderStorage(root, new FolderCalls(root, testLog))
await storage.prepare()

async function openFiles(): Promise<string[]> {
  const held = await readdir('/proc/self/fd')
  const files = await Promise.all(held.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  return files.filter((file) => file.startsWith(root))
}

/** Writes an object and reads it. */
async function use(key: string): Promise<string | undefined> {
  await storage.put(key, Buffer.from('content'))
  const found = await storage.get(key)
  return found && (await text(found.stream))
}

test('whatever the disk refuses, no file stays open, and it is said', async () => {
  disk.calls.length = 0
  expect(await use('well/one')).toBe('content')
  const calls = disk.calls.splice(0)
  expect(new Set(calls)).toEqual(new Set(['mkdir', 'rename', 'open', 'sync', 'stat']))
  for (const [at, name] of calls.entries()) {
    disk.failing = at
    await expect(use(`${at}/one`)).rejects.toThrow(`EIO: i/o error, ${name}`)
    expect([at, name, await openFiles()]).toEqual([at, name, []])
    disk.calls.length = 0
  }
})
