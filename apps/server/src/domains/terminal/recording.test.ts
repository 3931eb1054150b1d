import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { defaultOrgId, roleIds, rootOrgId } from '@sallyport/contract'
import {
  decodeFrames,
  encodeFrame,
  encodeHeader,
  frameType,
  type FrameType,
} from '@sallyport/contract/recording'
import { storedCommand, storedTerminal } from '@sallyport/contract/recording-stored'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { startTestSystem } from '../../testing.ts'
import { createLog } from '../../kernel/log.ts'
import { createSettings } from '../settings/index.ts'
import { longestTurnMs } from '../../kernel/testing/turns.ts'
import { castOf } from './cast.ts'
import { clean } from './jobs.ts'
import { chunksOf } from './recording.ts'
import { recordingChunks, sessions } from './tables.ts'
import { begin, chunkOf, person, putChunk } from './testing.ts'

const system = await startTestSystem()
const admin = await system.admin()
const gateway = await system.component('gateway-1')
const auditor = await person(system, admin, 'auditor', roleIds.orgAuditor)
const user = await person(system, admin, 'user')

const read = (path: string, org = defaultOrgId) => auditor.client.get(path, { org })

describe('a recording', () => {
  test('is taken in chunks: the same one twice is stored once, a different one is refused', async () => {
    const session = await begin(gateway)
    const chunk = chunkOf('hello', 0, { cols: 100, rows: 30 })
    expect((await putChunk(gateway, session, 1, chunk)).status).toBe(201)
    expect((await putChunk(gateway, session, 1, chunk)).status).toBe(200)
    expect(await putChunk(gateway, session, 1, chunkOf('other'))).toMatchObject({
      status: 409,
      body: { code: 'chunk_differs' },
    })
    const { body } = await read(`terminal/sessions/${session}/recording/`)
    expect(body).toEqual({
      kind: 'terminal',
      version: 0,
      cols: 100,
      rows: 30,
      duration_ms: 500,
      is_complete: false,
      chunks: [{ number: 1, start_ms: 0, end_ms: 500, size: chunk.bytes.byteLength, is_keyframe: false }],
    })
    const stored = []
    for await (const object of system.ground.storage.list('recordings/'))
      if (object.key.includes(session)) stored.push(object.key)
    expect(stored).toHaveLength(1)
  })

  test('is finished by its last chunk, and by none while others are missing', async () => {
    const session = await begin(gateway)
    const last = { 'x-recording-chunks': '2', 'x-recording-ms': '1500' }
    const second = chunkOf('second', 1000)
    expect(await putChunk(gateway, session, 2, second, last)).toMatchObject({ status: 201, body: {} })
    expect((await read(`terminal/sessions/${session}/recording/`)).body).toMatchObject({ is_complete: false })
    const first = await putChunk(gateway, session, 1, chunkOf('first'), last)
    expect(first).toMatchObject({ status: 201, body: { is_complete: true } })
    expect((await read(`terminal/sessions/${session}/recording/`)).body).toMatchObject({
      is_complete: true,
      duration_ms: 1500,
    })
    expect((await read(`terminal/sessions/${session}/`)).body).toMatchObject({ has_replay: true })
    expect(await putChunk(gateway, session, 2, second, last)).toMatchObject({
      status: 200,
      body: { is_complete: true },
    })
    expect((await putChunk(gateway, session, 3, chunkOf('more'))).status).toBe(409)
  })

  test('says of which kind it is; what was stored before recordings said so is shown as what it is', async () => {
    const indexOf = async (frames: Uint8Array) => {
      const session = await begin(gateway)
      const chunk = { ...chunkOf('any'), bytes: zstdCompressSync(frames) }
      expect((await putChunk(gateway, session, 1, chunk)).status).toBe(201)
      const { body } = await read(`terminal/sessions/${session}/recording/`)
      return [body.kind, body.version, body.cols]
    }
    expect(await indexOf(Buffer.from(storedTerminal, 'base64'))).toEqual(['terminal', 0, 91])
    expect(await indexOf(Buffer.from(storedCommand, 'base64'))).toEqual(['command', 0, 80])
    const header = encodeFrame(frameType.header, 0, encodeHeader('command'))
    expect(await indexOf(header)).toEqual(['command', 1, 80])
    const tomorrow = encodeFrame(100 as FrameType, 0, new Uint8Array(10))
    expect(await indexOf(Buffer.concat([header, tomorrow]))).toEqual(['command', 1, 80])
  })

  test.each<[string, Uint8Array]>([
    ['is no recording', Buffer.from('no frames')],
    ['is of no kind that fits', encodeFrame(frameType.header, 0, encodeHeader('k'.repeat(33) as 'terminal'))],
    ['has half a size', encodeFrame(frameType.resize, 0, new Uint8Array(2))],
  ])('whose beginning %s says so where it is opened', async (_what, frames) => {
    const session = await begin(gateway)
    const chunk = { ...chunkOf('any'), bytes: zstdCompressSync(frames) }
    expect((await putChunk(gateway, session, 1, chunk)).status).toBe(201)
    for (const path of ['recording', 'replay/cast'])
      expect(await read(`terminal/sessions/${session}/${path}/`)).toMatchObject({
        status: 409,
        body: { code: 'recording_unreadable' },
      })
    expect((await read(`terminal/sessions/${session}/recordings/`)).status).toBe(200)
  })

  test.each<[string, Buffer | undefined]>([
    ['lost', undefined],
    ['damaged', Buffer.from('no zstd')],
  ])('whose beginning was %s in the storage says so where it is opened', async (_what, left) => {
    const session = await begin(gateway)
    expect((await putChunk(gateway, session, 1, chunkOf('any'))).status).toBe(201)
    const { storage } = system.ground
    for await (const { key } of storage.list('recordings/'))
      if (key.includes(session)) await (left ? storage.put(key, left) : storage.delete(key))
    for (const path of ['recording', 'recordings/1', 'replay/cast', 'replay/download'])
      expect([path, await read(`terminal/sessions/${session}/${path}/`)]).toMatchObject([
        path,
        { status: 409, body: { code: 'recording_unreadable' } },
      ])
  })

  test('is refused where it is damaged, unreadable or too large when inflated', async () => {
    const session = await begin(gateway)
    const chunk = chunkOf('hello')
    const damaged = await putChunk(gateway, session, 1, chunk, { 'x-chunk-sha256': 'a'.repeat(64) })
    expect(damaged).toMatchObject({ status: 400, body: { code: 'chunk_checksum' } })
    const plain = await putChunk(gateway, session, 1, { ...chunk, bytes: Buffer.from('not zstd') })
    expect(plain).toMatchObject({ status: 400, body: { code: 'chunk_not_zstd' } })
    const bomb = await putChunk(gateway, session, 1, chunkOf('0'.repeat(1_000_000)))
    expect(bomb.status).toBe(201)
    const more = Buffer.concat(Array.from({ length: 4 }, () => chunkOf('0'.repeat(1_000_000)).bytes))
    expect(await putChunk(gateway, session, 2, { ...chunk, bytes: more })).toMatchObject({
      status: 400,
      body: { code: 'chunk_not_zstd' },
    })
    expect((await putChunk(gateway, '00000000-0000-4000-8000-000000000000', 1, chunk)).status).toBe(404)
  })

  test('is there when something of it is, whatever its component says', async () => {
    const session = await begin(gateway)
    const url = `terminal/sessions/${session}/`
    const said = { has_replay: true }
    expect((await gateway.patch(url, said)).body).toMatchObject({ has_replay: false, can_replay: false })
    const ended = { id: session, is_finished: true, has_replay: true }
    expect((await gateway.patch('terminal/sessions/', [ended])).body).toMatchObject([{ can_replay: false }])
    expect((await read(`${url}replay/`)).status).toBe(404)
    await putChunk(gateway, session, 1, chunkOf('one'))
    expect((await gateway.patch(url, said)).body).toMatchObject({ has_replay: true, can_replay: true })
    expect((await read(`${url}replay/`)).status).toBe(200)
    // What was recorded stays, whatever is said later.
    expect((await gateway.patch(url, { has_replay: false })).body).toMatchObject({ can_replay: true })
  })

  test('is finished when every chunk is there; until then the missing ones are named', async () => {
    const session = await begin(gateway)
    const finish = () =>
      gateway.post(`terminal/sessions/${session}/recording/finish/`, {
        chunks: 3,
        duration_ms: 1500,
        bytes: 300,
      })
    await putChunk(gateway, session, 2, chunkOf('two', 500))
    expect(await finish()).toMatchObject({ status: 409, body: { code: 'chunks_missing', missing: [1, 3] } })
    await putChunk(gateway, session, 1, chunkOf('one'))
    await putChunk(gateway, session, 3, chunkOf('three', 1000))
    expect((await finish()).status).toBe(200)
    expect((await finish()).status).toBe(200)
    const less = { chunks: 1, duration_ms: 1, bytes: 1 }
    await gateway.post(`terminal/sessions/${session}/recording/finish/`, less)
    expect((await read(`terminal/sessions/${session}/`)).body).toMatchObject({
      has_replay: true,
      can_replay: true,
    })
    expect((await read(`terminal/sessions/${session}/recording/`)).body).toMatchObject({
      is_complete: true,
      duration_ms: 1500,
      chunks: [{ number: 1 }, { number: 2 }, { number: 3 }],
    })
    expect((await putChunk(gateway, session, 4, chunkOf('late'))).status).toBe(409)
    expect((await putChunk(gateway, session, 3, chunkOf('three', 1000))).status).toBe(200)
  })

  test.for([
    ['its gateway was lost', 'gateway_lost'],
    ['it failed', 'recording_failed'],
  ] as const)('is not called complete when %s: the last second may be missing', async ([, end_reason]) => {
    const session = await begin(gateway)
    await putChunk(gateway, session, 1, chunkOf('one'))
    await gateway.patch(`terminal/sessions/${session}/`, { is_finished: true, end_reason })
    const finish = { chunks: 1, duration_ms: 500, bytes: 100 }
    expect((await gateway.post(`terminal/sessions/${session}/recording/finish/`, finish)).status).toBe(200)
    expect((await read(`terminal/sessions/${session}/recording/`)).body).toMatchObject({ is_complete: false })
  })

  test('comes as zstd to those who take it, else inflated', async () => {
    const session = await begin(gateway)
    const chunk = chunkOf('in the clear')
    await putChunk(gateway, session, 1, chunk)
    const path = `terminal/sessions/${session}/recording/chunks/1/`
    const packed = await auditor.client.get(path, {
      org: defaultOrgId,
      headers: { 'accept-encoding': 'gzip, zstd' },
    })
    expect(packed.headers['content-encoding']).toBe('zstd')
    expect(packed.bytes.equals(chunk.bytes)).toBe(true)
    const plain = await auditor.client.get(path, {
      org: defaultOrgId,
      headers: { 'accept-encoding': 'gzip' },
    })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.bytes.equals(zstdDecompressSync(chunk.bytes))).toBe(true)
    expect(decodeFrames(plain.bytes)).toMatchObject([{ type: 1 }])
  })

  test('is viewed by whoever reads a chunk of it: written down once for a person, not for each chunk', async () => {
    const session = await begin(gateway)
    await putChunk(gateway, session, 1, chunkOf('one'))
    await putChunk(gateway, session, 2, chunkOf('two', 500))
    for (const number of [1, 2])
      expect((await read(`terminal/sessions/${session}/recording/chunks/${number}/`)).status).toBe(200)
    const { rows } = await system.database.pool.query(
      'select action, "user" from operate_logs where resource_id = $1',
      [session],
    )
    expect(rows).toEqual([{ action: 'view', user: 'AUDITOR(auditor)' }])
  })

  test('is unreadable without the right to it, in another organization, and for nobody', async () => {
    const session = await begin(gateway)
    await putChunk(gateway, session, 1, chunkOf('secret'))
    const paths = ['recording/', 'recording/chunks/1/', 'replay/', 'replay/cast/', 'replay/download/']
    const other = await admin.post('orgs/orgs/', { name: 'Other' })
    for (const path of paths) {
      const url = `terminal/sessions/${session}/${path}`
      expect((await read(url)).status, path).toBe(200)
      expect((await user.client.get(url, { org: defaultOrgId })).status, path).toBe(403)
      expect((await system.client().get(url)).status, path).toBe(401)
      expect((await admin.get(url, { org: String(other.body['id']) })).status, path).toBe(404)
      // The auditor of one organization is nobody in another one.
      expect((await read(url, String(other.body['id']))).status, path).toBe(403)
    }
  })

  test('is written by the component that carries the session, and by nobody else', async () => {
    const session = await begin(gateway)
    const stranger = await system.component('gateway-2')
    expect((await putChunk(stranger, session, 1, chunkOf('x'))).status).toBe(409)
    expect((await stranger.patch(`terminal/sessions/${session}/`, { is_finished: true })).status).toBe(409)
    expect((await putChunk(admin, session, 1, chunkOf('x'))).status).toBe(403)
    expect((await admin.patch(`terminal/sessions/${session}/`, { is_finished: true })).status).toBe(403)
    expect((await admin.post('terminal/sessions/', {})).status).toBe(403)
  })

  test('is taken along as asciicast, whole characters at their times', async () => {
    const session = await begin(gateway)
    const euro = Buffer.from('10 €')
    await putChunk(gateway, session, 1, chunkOf('$ ls\r\n', 0, { cols: 100, rows: 30 }))
    await putChunk(gateway, session, 2, chunkOf(euro.subarray(0, 4), 1500))
    await putChunk(gateway, session, 3, chunkOf(euro.subarray(4), 1750))
    const replay = await read(`terminal/sessions/${session}/replay/`)
    expect(replay.body).toMatchObject({ type: 'asciicast', user: 'Ann(ann)' })
    const cast = (await read(String(replay.body['src']))).bytes.toString()
    const lines = cast
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as unknown)
    expect(lines[0]).toMatchObject({ version: 2, width: 100, height: 30 })
    expect(lines.slice(1)).toEqual([
      [0, 'r', '100x30'],
      [0, 'o', '$ ls\r\n'],
      [1.5, 'o', '10 '],
      [1.75, 'o', '€'],
    ])
    const tar = await read(`terminal/sessions/${session}/replay/download/`)
    expect(tar.headers['content-disposition']).toContain(`${session}.tar`)
    const folder = await mkdtemp(join(tmpdir(), 'sallyport-tar-'))
    await writeFile(join(folder, 'a.tar'), tar.bytes)
    await promisify(execFile)('tar', ['-xf', 'a.tar'], { cwd: folder })
    expect(gunzipSync(await readFile(join(folder, `${session}.cast.gz`))).toString()).toBe(cast)
    expect(JSON.parse(await readFile(join(folder, `${session}.json`), 'utf8'))).toMatchObject({ id: session })
    await rm(folder, { recursive: true })
  })

  test('of a component that packs half a million frames into a chunk costs nobody else their turn', async () => {
    const session = await begin(gateway)
    const frame = encodeFrame(frameType.output, 0, Buffer.from('x'))
    const bytes = zstdCompressSync(Buffer.concat(Array.from({ length: 500_000 }, () => frame)))
    const { database, storage } = system.ground
    const stored = await longestTurnMs(() => putChunk(gateway, session, 1, { ...chunkOf('x'), bytes }))
    const [row] = await database.db.select().from(sessions).where(eq(sessions.id, session))
    const chunks = await chunksOf(database.db, session)
    if (row === undefined) throw new Error('no session')
    const turns = {
      stored,
      index: await longestTurnMs(() => read(`terminal/sessions/${session}/recording/`)),
      told: await longestTurnMs(() => Array.fromAsync(castOf(storage, row, chunks))),
    }
    for (const [what, ms] of Object.entries(turns)) expect(ms, what).toBeLessThan(150)
  })

  test('goes when it was kept long enough, with its commands and files; what is younger or runs stays', async () => {
    const long = new Date(Date.now() - 201 * 86_400_000).toISOString()
    const [old, running, young] = [
      await begin(gateway, { date_start: long }),
      await begin(gateway, { date_start: long }),
      await begin(gateway),
    ]
    for (const id of [old, running, young]) {
      await putChunk(gateway, id, 1, chunkOf('x'))
      if (id !== running) await gateway.patch(`terminal/sessions/${id}/`, { is_finished: true })
    }
    const { database, storage } = system.ground
    const { TERMINAL_SESSION_KEEP_DURATION: days } = await createSettings(system.ground).all()
    const log = Object.assign(() => Promise.resolve(), { hide: () => {} })
    const { signal } = new AbortController()
    expect(await clean(database.db, storage, days, { log, signal, progress: () => {} })).toEqual({
      sessions: 1,
      kept: 0,
    })
    const keys = []
    for await (const { key } of system.ground.storage.list('recordings/')) keys.push(key.split('/')[2])
    expect(keys).not.toContain(old)
    expect(keys).toEqual(expect.arrayContaining([running, young]))
    expect((await read(`terminal/sessions/${old}/`)).status).toBe(404)
    expect((await read(`terminal/sessions/${running}/`)).status).toBe(200)
    expect((await read(`terminal/sessions/${young}/recording/`)).status).toBe(200)
  })

  test('stays on the books when its files are not where they should be, and cleaning says so', async () => {
    const date_start = new Date(Date.now() - 201 * 86_400_000).toISOString()
    const [here, elsewhere] = [await begin(gateway, { date_start }), await begin(gateway, { date_start })]
    for (const id of [here, elsewhere]) {
      await putChunk(gateway, id, 1, chunkOf('x'))
      await gateway.patch(`terminal/sessions/${id}/`, { is_finished: true })
    }
    const { database, storage } = system.ground
    for await (const { key } of storage.list('recordings/'))
      if (key.includes(elsewhere)) await storage.delete(key)
    const said: string[] = []
    const log = Object.assign((line: string) => Promise.resolve(void said.push(line)), { hide: () => {} })
    const { signal } = new AbortController()
    expect(await clean(database.db, storage, 200, { log, signal, progress: () => {} })).toEqual({
      sessions: 1,
      kept: 1,
    })
    expect(said[1]).toMatch(/^1 more stay, because their recordings are not in the storage/)
    expect((await read(`terminal/sessions/${here}/`)).status).toBe(404)
    expect((await read(`terminal/sessions/${elsewhere}/`)).status).toBe(200)
    expect(await database.db.$count(recordingChunks, eq(recordingChunks.session_id, elsewhere))).toBe(1)
  })

  test('while the storage is away, chunks stay with the gateway and reading says why', async () => {
    const [session, other] = [await begin(gateway), await begin(gateway)]
    await putChunk(gateway, session, 1, chunkOf('one'))
    const { storageDir } = system.ground.config
    await rename(storageDir, `${storageDir}-away`)
    // What is left where something was mounted.
    await mkdir(join(storageDir, '.incoming'), { recursive: true })
    const away = { status: 503, body: { code: 'storage_away' } }
    try {
      expect(await putChunk(gateway, session, 2, chunkOf('two', 500))).toMatchObject(away)
      expect(await putChunk(gateway, other, 1, chunkOf('one'))).toMatchObject(away)
      for (const path of ['recording/', 'recording/chunks/1/', 'replay/cast/', 'replay/download/']) {
        const answer = await read(`terminal/sessions/${session}/${path}`)
        expect([path, answer]).toMatchObject([path, away])
        expect(answer.body['detail']).toMatch(/^The storage with the recordings cannot be reached/)
      }
    } finally {
      await rm(storageDir, { recursive: true })
      await rename(`${storageDir}-away`, storageDir)
    }
    expect((await putChunk(gateway, session, 2, chunkOf('two', 500))).status).toBe(201)
    const { bytes } = await read(`terminal/sessions/${session}/replay/cast/`)
    expect(bytes.toString()).toMatch(/one[^]*two/)
  })

  test('that breaks off while it is sent is cut, and the log says why once', async () => {
    const session = await begin(gateway)
    await putChunk(gateway, session, 1, chunkOf('one'))
    await putChunk(gateway, session, 2, chunkOf('two', 500))
    const { storage } = system.ground
    for await (const { key } of storage.list('recordings/'))
      if (key.includes(`${session}/2-`)) await storage.delete(key)
    const said: string[] = []
    const node = await system.anotherNode({
      log: createLog('info', 'test', { write: (line) => said.push(line) }),
    })
    const origin = await node.listen({ host: '127.0.0.1', port: 0 })
    const cookie = [...auditor.client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(`${origin}/api/v1/terminal/sessions/${session}/replay/cast/`, {
      headers: { cookie, 'x-jms-org': defaultOrgId },
    })
    await expect(answer.text()).rejects.toThrow('terminated')
    const faults = said.map((line) => JSON.parse(line) as { level: number }).filter(({ level }) => level > 30)
    expect(faults).toMatchObject([
      { msg: 'an answer broke off', err: { message: expect.stringMatching(/^the storage lacks/) } },
    ])
  })

  test('whose readers go away leaves no file open', async () => {
    const session = await begin(gateway)
    // More than sockets hold: who reads nothing has the file open.
    const frame = encodeFrame(frameType.output, 0, randomBytes(900_000))
    const put = await putChunk(gateway, session, 1, { ...chunkOf(''), bytes: zstdCompressSync(frame) })
    expect(put.status).toBe(201)
    const node = await system.anotherNode()
    const { port } = new URL(await node.listen({ host: '127.0.0.1', port: 0 }))
    const cookie = [...auditor.client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const leave = async (start: string, encoding: string, afterMs: number) => {
      const socket = connect(Number(port), '127.0.0.1')
      socket.write(
        `${start} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\nx-jms-org: ${defaultOrgId}\r\naccept-encoding: ${encoding}\r\n\r\n`,
      )
      await sleep(afterMs)
      socket.destroy()
    }
    const left = ['recording/chunks/1/', 'replay/cast/', 'replay/download/'].flatMap((path) =>
      ['zstd', 'identity'].flatMap((encoding) =>
        [5, 50, 200].map((afterMs) =>
          leave(`GET /api/v1/terminal/sessions/${session}/${path}`, encoding, afterMs),
        ),
      ),
    )
    await Promise.all(left)
    const places = [system.ground.config.storageDir, join(tmpdir(), 'sallyport-replay-')]
    const openFiles = async () => {
      const held = await readdir('/proc/self/fd')
      const files = await Promise.all(held.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
      return files.filter((file) => places.some((place) => file.startsWith(place)))
    }
    await expect.poll(openFiles).toEqual([])
  })

  test('says in the books who watched it', async () => {
    const session = await begin(gateway)
    await putChunk(gateway, session, 1, chunkOf('x'))
    await read(`terminal/sessions/${session}/recording/`)
    await admin.get(`terminal/sessions/${session}/recording/`, { org: rootOrgId })
    const { body } = await admin.get(`audits/operate-logs/?resource_id=${session}&limit=5`, {
      org: defaultOrgId,
    })
    expect(body['results']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ user: 'AUDITOR(auditor)', resource_type: 'Session' }),
        expect.objectContaining({ user: 'Administrator(admin)', resource_type: 'Session' }),
      ]),
    )
  })
})

