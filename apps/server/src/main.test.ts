import { spawn, spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase } from './kernel/testing/index.ts'

const repository = join(import.meta.dirname, '../../..')
const isRoot = process.getuid?.() === 0
/** An ordinary account every system has. */
const nobody = { uid: 65534, gid: 65534 }
/** Whether this is a run as root, from a folder that others may enter too. */
const nobodyReachesUs =
  isRoot &&
  spawnSync('test', ['-r', join(import.meta.dirname, 'main.ts')], { cwd: '/', ...nobody }).status === 0
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-main-'))
  await chmod(folder, 0o711)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Run {
  code: number | null
  out: string
  err: string
}

/** Starts the server; ends it as soon as it is ready. */
async function runServer(env: NodeJS.ProcessEnv, ids: { uid?: number; gid?: number } = {}): Promise<Run> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    cwd: repository,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      SALLYPORT_HTTP: '127.0.0.1:0',
      ...env,
    },
    ...ids,
  })
  let out = ''
  let err = ''
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
  })
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
    if (/^(Sallyport|The worker) is ready/m.test(out)) child.kill('SIGTERM')
  })
  await once(child, 'close')
  return { code: child.exitCode, out, err }
}

function expectOneLine({ code, err }: Run, sentence: RegExp): void {
  expect(err).toMatch(sentence)
  expect(err.trimEnd()).not.toContain('\n')
  expect(code).toBe(1)
}

test('a wrong value in the environment', async () => {
  expectOneLine(await runServer({ SALLYPORT_ROLES: 'cook' }), /^SALLYPORT_ROLES must be /)
})

test('a server with nothing to do', async () => {
  expectOneLine(
    await runServer({ SALLYPORT_ROLES: 'gateway' }),
    /^SALLYPORT_ROLES names neither api nor worker/,
  )
})

test('a worker alone works without listening', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const run = await runServer({
    SALLYPORT_DATA: join(folder, 'worker'),
    DATABASE_URL: await createEmptyDatabase(),
    SALLYPORT_HTTP: `127.0.0.1:${port}`,
    SALLYPORT_ROLES: 'worker',
  })
  expect(run).toMatchObject({ code: 0, err: '' })
  expect(run.out).toContain('The worker is ready')
  other.close()
})

test('a data folder that cannot be written', async () => {
  await writeFile(join(folder, 'file'), '')
  const run = await runServer({ SALLYPORT_DATA: join(folder, 'file/data') })
  expectOneLine(run, /^The data folder \/.*\/file\/data is not writable \(ENOTDIR\)/)
})

test.runIf(process.platform === 'linux')('a data folder where nothing can be created', async () => {
  const run = await runServer({ SALLYPORT_DATA: '/proc/sallyport/data' })
  expectOneLine(run, /^The data folder \/proc\/sallyport\/data is not writable \(ENOENT\)/)
})

test.runIf(nobodyReachesUs)('a data folder of somebody else', async () => {
  await mkdir(join(folder, 'foreign'), { mode: 0o755 })
  const run = await runServer({ SALLYPORT_DATA: join(folder, 'foreign') }, nobody)
  expectOneLine(run, /^The data folder \/.*\/foreign is not writable \(EACCES\)/)
})

test('a wrong DATABASE_URL', async () => {
  const env = { SALLYPORT_DATA: join(folder, 'wrong'), DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x' }
  const run = await runServer(env)
  expectOneLine(run, /DATABASE_URL/)
  expect(run.out + run.err).not.toContain('hunter2')
})

test('a database newer than the program', async () => {
  const DATABASE_URL = await createEmptyDatabase()
  const env = { SALLYPORT_DATA: join(folder, 'newer'), DATABASE_URL }
  expect((await runServer(env)).code).toBe(0)
  const client = new Client({ connectionString: DATABASE_URL })
  await client.connect()
  await client.query(`insert into migrations (name, sha256) values ('9999_future', '')`)
  await client.end()
  expectOneLine(await runServer(env), /^The database is newer than this program/)
})

test('a second server that keeps recordings in a folder of its own', async () => {
  const shared = {
    DATABASE_URL: await createEmptyDatabase(),
    SALLYPORT_SECRET_KEY: 'the key both servers have',
    SALLYPORT_STORAGE: join(folder, 'shared'),
  }
  expect((await runServer({ ...shared, SALLYPORT_DATA: join(folder, 'node-1') })).code).toBe(0)
  expect((await runServer({ ...shared, SALLYPORT_DATA: join(folder, 'node-2') })).code).toBe(0)
  expectOneLine(
    await runServer({ ...shared, SALLYPORT_DATA: join(folder, 'node-3'), SALLYPORT_STORAGE: '' }),
    /^The storage \/.*\/node-3\/storage is not the one the database's recordings lie in; see that it is mounted, set SALLYPORT_STORAGE to /,
  )
})

test('a storage that does not answer is said, and is not waited for', async () => {
  const storage = join(folder, 'hanging')
  const env = {
    DATABASE_URL: await createEmptyDatabase(),
    SALLYPORT_SECRET_KEY: 'the key of all servers of this database',
    SALLYPORT_STORAGE: storage,
    SALLYPORT_DATA: join(folder, 'of-hanging'),
  }
  expect((await runServer(env)).code).toBe(0)
  await rm(join(storage, 'storage-id'))
  // Whoever opens a pipe waits until somebody writes to it.
  spawnSync('mkfifo', [join(storage, 'storage-id')])
  const { code, err } = await runServer(env)
  expect(err).toMatch(
    /The storage \/.*\/hanging does not answer; see that what is mounted there can be reached/,
  )
  expect(code).not.toBe(0)
})

test('a port that is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const env = {
    SALLYPORT_DATA: join(folder, 'taken'),
    DATABASE_URL: await createEmptyDatabase(),
    SALLYPORT_HTTP: `127.0.0.1:${port}`,
  }
  expectOneLine(await runServer(env), /^Port \d+ on 127\.0\.0\.1 is taken/)
  other.close()
})

test('the embedded database works for whoever runs the tests', async () => {
  const dataDir = join(folder, 'embedded')
  const run = await runServer({ SALLYPORT_DATA: dataDir })
  expect(run).toMatchObject({ code: 0, err: '' })
  expect(await readdir(dataDir)).toEqual(
    expect.arrayContaining(['postgres.password', 'secret.key', 'storage']),
  )
})

test.runIf(isRoot)('root may start from a data folder only root may enter', async () => {
  const name = `closed${process.pid}`
  const dataDir = join(folder, name, 'data')
  await mkdir(join(folder, name), { mode: 0o700 })
  const run = await runServer({ SALLYPORT_DATA: dataDir })
  expect(run).toMatchObject({ code: 0, err: '' })
  const outside = await readdir('/var/lib/sallyport')
  const own = outside.filter((outsider) => outsider.startsWith(`${name}-`))
  for (const one of own) await rm(join('/var/lib/sallyport', one), { recursive: true })
  expect(own).not.toEqual([])
})

test.runIf(nobodyReachesUs)(
  'an ordinary user may start, and root may go on with the same data',
  async () => {
    const home = join(folder, 'ordinary')
    await mkdir(home, { mode: 0o711 })
    await chown(home, nobody.uid, nobody.gid)
    const env = { SALLYPORT_DATA: join(home, 'data') }
    expect(await runServer(env, nobody)).toMatchObject({ code: 0, err: '' })
    expect(await runServer(env)).toMatchObject({ code: 0, err: '' })
    expect(await runServer(env, nobody)).toMatchObject({ code: 0, err: '' })
  },
  180_000,
)
