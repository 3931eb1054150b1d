import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { pino } from 'pino'
import { decodeMark, frameType, headerOf, recordingsMax } from '@sallyport/contract/recording'
import type { Recording } from '../recorder/recording.ts'
import { Uploader } from '../recorder/uploader.ts'
import { startTestBench, type TestBench } from '../testing/gateway.ts'
import { Connections } from './connections.ts'
import type { Session } from './session.ts'
import type { Traffic, TrafficSession } from './traffic.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(async () => {
  await bench.stop()
})

/** Opens a second recording, and flows until it is let go. */
class TwoRecordings implements Traffic {
  readonly sessionType = 'normal'
  readonly recordingKind = 'terminal'
  readonly gone = Promise.withResolvers<undefined>()
  session: TrafficSession | undefined
  first: Recording | undefined
  second: Recording | undefined
  onLeave() {}
  prepare(session: TrafficSession, first: Recording) {
    this.session = session
    this.first = first
  }
  async open() {
    this.second = await this.session?.record('command')
  }
  relay() {
    return this.gone.promise
  }
  tell() {}
  end() {}
  async close() {}
}

async function begin(traffic: TwoRecordings): Promise<Session> {
  const { id } = bench.server.createToken(bench.user, bench.host)
  const session = bench.gateway.sessions.open({
    traffic,
    connections: new Connections(async () => ({ closed: new Promise(() => {}), end: () => {} })),
    ask: async () => ({ grant: await bench.gateway.api.tokenSecret(id, 'en') }),
    user_id: bench.user.id,
    login_from: 'ST',
    remote_addr: '127.0.0.9',
    language: 'en',
  })
  await expect.poll(() => session.state).toBe('live')
  return session
}

const arrived = (id: string) =>
  expect.poll(() => [id, `${id}/2`].map((name) => bench.server.recordings.get(name)?.finished !== undefined))
const textOf = async (name: string) => await bench.server.outputText(name)
async function endOf(name: string) {
  const last = (await bench.server.frames(name)).at(-1)
  return last?.type === frameType.mark ? decodeMark(last.payload) : undefined
}
const left = () => readdir(join(bench.config.folder, 'recordings'))

test('a session may have several recordings: each arrives whole with its own kind, and the folder goes', async () => {
  const traffic = new TwoRecordings()
  const { id, done } = await begin(traffic)
  traffic.first?.output(Buffer.from('on the screen'))
  traffic.second?.output(Buffer.from('beside it'))
  await expect.poll(() => bench.server.recordings.get(`${id}/2`)?.chunks.size).toBeGreaterThan(0)
  expect(await left()).toEqual([id])
  traffic.gone.resolve(undefined)
  expect(await done).toMatchObject({ reason: 'target_closed' })
  await arrived(id).toEqual([true, true])
  expect([await textOf(id), await textOf(`${id}/2`)]).toEqual(['on the screen', 'beside it'])
  const frames = await Promise.all([id, `${id}/2`].map((name) => bench.server.frames(name)))
  expect(frames.map((one) => headerOf(one).kind)).toEqual(['terminal', 'command'])
  const reason = 'target_closed'
  expect([await endOf(id), await endOf(`${id}/2`)]).toMatchObject([{ reason }, { reason }])
  await expect.poll(left).toEqual([])
})

test('they are counted in the same time', async () => {
  const traffic = new TwoRecordings()
  const { id, done } = await begin(traffic)
  const beforeMs = traffic.first?.elapsedMs ?? Infinity
  traffic.second?.output(Buffer.from('later'))
  traffic.gone.resolve(undefined)
  await done
  await arrived(id).toEqual([true, true])
  const shown = (await bench.server.frames(`${id}/2`)).find(({ type }) => type === frameType.output)
  expect(shown?.timeMs).toBeGreaterThanOrEqual(beforeMs)
})

test('one that cannot be written any more ends the session, and the others arrive', async () => {
  const traffic = new TwoRecordings()
  const { id, done } = await begin(traffic)
  traffic.first?.output(Buffer.from('on the screen'))
  await rm(traffic.second?.folder ?? '', { recursive: true })
  traffic.second?.output(Buffer.from('lost'))
  expect(await done).toMatchObject({ reason: 'recording_failed' })
  await expect.poll(() => bench.server.sessions.get(id)?.end_reason).toBe('recording_failed')
  await expect.poll(() => bench.server.recordings.get(id)?.finished).toBeTruthy()
  expect(await textOf(id)).toBe('on the screen')
})

test('what the disk does not take arrives once it takes it again, and the folder goes', async () => {
  const traffic = new TwoRecordings()
  const { id, done } = await begin(traffic)
  const place = traffic.first?.folder ?? ''
  traffic.first?.output(Buffer.from('on the screen'))
  await expect.poll(() => bench.server.recordings.get(id)?.chunks.size).toBeGreaterThan(0)
  await rename(place, `${place}-away`)
  await writeFile(place, '')
  traffic.first?.output(Buffer.from(', at last'))
  expect(await done).toMatchObject({ reason: 'recording_failed' })
  expect(bench.server.recordings.get(id)?.finished).toBeUndefined()
  await rm(place)
  await rename(`${place}-away`, place)
  await arrived(id).toEqual([true, true])
  expect(await textOf(id)).toBe('on the screen, at last')
  await expect.poll(left).toEqual([])
})

