import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { ConfigError } from '../config.ts'

/** Where a run as root keeps what an unprivileged account must reach. */
export const rootRunDir = '/var/lib/sallyport'

/** The account PostgreSQL runs as when this process is root, which PostgreSQL refuses to be. */
export interface Account {
  name: string
  ids: { uid: number; gid: number }
}

/**
 * Undefined when this process is an ordinary user. For root: the `postgres` account where there is one, else `sallyport`,
 * which is created.
 * @throws ConfigError when no account can be had.
 */
export function accountForPostgres(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const present = lookUp('postgres') ?? lookUp('sallyport')
  if (present !== undefined) return present
  const created = spawnSync(
    'useradd',
    [
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      rootRunDir,
      '--shell',
      '/usr/sbin/nologin',
      'sallyport',
    ],
    { stdio: 'ignore', timeout: 10_000 },
  )
  const account = created.status === 0 ? lookUp('sallyport') : undefined
  if (account !== undefined) return account
  throw new ConfigError(
    'PostgreSQL does not run as root and the account sallyport could not be created; run as an ordinary user, or set DATABASE_URL.',
  )
}

/** Whether the account may create files in the folder. */
export function accountCanWrite(account: Account, directory: string): boolean {
  const run = spawnSync('test', ['-w', directory, '-a', '-x', directory], {
    cwd: '/',
    timeout: 10_000,
    ...account.ids,
  })
  return run.status === 0
}

function lookUp(name: string): Account | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid === undefined || gid === undefined
    ? undefined
    : { name, ids: { uid: Number(uid), gid: Number(gid) } }
}
