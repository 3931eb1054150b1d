import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pinnedEnv, root, run, ScriptError } from './workspace.mjs'

const consoleDir = join(root, 'apps/console')
const stamp = join(consoleDir, 'dist/.built-from')
const sources = ['apps/console', 'packages/contract', 'package-lock.json']

/** Builds the console when anything it is made from has changed since the last build. */
export async function buildConsole() {
  const digest = digestOf(sources)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return
  console.log('Building the console …')
  const code = await run('vite', ['build', '--logLevel', 'warn'], {
    cwd: consoleDir,
    // whatever the environment is for, people get the build for production
    env: { ...pinnedEnv(), NODE_ENV: 'production' },
  })
  if (code !== 0) throw new ScriptError('The console could not be built; see above.')
  writeFileSync(stamp, digest)
}

function digestOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap((path) => filesBelow(path))) {
    hash.update(`${path}\0`).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}

function filesBelow(path) {
  if (statSync(join(root, path)).isFile()) return [path]
  return readdirSync(join(root, path))
    .filter((name) => name !== 'node_modules' && name !== 'dist')
    .toSorted()
    .flatMap((name) => filesBelow(join(path, name)))
}