describe('a session with several recordings', () => {
  const begunWith = (kind: 'terminal' | 'command', text: string) => ({
    ...chunkOf(text),
    bytes: zstdCompressSync(
      Buffer.concat([
        encodeFrame(frameType.header, 0, encodeHeader(kind)),
        encodeFrame(frameType.output, 0, Buffer.from(text)),
      ]),
    ),
  })
  const keysOf = async (session: string) => {
    const keys = []
    for await (const { key } of system.ground.storage.list('recordings/'))
      if (key.includes(session)) keys.push(key.split(`${session}/`)[1]?.replace(/-.*/, ''))
    return keys
  }
  /** Two of them, the second one complete. */
  async function withTwo(changes: Record<string, unknown> = {}) {
    const session = await begin(gateway, changes)
    const [first, second, third] = [
      begunWith('terminal', 'shown'),
      begunWith('command', 'ran'),
      chunkOf('end', 700),
    ]
    const whole = { 'x-recording-chunks': '2', 'x-recording-ms': '1300' }
    expect((await putChunk(gateway, session, 1, first)).status).toBe(201)
    expect((await putChunk(gateway, session, 1, second, {}, 2)).status).toBe(201)
    expect(await putChunk(gateway, session, 2, third, whole, 2)).toMatchObject({
      body: { is_complete: true },
    })
    return { session, first, second, third }
  }

  test('lists them, and tells and plays each by its number', async () => {
    const { session, first, second, third } = await withTwo()
    const { body } = await read(`terminal/sessions/${session}/recordings/`)
    const bytes = second.bytes.byteLength + third.bytes.byteLength
    expect(body).toEqual([
      { number: 1, kind: 'terminal', duration_ms: 500, bytes: first.bytes.byteLength, is_complete: false },
      { number: 2, kind: 'command', duration_ms: 1300, bytes, is_complete: true },
    ])
    const at = (path: string) => read(`terminal/sessions/${session}/${path}`)
    expect((await at('recordings/1/')).body).toEqual((await at('recording/')).body)
    expect((await at('recordings/2/')).body).toMatchObject({
      kind: 'command',
      version: 1,
      is_complete: true,
      duration_ms: 1300,
      chunks: [{ number: 1 }, { number: 2 }],
    })
    const shown = async (path: string) => (await at(path)).bytes.toString()
    expect(await shown('recordings/2/chunks/1/')).toContain('ran')
    expect(await shown('recording/chunks/1/')).toContain('shown')
    expect(await shown('recordings/1/chunks/1/')).toContain('shown')
    expect(await shown('replay/cast/')).not.toContain('ran')
    for (const path of [
      'recordings/3/',
      'recordings/0/',
      'recordings/65/',
      'recordings/x/',
      'recordings/2/chunks/3/',
    ])
      expect([path, (await at(path)).status]).toEqual([path, 404])
    expect(await keysOf(session)).toEqual(['1', '2/1', '2/2'])
  })

  test('takes, finishes and refuses the chunks of each by itself', async () => {
    const { session, first, third } = await withTwo()
    expect((await putChunk(gateway, session, 2, third, {}, 2)).body).toMatchObject({ is_complete: true })
    expect((await putChunk(gateway, session, 3, third, {}, 2)).body).toMatchObject({
      code: 'recording_finished',
    })
    expect((await putChunk(gateway, session, 1, third)).body).toMatchObject({ code: 'chunk_differs' })
    const url = `terminal/sessions/${session}/recordings/3/`
    const facts = { chunks: 1, duration_ms: 500, bytes: 1 }
    expect((await gateway.post(`${url}finish/`, facts)).body).toMatchObject({ missing: [1] })
    expect((await putChunk(gateway, session, 1, first, {}, 3)).status).toBe(201)
    expect((await gateway.post(`${url}finish/`, facts)).status).toBe(200)
    expect((await read(url)).body).toMatchObject({ is_complete: true })
    expect((await read(`terminal/sessions/${session}/recording/`)).body).toMatchObject({ is_complete: false })
    expect((await putChunk(gateway, session, 1, first, {}, 65)).status).toBe(404)
    expect((await gateway.post(`terminal/sessions/${session}/recordings/65/finish/`, facts)).status).toBe(404)
    await gateway.patch(`terminal/sessions/${session}/`, { is_finished: true, end_reason: 'gateway_lost' })
    const { body } = await read(`terminal/sessions/${session}/recordings/`)
    expect(body).toMatchObject([{ is_complete: false }, { is_complete: false }, { is_complete: false }])
  })

  test('learns of which kind one is when its beginning comes, whatever came before', async () => {
    const session = await begin(gateway)
    const kinds = async () => {
      const { body } = await read(`terminal/sessions/${session}/recordings/`)
      return (body as unknown as { kind: string | null }[]).map(({ kind }) => kind)
    }
    await putChunk(gateway, session, 2, chunkOf('later', 500), {}, 2)
    expect(await kinds()).toEqual([null])
    await putChunk(gateway, session, 1, begunWith('command', 'first'), {}, 2)
    expect(await kinds()).toEqual(['command'])
  })

  test('can be replayed when any of them can', async () => {
    const session = await begin(gateway)
    await putChunk(gateway, session, 1, chunkOf('beside'), {}, 2)
    await gateway.patch(`terminal/sessions/${session}/`, { is_finished: true })
    const facts = { chunks: 0, duration_ms: 0, bytes: 0 }
    expect((await gateway.post(`terminal/sessions/${session}/recording/finish/`, facts)).status).toBe(200)
    expect((await read(`terminal/sessions/${session}/`)).body).toMatchObject({ has_replay: true })
  })

  test('shows and takes none of them where it does not show or take the first, and says who watched', async () => {
    const { session, first } = await withTwo()
    const other = await admin.post('orgs/orgs/', { name: 'Another' })
    for (const path of ['recordings/', 'recordings/2/', 'recordings/2/chunks/1/']) {
      const url = `terminal/sessions/${session}/${path}`
      expect((await user.client.get(url, { org: defaultOrgId })).status, path).toBe(403)
      expect((await system.client().get(url)).status, path).toBe(401)
      expect((await admin.get(url, { org: String(other.body['id']) })).status, path).toBe(404)
    }
    const stranger = await system.component('gateway-3')
    expect((await putChunk(stranger, session, 1, first, {}, 3)).status).toBe(409)
    expect((await putChunk(admin, session, 1, first, {}, 3)).status).toBe(403)
    const watched = async () =>
      (await system.database.pool.query('select from operate_logs where resource_id = $1', [session]))
        .rowCount
    await read(`terminal/sessions/${session}/recordings/`)
    expect(await watched()).toBe(0)
    await read(`terminal/sessions/${session}/recordings/2/chunks/1/`)
    expect(await watched()).toBe(1)
    await read(`terminal/sessions/${session}/recordings/2/`)
    expect(await watched()).toBe(2)
  })

  test('goes with all of them when it was kept long enough, and stays while a file of any is missing', async () => {
    const date_start = new Date(Date.now() - 201 * 86_400_000).toISOString()
    const [{ session: here }, { session: elsewhere }] = [
      await withTwo({ date_start }),
      await withTwo({ date_start }),
    ]
    const { database, storage } = system.ground
    for (const id of [here, elsewhere]) await gateway.patch(`terminal/sessions/${id}/`, { is_finished: true })
    for await (const { key } of storage.list('recordings/'))
      if (key.includes(`${elsewhere}/2/1-`)) await storage.delete(key)
    const log = Object.assign(() => Promise.resolve(), { hide: () => {} })
    const { signal } = new AbortController()
    const { kept } = await clean(database.db, storage, 200, { log, signal, progress: () => {} })
    expect(kept).toBeGreaterThan(0)
    const chunks = (id: string) => database.db.$count(recordingChunks, eq(recordingChunks.session_id, id))
    expect([await chunks(here), await chunks(elsewhere)]).toEqual([0, 3])
    expect([await keysOf(here), await keysOf(elsewhere)]).toEqual([[], ['1', '2/2']])
    expect((await read(`terminal/sessions/${here}/`)).status).toBe(404)
  })
})
