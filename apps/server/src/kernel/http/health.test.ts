import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import type { Context } from '../context.ts'
import type { Ground } from '../ground.ts'
import { startTestServer } from '../testing/http.ts'
import { createTestDatabase } from '../testing/index.ts'
import { healthRoute, partsOf } from './health.ts'
import { Reply } from './route.ts'

test('health answers in seconds, however many ask, while the database hangs or a part fails', async () => {
  let asked = 0
  const hanging = {
    execute: () => {
      asked++
      return new Promise(() => {})
    },
  } as unknown as Ground['database']['db']
  const failing = () => Promise.reject(new Error('no'))
  const route = healthRoute(
    { db: hanging },
    () => Promise.resolve({ live_status: true }),
    [{ health: failing } as never],
    '/api/health/',
  )
  const begun = performance.now()
  const ask = async () => await route.handler({} as Context, {} as never)
  const answers = await Promise.all(Array.from({ length: 30 }, ask))
  expect(performance.now() - begun).toBeLessThan(10_000)
  expect(asked).toBe(1)
  for (const answer of answers) {
    expect(answer).toBeInstanceOf(Reply)
    expect(answer).toMatchObject({
      status: 503,
      body: { status: false, db_status: false, live_status: true },
    })
  }
})

test('health answers whoever asks, while nobody can say who that is, where, and under which settings', async () => {
  const database = await createTestDatabase()
  const never = () => new Promise<never>(() => {})
  const app = await startTestServer(database, [], {
    authenticate: never,
    organization: never,
    settings: never,
  })
  for (const url of ['/api/health/', '/api/v1/health/']) {
    const headers = { authorization: 'Bearer token', 'accept-language': 'ja' }
    const answer = await app.inject({ method: 'GET', url, headers })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ status: true, db_status: true })
  }
})

test('health tells which part does not answer, and keeps what the others said', async () => {
  const config = readConfig({ SALLYPORT_DATA: tmpdir() })
  const hanging = { isUp: () => new Promise<boolean>(() => {}) } as never
  const live = { isHearing: () => true } as never
  const storage = { isUp: () => Promise.resolve(true), freeBytes: () => Promise.resolve(1e12) } as never
  const route = healthRoute(
    { db: { execute: () => Promise.resolve() } as never },
    partsOf({ config, jobs: hanging, live, storage }),
    [],
    '/api/health/',
  )
  expect(await route.handler({} as Context, {} as never)).toMatchObject({
    body: { live_status: true, storage_status: true, jobs_status: false },
  })
})

test.runIf(process.getuid?.() === 0)(
  'health says no when the disk of the embedded database is full',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sallyport-health-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'none', folder])
    try {
      const up = {
        isHearing: () => true,
        isUp: () => Promise.resolve(true),
        freeBytes: () => Promise.resolve(Infinity),
      } as never
      const answering = { execute: () => Promise.resolve() } as unknown as Ground['database']['db']
      const healthOf = async (env: NodeJS.ProcessEnv) => {
        const config = readConfig({ SALLYPORT_DATA: folder, ...env })
        const parts = partsOf({ config, jobs: up, live: up, storage: up })
        return await healthRoute({ db: answering }, parts, [], '/api/health/').handler(
          {} as Context,
          {} as never,
        )
      }
      const low = { db_status: true, disk_status: false }
      expect(await healthOf({})).toMatchObject({
        status: 200,
        body: { ...low, status: true, db_disk_status: true },
      })
      await writeFile(join(folder, 'much'), Buffer.alloc(40 << 20))
      expect(await healthOf({})).toMatchObject({
        status: 503,
        body: { ...low, status: false, db_disk_status: false },
      })
      const elsewhere = { DATABASE_URL: 'postgres://somewhere/else' }
      expect(await healthOf(elsewhere)).toMatchObject({ status: 200, body: { ...low, status: true } })
    } finally {
      execFileSync('umount', [folder])
      await rm(folder, { recursive: true })
    }
  },
)
