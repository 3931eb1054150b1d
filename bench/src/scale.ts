/** Everything there is at its largest: lists, the tree, grants, and what the server's memory comes to after all of it. */
import { readFile } from 'node:fs/promises'
import { Pool } from 'pg'
import { below, type Bench, type Figure } from './figure.ts'
import { everyList } from './every-list.ts'
import { fillLarge } from './large.ts'
import { people } from './people.ts'
import { withServer } from './server.ts'
import { tree } from './tree.ts'
import { treeInBrowser } from './tree-in-browser.ts'

const memoryMiB = 400

async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

const run = (): Promise<Figure[]> =>
  withServer(async (system, databaseUrl) => {
    const known = await fillLarge(databaseUrl)
    const pool = new Pool({ connectionString: databaseUrl })
    try {
      return [
        ...(await everyList(system, databaseUrl, known)),
        ...(await people(system.admin, pool, known.user_id)),
        ...(await treeInBrowser(system)),
        ...(await tree(system.admin, pool)),
        below('memory of the server after all this', await residentMiB(system.server.pid), memoryMiB, 'MiB'),
      ]
    } finally {
      await pool.end()
    }
  })

export default { name: 'scale', run } satisfies Bench
