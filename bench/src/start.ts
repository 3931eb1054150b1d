/** How long `npm start` takes on an installed and built checkout: on an empty data folder, and on one with data. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, repository } from '../../e2e/src/processes.ts'
import { below, type Bench, type Figure, median } from './figure.ts'

const rounds = 3
const startTimeoutMs = 120_000

/** Seconds until it says it is ready. */
async function start(dataDir: string): Promise<number> {
  const started = performance.now()
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: repository,
    env: {
      ...process.env,
      SALLYPORT_DATA: dataDir,
      SALLYPORT_HTTP: `127.0.0.1:${await freePort()}`,
      SALLYPORT_SSH: `127.0.0.1:${await freePort()}`,
      SALLYPORT_LOG: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written: string[] = []
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => {
        written.push(text.toString())
        if (written.join('').includes('Sallyport is ready')) resolve()
      })
    child.once('exit', () => reject(new Error(`npm start ended: ${written.join('')}`)))
    setTimeout(
      () => reject(new Error(`npm start was not ready: ${written.join('')}`)),
      startTimeoutMs,
    ).unref()
  })
  await ready
  const seconds = (performance.now() - started) / 1000
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  return seconds
}

async function run(): Promise<Figure[]> {
  const first: number[] = []
  const again: number[] = []
  // Builds the console when that is still to be done.
  await withFolder(start)
  for (let round = 0; round < rounds; round++)
    await withFolder(async (dataDir) => {
      first.push(await start(dataDir))
      again.push(await start(dataDir))
    })
  return [
    below('npm start, first', median(first), 15, 's'),
    below('npm start, data present', median(again), 5, 's'),
  ]
}

async function withFolder(work: (dataDir: string) => Promise<unknown>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-bench-'))
  await work(dataDir)
  await rm(dataDir, { recursive: true, force: true })
}

export default { name: 'start', run } satisfies Bench