test('one that cannot be closed is a failed recording, whatever the session ended by', async () => {
  const traffic = new TwoRecordings()
  const { id, done } = await begin(traffic)
  traffic.first?.output(Buffer.from('on the screen'))
  vi.spyOn(traffic.first ?? expect.unreachable(), 'close').mockRejectedValueOnce(
    new Error('the disk is gone'),
  )
  traffic.gone.resolve(undefined)
  expect(await done).toMatchObject({ reason: 'recording_failed' })
  await expect
    .poll(() => bench.server.sessions.get(id))
    .toMatchObject({ end_reason: 'recording_failed', is_success: false })
})

test('one that cannot begin ends the session', async () => {
  const traffic = new TwoRecordings()
  const session = await begin(traffic)
  await writeFile(join(session.recording?.folder ?? '', '3'), '')
  await expect(session.record('terminal')).rejects.toThrow(/EEXIST|ENOTDIR/)
  expect(await session.done).toMatchObject({ reason: 'recording_failed' })
  await arrived(session.id).toEqual([true, true])
})

test('one more than a session may have ends it, and none is opened once it has ended', async () => {
  const traffic = new TwoRecordings()
  const session = await begin(traffic)
  await Promise.all(Array.from({ length: recordingsMax - 2 }, async () => await session.record('terminal')))
  await expect(session.record('terminal')).rejects.toThrow('64 recordings at most')
  expect(await session.done).toMatchObject({ reason: 'recording_failed' })
  await expect(session.record('terminal')).rejects.toThrow('nothing is recorded now')
  await expect
    .poll(() => bench.server.recordings.get(`${session.id}/${recordingsMax}`)?.finished)
    .toBeTruthy()
  await expect.poll(left).toEqual([])
})

test('one that is opened while the session ends arrives as the others', async () => {
  const session = await begin(new TwoRecordings())
  const opening = session.record('terminal')
  session.end({ reason: 'killed', detail: '' })
  await opening
  await expect.poll(() => bench.server.recordings.get(`${session.id}/3`)?.finished).toBeTruthy()
  expect(await endOf(`${session.id}/3`)).toMatchObject({ kind: 'end', reason: 'killed' })
  await expect.poll(left).toEqual([])
})

test('what the server will not take of one keeps all of them on disk, and the next start brings them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-recordings-'))
  const { id, uploader } = await killed(folder)
  const chunk = { bytes: Buffer.from('of another'), start_ms: 0, end_ms: 0, is_keyframe: false }
  bench.server.recordings.set(`${id}/2`, { chunks: new Map([[1, chunk]]) })
  await uploader.recover(() => Promise.resolve())
  await expect.poll(() => readdir(join(folder, 'recordings'))).toEqual([])
  expect(await readdir(join(folder, 'refused'))).toMatchObject([expect.stringContaining(id)])
  bench.server.recordings.delete(`${id}/2`)
  await uploader.recover(() => Promise.resolve())
  await arrived(id).toEqual([true, true])
  await expect.poll(() => readdir(join(folder, 'recordings'))).toEqual([])
  await uploader.drain(0)
  await rm(folder, { recursive: true })
})

/** What a recorder killed in the midst of a session with three recordings left in a folder, and how far it had come. */
async function killed(folder: string) {
  const id = randomUUID()
  const script = join(import.meta.dirname, '../testing/recorder-killed.ts')
  const recorder = spawn(process.execPath, [script, folder, id], { stdio: ['ignore', 'pipe', 'inherit'] })
  let lines = 0
  recorder.stdout.on('data', (data: Buffer) => (lines = Number(data.toString().trim().split('\n').at(-1))))
  // Longer than a chunk lasts: some of each is sealed, the rest in its journal.
  await expect.poll(() => lines, { timeout: 20_000 }).toBeGreaterThan(80)
  recorder.kill('SIGKILL')
  await once(recorder, 'exit')
  bench.server.sessions.set(id, { id, is_finished: false })
  return { id, lines, uploader: new Uploader(folder, bench.gateway.api, pino({ level: 'silent' })) }
}

test('killed, a gateway loses none of them: the next start brings every one, and tells the end once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-recordings-'))
  const { id, lines, uploader } = await killed(folder)
  const lost: string[] = []
  await uploader.recover(async (session) => void lost.push(session.id))
  const names = [id, `${id}/2`, `${id}/3`]
  await expect
    .poll(() => names.map((name) => bench.server.recordings.get(name)?.finished !== undefined))
    .toEqual([true, true, true])
  for (const [at, name] of names.entries())
    expect(await textOf(name)).toContain(`recording ${at + 1} line ${lines}\n`)
  expect(lost).toEqual([id])
  await expect.poll(() => readdir(join(folder, 'recordings'))).toEqual([])
  await uploader.drain(0)
  await rm(folder, { recursive: true })
})
