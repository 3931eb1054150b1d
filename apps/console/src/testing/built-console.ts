import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    consoleFolder: string
  }
}

/** Builds the console as it is delivered, and the samples beside it, once for all browser tests of a run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'console-dist-'))
  const environment = process.env.NODE_ENV
  // The test runner's own value would bring in the development build of React.
  process.env.NODE_ENV = 'production'
  await build({
    configFile: fileURLToPath(new URL('../../vite.config.ts', import.meta.url)),
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: {
        input: { samples: fileURLToPath(new URL('./samples/index.html', import.meta.url)) },
      },
    },
  })
  process.env.NODE_ENV = environment
  project.provide('consoleFolder', folder)
  return () => rm(folder, { recursive: true, force: true })
}
