/** 100,000 hosts as csv and as xlsx: how fast they come, and what the server's memory grows by meanwhile. */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { System } from '../../e2e/src/system.ts'
import { type Bench, below, type Figure, versus } from './figure.ts'
import { fillHosts } from './fill.ts'
import { withServer } from './server.ts'

const amount = 100_000
const asked = { csv: 20_000, xlsx: 5000 }
const maxGrowthMiB = 150

async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

async function measured(system: System, format: keyof typeof asked): Promise<Figure[]> {
  const pid = system.server.pid
  const before = await residentMiB(pid)
  let most = before
  const over = new AbortController()
  const watching = (async () => {
    for (; !over.signal.aborted; await sleep(50)) most = Math.max(most, await residentMiB(pid))
  })()
  const from = performance.now()
  const answer = await fetch(`${system.origin}/api/v1/assets/hosts/?format=${format}`, {
    headers: system.admin.headers,
  })
  if (!answer.ok || answer.body === null) throw new Error(`${format}: ${answer.status}`)
  let bytes = 0
  for await (const piece of answer.body) bytes += piece.length
  if (bytes < amount) throw new Error(`${format}: only ${bytes} bytes`)
  const seconds = (performance.now() - from) / 1000
  over.abort()
  await watching
  const name = `export of ${amount} hosts as ${format}`
  return [
    versus(name, amount / seconds, asked[format], 'rows/s', 'asked', 1),
    below(`${name}: memory grown`, Math.max(0.1, most - before), maxGrowthMiB, 'MiB'),
  ]
}

const run = (): Promise<Figure[]> =>
  withServer(async (system, databaseUrl) => {
    await fillHosts(databaseUrl, amount)
    return [...(await measured(system, 'csv')), ...(await measured(system, 'xlsx'))]
  })

export default { name: 'exports', run } satisfies Bench
