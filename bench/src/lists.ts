/**
 * GET hosts, 15 of 100,000, against a bare Fastify handler that sends the same two SQL statements and the same JSON. Both run as
 * processes of their own on the same database, in turns.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import type { System } from '../../e2e/src/system.ts'
import { type Bench, type Figure, median, versus } from './figure.ts'
import { fillHosts } from './fill.ts'
import { withServer } from './server.ts'

const seconds = 4
const rounds = 3
const queries = [
  ['GET hosts, 15 of 100,000', 'limit=15&offset=0', 4],
  ['GET hosts, 15 of 100,000, searched', 'limit=15&offset=0&search=host-0777', 0.5],
] as const

async function throughput(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections: 8, duration: seconds })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}

async function measure(system: System, databaseUrl: string): Promise<Figure[]> {
  await fillHosts(databaseUrl, 100_000)
  const figures: Figure[] = []
  for (const [name, query, asked] of queries) {
    const peer = fork(fileURLToPath(new URL('bare-list.ts', import.meta.url)), [databaseUrl, query])
    const [{ origin }] = (await once(peer, 'message')) as [{ origin: string }]
    const measured: number[] = []
    const compared: number[] = []
    for (let round = 0; round < rounds; round++) {
      measured.push(await throughput(`${system.origin}/api/v1/assets/hosts/?${query}`, system.admin.headers))
      compared.push(await throughput(origin, {}))
    }
    peer.kill()
    figures.push(versus(name, median(measured), median(compared), 'requests/s', 'bare Fastify', asked))
  }
  return figures
}

export default { name: 'lists', run: () => withServer(measure) } satisfies Bench
