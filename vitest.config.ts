import { defineConfig } from 'vitest/config'

/**
 * Fast projects first; what needs a browser goes one after the other, the journeys when everything else is done. Of the others two files run at
 * once, also on two cores, where one alone would leave half of them idle: tests wait for other programs most of the time.
 */
export default defineConfig({
  test: {
    maxWorkers: 2,
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
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'gateway',
          include: ['apps/gateway/src/**/*.test.ts'],
          testTimeout: 60_000,
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
          expect: { poll: { timeout: 20_000 } },
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'browser',
          include: ['apps/console/src/**/*.browser.test.ts'],
          globalSetup: ['apps/console/src/testing/built-console.ts'],
          // A browser keeps two cores busy by itself.
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // A state is waited for as long as it takes on a busy machine.
          expect: { poll: { timeout: 15_000 } },
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          name: 'scripts',
          include: ['scripts/**/*.test.{ts,mjs}'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 5 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          sequence: { groupOrder: 6 },
        },
      },
    ],
  },
})
