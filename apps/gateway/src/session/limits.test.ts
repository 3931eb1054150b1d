import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { frameType } from '@sallyport/contract/recording'
import { exec, shell } from '../testing/client.ts'
import { startTestBench, type TestBench } from '../testing/gateway.ts'

let bench: TestBench
const start = async (settings: Record<string, unknown> = {}) => {
  bench = await startTestBench({}, settings)
}
afterEach(async () => {
  await bench.stop()
})

const reasonOf = (id: string) => bench.server.sessions.get(id)?.end_reason

test('a session in which nothing happens ends, one with traffic goes on', async () => {
  await start({ SECURITY_MAX_IDLE_TIME: 1 / 60 })
  const idle = shell().collect()
  const busy = exec('for i in $(seq 1 30); do echo $i; sleep 0.1; done').collect()
  const idleSession = bench.open(idle)
  const busySession = bench.open(busy)
  expect(await idleSession.done).toMatchObject({ reason: 'idle' })
  expect(idle.notices[0]).toMatch(/^Disconnected: nothing happened for/)
  expect(await busySession.done).toMatchObject({ reason: 'target_closed' })
  expect(busy.text).toContain('\n30\n')
  await expect.poll(() => reasonOf(idleSession.id)).toBe('idle')
})

test('what a person has not taken of the output keeps a session whose program has ended, until nothing happens for too long', async () => {
  await start({ SECURITY_MAX_IDLE_TIME: 1 / 60 })
  const { readableHighWaterMark: room } = exec('').stdout
  const bytes = 2 * room - 2000
  const half = `head -c ${room - 1000} /dev/zero`
  const script = `${half}; sleep 0.1; ${half}; exit 4`
  const slow = exec(script)
  const session = bench.open(slow)
  expect(await session.done).toMatchObject({ reason: 'idle' })
  const later = exec(script)
  const whole = bench.open(later)
  await expect.poll(() => later.stdout.readableLength).toBeGreaterThan(room)
  later.collect()
  expect(await whole.done).toMatchObject({ reason: 'target_closed' })
  expect([later.outputBytes, await later.exited]).toEqual([bytes, { kind: 'status', code: 4 }])
})

test('a session ends when the longest time has passed', async () => {
  await start({ SECURITY_MAX_SESSION_TIME: 1 / 3600 })
  const client = exec('while :; do echo x; sleep 0.05; done').collect()
  const session = bench.open(client)
  expect(await session.done).toMatchObject({ reason: 'max_time' })
  expect(client.notices[0]).toContain('the longest allowed session time')
  await expect.poll(() => reasonOf(session.id)).toBe('max_time')
})

test('a session ends when the permission expires', async () => {
  await start()
  bench.server.revoke(bench.user)
  bench.server.allow(bench.user, bench.host, { expire_at: Math.floor(Date.now() / 1000) + 2 })
  const client = shell().collect()
  const session = bench.open(client)
  expect(await session.done).toMatchObject({ reason: 'permission_expired' })
  expect(client.notices).toEqual(['Disconnected: your permission for this asset has expired'])
  await expect.poll(() => reasonOf(session.id)).toBe('permission_expired')
})

test('a person has only so many sessions at one time, others are not held up by that', async () => {
  await start({ TERMINAL_MAX_SESSIONS_PER_USER: 2 })
  const first = shell().collect()
  const sessions = [bench.open(first), bench.open(shell().collect())]
  const third = shell().collect()
  expect(await bench.open(third).done).toMatchObject({ reason: 'refused' })
  expect(third.notices).toEqual([
    'Access was refused: You have 2 sessions already, and may have no more at one time. End one of them',
  ])
  const other = exec('true').collect()
  expect(await bench.open(other, { user_id: 'somebody else' }).done).toMatchObject({
    reason: 'target_closed',
  })
  first.leave()
  const again = exec('exit 3').collect()
  expect(await bench.open(again).done).toMatchObject({ reason: 'target_closed' })
  for (const session of sessions) session.end({ reason: 'killed', detail: '' })
})

