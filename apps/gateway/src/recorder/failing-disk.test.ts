import type * as fs from 'node:fs/promises'
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FrameDecoder, frameType } from '@sallyport/contract/recording'
import { inflateFrames, loadChunk } from './folder.ts'
import { Recording } from './recording.ts'

/** What the recorder asks of the disk, in order, and which of it fails. */
const disk = vi.hoisted(() => ({ calls: [] as string[], isFailing: (_call: number): boolean => false }))

vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof fs>()
  const failed = (name: string) => Object.assign(new Error(`EIO: i/o error, ${name}`), { code: 'EIO' })
  const asked = (name: string) => {
    disk.calls.push(name)
    return disk.isFailing(disk.calls.length - 1)
  }
  const failable = (name: string, call: (...args: never[]) => Promise<unknown>) =>
    async function (this: unknown, ...args: never[]) {
      if (asked(name)) throw failed(name)
      return await call.apply(this, args)
    }
  const names = ['mkdir', 'writeFile', 'rename', 'rm', 'statfs'] as const
  const open = async (...args: Parameters<typeof real.open>) => {
    if (asked('open')) throw failed('open')
    const handle = await real.open(...args)
    const close = handle.close.bind(handle)
    return Object.assign(handle, {
      write: failable('write', handle.write.bind(handle) as never),
      truncate: failable('truncate', handle.truncate.bind(handle) as never),
      /** A file is closed, even when it says that something failed. */
      close: async () => {
        const fails = asked('close')
        await close()
        if (fails) throw failed('close')
      },
    })
  }
  return {
    ...real,
    open,
    ...Object.fromEntries(names.map((name) => [name, failable(name, real[name] as never)])),
  }
})

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-recording-'))
})
afterEach(async () => {
  disk.isFailing = () => false
  await rm(folder, { recursive: true })
})

/** The files below the folder that this process holds open. */
async function openFiles(): Promise<string[]> {
  const held = await readdir('/proc/self/fd')
  const files = await Promise.all(held.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  return files.filter((file) => file.startsWith(folder))
}

/** Two recordings of a session from their beginning to their end; what was said of failures, and what is on disk. */
async function record(name: string): Promise<{ said: string; kept: string }> {
  const said: string[] = []
  const tell = (error: unknown) => {
    if (error instanceof Error) said.push(error.message, String(error.cause))
  }
  const session = { id: '7d1c0000-0000-4000-8000-00000000000b', date_start: new Date().toISOString() }
  const first = await Recording.open(join(folder, name), session, 'terminal').catch(tell)
  const second = await first?.openBeside(2, 'command').catch(tell)
  const all = [first, second].filter((one) => one instanceof Recording)
  for (const recording of all) {
    recording.onFailure = tell
    recording.output(Buffer.from('shown'))
    await recording.flush().catch(tell)
    recording.output(Buffer.from(', at last'))
    await recording.close().catch(tell)
  }
  const kept: string[] = []
  for (const { folder, storedChunks } of all)
    for (const chunk of storedChunks) {
      const frames = new FrameDecoder().push(await inflateFrames(await loadChunk(folder, chunk)))
      kept.push(
        ...frames.filter(({ type }) => type === frameType.output).map(({ payload }) => String(payload)),
      )
    }
  return { said: said.join(), kept: kept.join('') }
}

test('whatever the disk refuses, once or from then on, no file stays open, and what is not kept is said', async () => {
  const whole = await record('well')
  expect(whole).toEqual({ said: '', kept: 'shown, at lastshown, at last' })
  const calls = disk.calls.splice(0)
  const all = 'mkdir statfs writeFile open write rename truncate rm close'
  expect(new Set(calls)).toEqual(new Set(all.split(' ')))
  for (const [at, name] of calls.entries())
    for (const isGone of [false, true]) {
      disk.isFailing = (call) => (isGone ? call >= at : call === at)
      const { said, kept } = await record(`${at} ${isGone}`)
      disk.isFailing = () => false
      disk.calls.length = 0
      const what = { call: at, name, isGone }
      expect({ ...what, open: await openFiles() }).toEqual({ ...what, open: [] })
      const told = name === 'write' ? `nothing can be recorded in ${folder}` : 'EIO'
      if (kept !== whole.kept)
        expect({ ...what, said }).toEqual({ ...what, said: expect.stringContaining(told) })
    }
})
