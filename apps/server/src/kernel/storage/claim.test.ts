import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { ConfigError } from '../config.ts'
import { createTestDatabase, testLog } from '../testing/index.ts'
import { claimStorage, FolderCalls, folderStorage } from './index.ts'

const root = await mkdtemp(join(tmpdir(), 'sallyport-claim-'))
afterAll(() => rm(root, { recursive: true }))
const database = await createTestDatabase()
const claim = async (name: string, of = database) => {
  const folder = join(root, name)
  const storage = folderStorage(folder, new FolderCalls(folder, testLog))
  return await claimStorage({ db: of.db, log: testLog }, storage, folder)
}

test('servers share the storage the first of them claimed, and only that one', async () => {
  const claimed = await Promise.all([claim('first'), claim('first'), claim('first')])
  expect(await Promise.all(claimed.map((storage) => storage.isUp()))).toEqual([true, true, true])
  await expect(claim('own')).rejects.toThrow(ConfigError)
  await expect(claim('own')).rejects.toThrow(
    /own is not the one the database's recordings lie in; see that it is mounted, set SALLYPORT_STORAGE to the folder all servers of this database share/,
  )
})

test('a storage that went away while servers run takes, gives and deletes nothing until it is back', async () => {
  const storage = await claim('first')
  await storage.put('recordings/kept', Buffer.from('kept'))
  await rename(join(root, 'first'), join(root, 'away'))
  const nothingGoes = async () => {
    expect(await storage.isUp()).toBe(false)
    const away = { status: 503, code: 'storage_away' }
    await expect(storage.put('recordings/lost', Buffer.from('x'))).rejects.toMatchObject(away)
    await expect(storage.get('recordings/kept')).rejects.toMatchObject(away)
    await expect(storage.delete('recordings/kept')).rejects.toMatchObject(away)
    await expect(Array.fromAsync(storage.list('recordings/'))).rejects.toMatchObject(away)
  }
  await nothingGoes()
  // What an unmounted folder leaves, and another one in its place.
  await mkdir(join(root, 'first', '.incoming'), { recursive: true })
  await nothingGoes()
  await writeFile(join(root, 'first', 'storage-id'), 'another')
  await nothingGoes()
  expect((await readdir(join(root, 'first'))).toSorted()).toEqual(['.incoming', 'storage-id'])
  await rm(join(root, 'first'), { recursive: true })
  await rename(join(root, 'away'), join(root, 'first'))
  expect(await storage.isUp()).toBe(true)
  const kept = await storage.get('recordings/kept')
  expect(kept && (await text(kept.stream))).toBe('kept')
  await storage.delete('recordings/kept')
})

test('a server leaves nothing in a folder that is not its storage', async () => {
  await claim('first')
  await mkdir(join(root, 'bare'))
  await expect(claim('bare')).rejects.toThrow(ConfigError)
  expect(await readdir(join(root, 'bare'))).toEqual([])
})

test('what goes away while it is written to has not stored anything', async () => {
  const storage = await claim('first')
  const content = Readable.from(
    (async function* () {
      yield Buffer.from('x')
      await rename(join(root, 'first'), join(root, 'away'))
      await mkdir(join(root, 'first', '.incoming'), { recursive: true })
    })(),
  )
  await expect(storage.put('recordings/lost', content)).rejects.toThrow()
  await rm(join(root, 'first'), { recursive: true })
  await rename(join(root, 'away'), join(root, 'first'))
})

test('a new database takes no storage with recordings of another one', async () => {
  await (await claim('first')).put('recordings/one', Buffer.from('x'))
  const other = await createTestDatabase()
  await expect(claim('first', other)).rejects.toThrow(/holds the recordings of another database/)
  expect(await (await claim('other', other)).isUp()).toBe(true)
})
