/** What the first start of a server leaves in its data folder, made once for a run: the systems of the journeys start on copies of it. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startProgram } from './processes.ts'
import { adminPassword } from './system.ts'

declare module 'vitest' {
  interface ProvidedContext {
    preparedData: string
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-prepared-'))
  await chmod(dataDir, 0o711)
  const server = await startProgram('apps/server/src/main.ts', {
    SALLYPORT_DATA: dataDir,
    SALLYPORT_HTTP: '127.0.0.1:0',
    SALLYPORT_ADMIN_PASSWORD: adminPassword,
  })
  await server.kill()
  project.provide('preparedData', dataDir)
  return () => rm(dataDir, { recursive: true, force: true })
}
