import { execFileSync } from 'node:child_process'
import { mkdtemp, open, readdir, readlink, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config.ts'
import { partsOf } from '../http/health.ts'
import { createLog } from '../log.ts'
import { createTestDatabase } from '../testing/index.ts'
import { claimStorage, FolderCalls, folderStorage } from './index.ts'

const away = { status: 503, code: 'storage_away' }
const database = await createTestDatabase()

/** A claimed storage with a recording in it, whose marker can be made to hang: nobody writes to the pipe that is opened in its place. */
async function storageThatHangs() {
  const root = await mkdtemp(join(tmpdir(), 'sallyport-hanging-'))
  const marker = join(root, 'storage-id')
  const said: string[] = []
  const log = createLog('info', 'test', {
    write: (line: string) => void said.push((JSON.parse(line) as { msg: string }).msg),
  })
  const calls = new FolderCalls(root, log, { answersWithinMs: 300 })
  const storage = await claimStorage({ db: database.db, log }, folderStorage(root, calls), root)
  const recovers = async () => {
    await rename(marker, join(root, 'pipe'))
    await rename(join(root, 'kept-id'), marker)
    await (await open(join(root, 'pipe'), 'r+')).close()
  }
  const hangs = async () => {
    await rename(marker, join(root, 'kept-id'))
    execFileSync('mkfifo', [marker])
  }
  onTestFinished(async () => {
    if ((await stat(marker)).isFIFO()) await recovers()
    await rm(root, { recursive: true })
    await database.db.execute('delete from claimed_storage')
  })
  return { root, storage, said, hangs, recovers }
}

test('a storage that hangs is answered for in time, then at once, and takes no more than half of the threads', async () => {
  const { root, storage, said, hangs, recovers } = await storageThatHangs()
  await hangs()
  const puts = Array.from({ length: 30 }, (_, number) =>
    storage.put(`recordings/${number}`, Buffer.from('x')),
  )
  for (const put of await Promise.allSettled(puts))
    expect(put).toMatchObject({ status: 'rejected', reason: away })
  const begun = performance.now()
  for (let times = 0; times < 20; times++) {
    await expect(storage.put('recordings/one', Buffer.from('x'))).rejects.toMatchObject(away)
    await expect(storage.get('recordings/one')).rejects.toMatchObject(away)
    await expect(Array.fromAsync(storage.list('recordings/'))).rejects.toMatchObject(away)
    expect(await storage.isUp()).toBe(false)
  }
  expect(performance.now() - begun).toBeLessThan(250)
  // Both need a thread.
  await promisify(gzip)('compressed')
  await writeFile(join(root, 'elsewhere'), 'written')
  expect(said).toEqual([expect.stringMatching(/^the storage does not answer/)])

  await recovers()
  await expect.poll(() => said.at(-1)).toBe('the storage answers again')
  await expect.poll(() => storage.isUp()).toBe(true)
  await storage.put('recordings/one', Buffer.from('stored'))
  const found = await storage.get('recordings/one')
  expect(found && (await text(found.stream))).toBe('stored')
})

test('who reads a recording of a storage that hangs meanwhile is told, and its file is closed once it can be', async () => {
  const { root, storage, hangs, recovers } = await storageThatHangs()
  await storage.put('recordings/one', Buffer.alloc(1 << 20))
  const found = await storage.get('recordings/one')
  await hangs()
  await expect(storage.put('recordings/two', Buffer.from('x'))).rejects.toMatchObject(away)
  await expect(found && text(found.stream)).rejects.toMatchObject(away)
  await recovers()
  await expect.poll(() => openFiles(root)).toEqual([])
})

test('health says that the storage hangs, and nothing else', async () => {
  const { root, storage, hangs } = await storageThatHangs()
  await hangs()
  const up = { isHearing: () => true, isUp: () => Promise.resolve(true) } as never
  const config = readConfig({ SALLYPORT_DATA: tmpdir(), SALLYPORT_STORAGE: root })
  const parts = partsOf({ config, jobs: up, live: up, storage })
  const begun = performance.now()
  for (let times = 0; times < 6; times++) {
    expect(await parts()).toEqual({
      live_status: true,
      jobs_status: true,
      storage_status: false,
      disk_status: true,
      db_disk_status: true,
    })
  }
  expect(performance.now() - begun).toBeLessThan(3000)
})

async function openFiles(root: string): Promise<string[]> {
  const held = await readdir('/proc/self/fd')
  const files = await Promise.all(held.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  return files.filter((file) => file.startsWith(root))
}
