import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take much longer than others of their size. */
const long = [
  'packages/ssh/src/openssh-algorithms.test.ts',
  'apps/server/src/main.test.ts',
  'apps/server/src/domains/terminal/sweep.test.ts',
  'apps/server/src/kernel/database/embedded.test.ts',
  'apps/server/src/demo.test.ts',
  'apps/gateway/src/traffic/ways-round.test.ts',
  'apps/console/src/app/contrast.browser.test.ts',
  'e2e/journeys/accessibility.test.ts',
  'scripts/guides.test.mjs',
  'scripts/start.test.ts',
]

/** Begins with what takes long, so that nothing of it runs alone at the end of its group. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    const place = ({ moduleId }: TestSpecification) => {
      const index = long.findIndex((path) => moduleId.endsWith(path))
      return index === -1 ? long.length : index
    }
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => group(a) - group(b) || place(a) - place(b))
  }
}

/**
 * Fast projects first, the journeys when everything else is done. Three files run at once, also on two cores, where fewer would leave a third
 * of them idle: tests wait for other programs most of the time.
 */
export default defineConfig({
  test: {
    maxWorkers: 3,
    // The programs under test are started many times: they read their modules as compiled the first time.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: 'contract',
          include: ['packages/contract/src/**/*.test.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'ssh',
          include: ['packages/ssh/src/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'server',
          include: ['apps/server/src/**/*.test.ts'],
          globalSetup: ['apps/server/src/kernel/testing/global-setup.ts'],
          setupFiles: ['apps/server/src/kernel/testing/selections.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 20_000 } },
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'gateway',
          include: ['apps/gateway/src/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // A state is waited for as long as a busy machine may need.
          expect: { poll: { timeout: 20_000 } },
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'console',
          include: ['apps/console/src/**/*.test.{ts,tsx}'],
          exclude: ['**/*.browser.test.ts'],
          testTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'browser',
          include: ['apps/console/src/**/*.browser.test.ts'],
          globalSetup: ['apps/console/src/testing/built-console.ts'],
          // The files that run in a process share its browser.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // A state is waited for as long as it takes on a busy machine.
          expect: { poll: { timeout: 20_000 } },
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'scripts',
          include: ['scripts/**/*.test.{ts,mjs}'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 20_000 } },
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['e2e/src/prepared-data.ts'],
          setupFiles: ['e2e/src/use-prepared-data.ts', 'e2e/src/tell-of-pages.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 20_000 } },
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
