// npm run db:generate -- --name what-it-does: writes the migration for what changed in tables.ts, and keeps only the newest snapshot of the
// tables, the one the next migration is compared with.
import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const server = join(import.meta.dirname, '../apps/server')
const { status } = spawnSync('npx', ['drizzle-kit', 'generate', ...process.argv.slice(2)], {
  cwd: server,
  stdio: 'inherit',
})
if (status !== 0) process.exit(status ?? 1)

const meta = join(server, 'drizzle/meta')
const snapshots = readdirSync(meta)
  .filter((name) => name.endsWith('_snapshot.json'))
  .toSorted()
for (const name of snapshots.slice(0, -1)) rmSync(join(meta, name))
