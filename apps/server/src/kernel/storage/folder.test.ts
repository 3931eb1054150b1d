import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { testLog } from '../testing/index.ts'
import { FolderCalls } from './calls.ts'
import { folderStorage, StorageKeyError } from './folder.ts'

const root = await mkdtemp(join(tmpdir(), 'sallyport-storage-'))
afterAll(() => rm(root, { recursive: true }))
const storage = folderStorage(root, new FolderCalls(root, testLog))
await storage.prepare()

async function read(key: string, range?: { start: number; end: number }): Promise<string | undefined> {
  const found = await storage.get(key, range)
  return found && (await text(found.stream))
}

test('an object is read back whole or in part, replaced and deleted', async () => {
  expect(
    await storage.put('rec/2026/a.zst', Readable.from([Buffer.from('hello '), Buffer.from('world')])),
  ).toBe(11)
  expect(await read('rec/2026/a.zst')).toBe('hello world')
  expect(await read('rec/2026/a.zst', { start: 6, end: 9 })).toBe('wor')
  expect(await read('rec/2026/a.zst', { start: 20, end: 30 })).toBe('')
  await storage.put('rec/2026/a.zst', Buffer.from('new'))
  expect(await read('rec/2026/a.zst')).toBe('new')
  await storage.delete('rec/2026/a.zst')
  await storage.delete('rec/2026/a.zst')
  expect(await read('rec/2026/a.zst')).toBeUndefined()
  expect(await read('rec/2026/a.zst/deeper')).toBeUndefined()
})

test('folders go with the last object in them, and come back with the next', async () => {
  await storage.put('gone/one/a', Buffer.from('a'))
  await storage.put('gone/two/b', Buffer.from('b'))
  await storage.delete('gone/one/a', 'gone/one/there-is-none')
  expect(await readdir(join(root, 'gone'))).toEqual(['two'])
  await storage.delete('gone/two/b')
  expect(await readdir(root)).not.toContain('gone')
  await Promise.all(
    Array.from({ length: 50 }, async (_, number) => {
      await storage.put(`gone/${number % 2}/${number}`, Buffer.from('x'))
      await storage.delete(`gone/${number % 2}/${number}`)
    }),
  )
  expect(await readdir(root)).not.toContain('gone')
})

test('what is listed lies below the prefix and comes in order', async () => {
  for (const key of ['list/b', 'list/a/1', 'list/a/2', 'listing']) await storage.put(key, Buffer.from(key))
  const all = await Array.fromAsync(storage.list('list/'))
  expect(all).toEqual([
    { key: 'list/a/1', size: 8 },
    { key: 'list/a/2', size: 8 },
    { key: 'list/b', size: 6 },
  ])
  expect(await Array.fromAsync(storage.list('nothing/'))).toEqual([])
})

test('an upload that breaks off leaves neither an object nor a remainder', async () => {
  const broken = Readable.from(
    (async function* () {
      yield Buffer.alloc(100_000)
      throw new Error('the sender is gone')
    })(),
  )
  await storage.put('kept', Buffer.from('old'))
  await expect(storage.put('kept', broken)).rejects.toThrow('the sender is gone')
  expect(await read('kept')).toBe('old')
  expect(await readdir(join(root, '.incoming'))).toEqual([])
})

test.each([
  '../secret',
  'a/../../b',
  '/etc/passwd',
  'a//b',
  '',
  '.incoming/x',
  'a/.hidden',
  'a\0b',
  'ä',
  'a\\b',
])('no key leads out of the folder: %j', async (key) => {
  await expect(storage.put(key, Buffer.from('x'))).rejects.toThrow(StorageKeyError)
  await expect(storage.get(key)).rejects.toThrow(StorageKeyError)
  await expect(storage.delete(key)).rejects.toThrow(StorageKeyError)
})

test('a large object streams through', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 7)
  await storage.put('large', Readable.from(Array.from({ length: 20 }, () => chunk)))
  const found = await storage.get('large')
  expect(found?.size).toBe(20 * chunk.length)
  expect(found && (await buffer(found.stream)).length).toBe(20 * chunk.length)
})