test('a grant without the action connect opens nothing', async () => {
  await start()
  bench.server.revoke(bench.user)
  bench.server.allow(bench.user, bench.host, { actions: ['upload'] })
  const client = shell().collect()
  expect(await bench.open(client).done).toMatchObject({ reason: 'refused' })
  expect(bench.server.sessions.size).toBe(0)
})

test('without a recording there is no session: nothing reaches the target', async () => {
  await start()
  const recordings = join(bench.config.folder, 'recordings')
  await rename(recordings, `${recordings}-away`)
  await writeFile(recordings, '')
  const client = exec('echo should-not-run').collect()
  const session = bench.open(client)
  expect(await session.done).toMatchObject({ reason: 'recording_failed' })
  expect(client.text).toBe('')
  expect(client.notices[0]).toContain('could not be recorded')
  await expect.poll(() => reasonOf(session.id)).toBe('recording_failed')
  await rm(recordings)
  await rename(`${recordings}-away`, recordings)
})

test('a running session ends when its recording cannot be written any more', async () => {
  await start()
  const client = shell().collect()
  const session = bench.open(client)
  await expect.poll(() => session.state).toBe('live')
  const folder = session.recording?.folder ?? ''
  await rm(folder, { recursive: true })
  client.type('echo more\n')
  expect(await session.done).toMatchObject({ reason: 'recording_failed' })
})

test('a client that stops reading pauses the target; it can still be ended at once', async () => {
  await start()
  const client = shell()
  const session = bench.open(client)
  client.type('yes flood\n')
  await expect.poll(() => client.stdout.writableNeedDrain).toBe(true)
  const before = process.memoryUsage().arrayBuffers
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30_000_000)
  bench.server.kill(session.id, { terminated_by: 'Eve(eve)' })
  expect(await session.done).toMatchObject({ reason: 'killed' })
})

test('a long recording has keyframes to seek by, each painting the screen of its moment', async () => {
  await start()
  const client = shell().collect()
  const session = bench.open(client)
  client.type('echo before-the-keyframe\n')
  await expect.poll(() => session.recording?.elapsedMs, { timeout: 15_000 }).toBeGreaterThan(5100)
  client.type('exit\n')
  await session.done
  await expect.poll(() => bench.server.recordings.get(session.id)?.finished).toBeTruthy()
  const chunks = [...(bench.server.recordings.get(session.id)?.chunks.values() ?? [])]
  expect(chunks.filter((chunk) => chunk.is_keyframe)).toHaveLength(1)
  const frames = await bench.server.frames(session.id)
  const snapshot = frames.find((frame) => frame.type === frameType.snapshot)
  expect(snapshot?.payload.subarray(4).toString()).toContain('before-the-keyframe')
}, 30_000)

test('nothing stays on disk when the server has everything', async () => {
  await start()
  const client = exec('echo done').collect()
  await bench.open(client).done
  await expect.poll(() => readdir(join(bench.config.folder, 'recordings'))).toEqual([])
  await expect.poll(() => readdir(join(bench.config.folder, 'ends'))).toEqual([])
  await expect.poll(() => readdir(join(bench.config.folder, 'commands'))).toEqual([])
})

test.each([
  ['is not kept, for it may be a password', {}, ''],
  ['is kept where the setting says so', { TERMINAL_RECORD_EXEC_INPUT: true }, 'hunter2\n'],
])('what a command is sent %s', async (_name, settings, kept) => {
  await start(settings)
  const client = exec('cat > /dev/null').collect()
  const session = bench.open(client)
  client.stdin.end('hunter2\n')
  await session.done
  await expect.poll(() => bench.server.recordings.get(session.id)?.finished).toBeTruthy()
  const frames = await bench.server.frames(session.id)
  const input = frames.filter((frame) => frame.type === frameType.inputContent)
  expect(Buffer.concat(input.map((frame) => frame.payload)).toString()).toBe(kept)
})
