import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { exec, shell } from '../testing/client.ts'
import { startTestBench, type TestBench } from '../testing/gateway.ts'

const isRoot = process.getuid?.() === 0
const mebibyte = 1024 * 1024

let folder = ''
let bench: TestBench
/** A gateway whose data are on a small disk of their own. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-disk-'))
  if (isRoot) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'none', folder])
  bench = await startTestBench({ SALLYPORT_DATA: folder })
})
afterEach(async () => {
  await bench.stop()
  if (isRoot) execFileSync('umount', [folder])
  await rm(folder, { recursive: true, force: true })
})

test.runIf(isRoot)('on a disk without room nothing runs, and the books say so', async () => {
  await writeFile(join(folder, 'filler'), Buffer.alloc(10 * mebibyte))
  const client = exec('echo should-not-run').collect()
  const session = bench.open(client)
  expect(await session.done).toMatchObject({ reason: 'recording_failed' })
  expect(client.text).toBe('')
  expect(client.notices[0]).toContain('could not be recorded')
  await expect
    .poll(() => bench.server.sessions.get(session.id))
    .toMatchObject({ end_reason: 'recording_failed', is_success: false })
  expect(await readdir(join(bench.config.folder, 'recordings'))).toEqual([])
  await rm(join(folder, 'filler'))
  const later = exec('echo runs').collect()
  expect(await bench.open(later).done).toMatchObject({ reason: 'target_closed' })
  expect(later.text).toBe('runs\n')
})

test.runIf(isRoot)(
  'a disk that becomes full ends the session, and what was shown can be replayed',
  async () => {
    const client = shell().collect()
    const session = bench.open(client)
    await expect.poll(() => client.tail).toMatch(/\$ $/)
    await writeFile(join(folder, 'filler'), Buffer.alloc(40 * mebibyte)).catch(() => undefined)
    client.type('echo shown-at-last\n')
    expect(await session.done).toMatchObject({ reason: 'recording_failed' })
    await expect
      .poll(() => bench.server.sessions.get(session.id))
      .toMatchObject({ end_reason: 'recording_failed', is_success: false })
    await expect.poll(() => bench.server.recordings.get(session.id)?.finished).toBeTruthy()
    const shown = client.text
    expect(shown).toContain('shown-at-last')
    expect((await bench.server.outputText(session.id)).startsWith(shown)).toBe(true)
  },
)

test.runIf(isRoot)('what is left on the disk is part of what the gateway says of itself', async () => {
  await expect
    .poll(() => bench.server.statuses.at(-1)?.disk)
    .toMatchObject({ total_bytes: 24 * mebibyte, is_low: true })
})

test.runIf(isRoot)('a disk that cannot be written to has no room, whatever is free', async () => {
  await expect.poll(() => bench.server.statuses.at(-1)?.disk).toBeDefined()
  expect(bench.server.statuses.at(-1)?.disk).not.toMatchObject({ free_bytes: 0 })
  // What is open stays open, as on a disk the kernel has made read-only after an error.
  execFileSync('mount', ['--bind', folder, folder])
  execFileSync('mount', ['-o', 'remount,bind,ro', folder])
  await expect
    .poll(() => bench.server.statuses.at(-1)?.disk, { timeout: 10_000 })
    .toMatchObject({ free_bytes: 0, is_low: true })
  execFileSync('umount', [folder])
})
