import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** Builds the console as it is delivered, into a folder of its own. */
export async function buildConsole(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'console-dist-'))
  const environment = process.env.NODE_ENV
  // The test runner's own value would bring in the development build of React.
  process.env.NODE_ENV = 'production'
  await build({
    configFile: fileURLToPath(new URL('../../vite.config.ts', import.meta.url)),
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true },
  })
  process.env.NODE_ENV = environment
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
