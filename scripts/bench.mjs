/** `npm run bench [name …]`: installs, builds the console, then measures and prints one table. */
import { join } from 'node:path'
import { buildConsole } from './lib/console.mjs'
import { installPackages, node, root, run, ScriptError } from './lib/workspace.mjs'

async function main() {
  await installPackages()
  await buildConsole()
  return await run(node, [join(root, 'bench/src/main.ts'), ...process.argv.slice(2)])
}

main().then(
  (code) => process.exit(code),
  (error) => {
    console.error(error instanceof ScriptError ? error.message : error)
    process.exit(1)
  },
)
