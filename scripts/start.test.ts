import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'

const cleanUps: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

interface Started {
  child: ChildProcess
  dataDir: string
  output(): string
}

/** `npm start` without npm, server only, on a data folder of its own. */
async function start(env: NodeJS.ProcessEnv = {}): Promise<Started> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-start-'))
  await chmod(dataDir, 0o711)
  const child = spawn(process.execPath, [join(import.meta.dirname, 'start.mjs')], {
    env: {
      ...process.env,
      SALLYPORT_DATA: dataDir,
      SALLYPORT_HTTP: '127.0.0.1:0',
      SALLYPORT_ROLES: 'api,worker',
      ...env,
    },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
  }
  cleanUps.push(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    await expect.poll(() => processesOf(dataDir), { timeout: 15_000 }).toEqual([])
    await rm(dataDir, { recursive: true, force: true })
  })
  return { child, dataDir, output: () => text }
}

async function originOf(started: Started): Promise<string> {
  await expect
    .poll(() => started.output(), { timeout: 60_000, interval: 50 })
    .toMatch(/Sallyport is ready: http:\/\/[\d.:]+\/ui\/\n/)
  return /ready: (http:\/\/[\d.:]+)\/ui\//.exec(started.output())?.[1] ?? ''
}

/** Processes that run with this data folder, by what /proc says. */
async function processesOf(dataDir: string): Promise<{ pid: number; command: string }[]> {
  const found = []
  for (const name of await readdir('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid) continue
    const [environment, command] = await Promise.all(
      ['environ', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    )
    const isOurs = environment?.includes(`SALLYPORT_DATA=${dataDir}`) || command?.includes(dataDir)
    if (isOurs && command) found.push({ pid, command: command.replaceAll('\0', ' ').trim() })
  }
  return found
}

async function serverPid(dataDir: string): Promise<number> {
  const server = (await processesOf(dataDir)).find(({ command }) =>
    command.endsWith('apps/server/src/main.ts'),
  )
  return server?.pid ?? 0
}

const isHealthy = (origin: string) =>
  fetch(`${origin}/api/health/`).then(
    (answer) => answer.ok,
    () => false,
  )

test('it prints the address, brings a killed server back, and SIGTERM ends everything', async () => {
  const started = await start({ SALLYPORT_HTTP: `127.0.0.1:${await freePort()}` })
  const origin = await originOf(started)
  expect(await isHealthy(origin)).toBe(true)

  const pid = await serverPid(started.dataDir)
  expect(await readFile(`/proc/${pid}/environ`, 'utf8')).toContain('UV_THREADPOOL_SIZE=16')
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => isHealthy(origin), { timeout: 30_000 }).toBe(true)
  expect(await serverPid(started.dataDir)).not.toBe(pid)

  started.child.kill('SIGTERM')
  const [code] = await once(started.child, 'exit')
  expect(code).toBe(0)
  expect(await processesOf(started.dataDir)).toEqual([])
})

test('when the supervisor itself is killed, nothing stays behind', async () => {
  const started = await start()
  await originOf(started)
  started.child.kill('SIGKILL')
  await expect.poll(() => processesOf(started.dataDir), { timeout: 20_000 }).toEqual([])
})

const untilDatabase = (dataDir: string) =>
  expect
    .poll(
      async () => (await processesOf(dataDir)).some(({ command }) => /^postgres|\/postgres -D/.test(command)),
      {
        timeout: 60_000,
        interval: 20,
      },
    )
    .toBe(true)

test('stopped while it starts, it takes its database along', async () => {
  const started = await start()
  await untilDatabase(started.dataDir)
  started.child.kill('SIGTERM')
  await once(started.child, 'exit')
  expect(await processesOf(started.dataDir)).toEqual([])
})

test('when the supervisor is killed while the database is migrated, nothing stays behind', async () => {
  const started = await start()
  await expect
    .poll(() => started.output(), { timeout: 60_000, interval: 20 })
    .toContain('the database is being migrated')
  started.child.kill('SIGKILL')
  await expect.poll(() => processesOf(started.dataDir), { timeout: 40_000 }).toEqual([])
  expect(started.output()).not.toContain('ERR_IPC_CHANNEL_CLOSED')
})

test('stopped when its server was just killed, it takes the database along', async () => {
  const started = await start()
  await originOf(started)
  process.kill(await serverPid(started.dataDir), 'SIGKILL')
  await expect.poll(() => started.output()).toContain('starting it again')
  started.child.kill('SIGTERM')
  await once(started.child, 'exit')
  expect(await processesOf(started.dataDir)).toEqual([])
})

test('a port that is taken is told in one line and ends with exit code 1', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  cleanUps.push(() => new Promise((resolve) => other.close(resolve)))
  const started = await start({
    SALLYPORT_HTTP: `127.0.0.1:${portOf(other.address())}`,
    SALLYPORT_LOG: 'error',
  })
  const [code] = await once(started.child, 'close')
  expect(code).toBe(1)
  const lines = started.output().trim().split('\n')
  expect(lines.at(-1)).toMatch(/^Port \d+ on 127\.0\.0\.1 is taken; .* SALLYPORT_HTTP/)
  expect(lines.filter((line) => !/^(Installing|Building|up to date|\s*$)/.test(line))).toHaveLength(1)
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server.address())
  await new Promise((resolve) => server.close(resolve))
  return port
}

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return address.port
}
