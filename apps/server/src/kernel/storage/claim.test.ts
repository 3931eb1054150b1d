import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ConfigError } from '../config.ts'
import { createTestDatabase } from '../testing/index.ts'
import { claimStorage, openFolderStorage } from './index.ts'

const root = await mkdtemp(join(tmpdir(), 'sallyport-claim-'))
afterAll(() => rm(root, { recursive: true }))
const database = await createTestDatabase()
const claim = async (name: string, of = database) =>
  await claimStorage(of, await openFolderStorage(join(root, name)), join(root, name))

test('servers share the storage the first of them claimed, and only that one', async () => {
  const claimed = await Promise.all([claim('first'), claim('first'), claim('first')])
  expect(await Promise.all(claimed.map((storage) => storage.isUp()))).toEqual([true, true, true])
  await expect(claim('own')).rejects.toThrow(ConfigError)
  await expect(claim('own')).rejects.toThrow(
    /own is not the one the database's recordings lie in; set SALLYPORT_STORAGE to the folder all servers of this database share/,
  )
})

test('a storage that was replaced while servers run is not well', async () => {
  const storage = await claim('first')
  await rename(join(root, 'first'), join(root, 'away'))
  expect(await storage.isUp()).toBe(false)
  await openFolderStorage(join(root, 'first'))
  expect(await storage.isUp()).toBe(false)
  await rm(join(root, 'first'), { recursive: true })
  await rename(join(root, 'away'), join(root, 'first'))
  expect(await storage.isUp()).toBe(true)
})

test('a new database takes no storage with recordings of another one', async () => {
  await (await claim('first')).put('recordings/one', Buffer.from('x'))
  const other = await createTestDatabase()
  await expect(claim('first', other)).rejects.toThrow(/holds the recordings of another database/)
  expect(await (await claim('other', other)).isUp()).toBe(true)
})
