import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chown, chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../failure.ts'
import { ConfigError } from '../config.ts'
import { readFileIfPresent, readOrCreatePrivateFile } from '../data-folder.ts'
import { type Account, accountCanWrite, accountForPostgres, rootRunDir } from './account.ts'
import { type Binaries, findBinaries } from './binaries.ts'

/** The data of one embedded PostgreSQL on the disk, with the programs and the account that serve it. */
export interface Cluster {
  dir: string
  binaries: Binaries
  account: Account | undefined
  password: string
}

export const superuser = 'postgres'

/** Finds the data of the embedded PostgreSQL, and creates them at the first start. */
export async function prepareCluster(dataDir: string): Promise<Cluster> {
  const password = await readOrCreatePrivateFile(join(dataDir, 'postgres.password'), () =>
    randomBytes(24).toString('hex'),
  )
  const dir = await placeOfCluster(dataDir)
  const account = await ownerOf(dir)
  const binaries = await findBinaries(account)
  const version = await versionOfData(dir)
  if (version === undefined) {
    await createCluster({ dir, binaries, account, password })
  } else if (version !== binaries.majorVersion) {
    throw new ConfigError(
      `The database in ${dir} was written by PostgreSQL ${version}, this program brings ${binaries.majorVersion}; run the version of Sallyport that wrote it, dump it there, and restore it here.`,
    )
  }
  return { dir, binaries, account, password }
}

/** The folder with the tables where a start has chosen one. */
export async function placeOfData(dataDir: string): Promise<string | undefined> {
  const inside = join(dataDir, 'postgres')
  if (accountForPostgres() === undefined || (await exists(inside))) return inside
  return await readFileIfPresent(join(dataDir, 'postgres.location'))
}

/** The folder with the tables: below the data folder, unless the account that PostgreSQL runs as cannot get there. */
async function placeOfCluster(dataDir: string): Promise<string> {
  const inside = join(dataDir, 'postgres')
  const account = accountForPostgres()
  const chosen = await placeOfData(dataDir)
  if (account === undefined || chosen !== undefined) return chosen ?? inside
  const pointer = join(dataDir, 'postgres.location')

  const probe = join(dataDir, `postgres.probe-${randomBytes(4).toString('hex')}`)
  await makeOwned(probe, account)
  const reachable = accountCanWrite(account, probe)
  await rm(probe, { recursive: true })
  if (reachable) return inside

  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  const outside = join(rootRunDir, `${basename(dirname(dataDir))}-${digest}`, 'postgres')
  await mkdir(dirname(outside), { recursive: true, mode: 0o711 })
  return await readOrCreatePrivateFile(pointer, () => outside)
}

/** Data that are there keep their owner, so that a start as root does not take them from the ordinary user. */
async function ownerOf(dir: string): Promise<Account | undefined> {
  const account = accountForPostgres()
  if (account === undefined || !(await exists(dir))) return account
  const { uid, gid } = await stat(dir)
  return uid === 0 ? account : { name: String(uid), ids: { uid, gid } }
}

async function versionOfData(dir: string): Promise<string | undefined> {
  try {
    return await readFileIfPresent(join(dir, 'PG_VERSION'))
  } catch (cause) {
    if (codeOf(cause) !== 'EACCES') throw cause
    throw new ConfigError(
      `The database in ${dir} belongs to another account; start Sallyport as the account that created it, or set SALLYPORT_DATA to another folder.`,
      { cause },
    )
  }
}

/** Built beside its place and moved there when complete: a crash half-way leaves nothing that looks like a database. */
async function createCluster(cluster: Cluster): Promise<void> {
  const { dir, account, binaries, password } = cluster
  await removeUnfinished(dir)
  const unfinished = `${dir}.init-${process.pid}-${randomBytes(4).toString('hex')}`
  ownUnfinished.add(basename(unfinished))
  const passwordFile = `${unfinished}.password`
  await makeOwned(unfinished, account)
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (account !== undefined) await chown(passwordFile, account.ids.uid, account.ids.gid)
  try {
    await run(binaries.initdb, account, [
      `--pgdata=${unfinished}`,
      `--username=${superuser}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ])
    await rename(unfinished, dir)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // Another process starting on the same data folder may have been faster.
    if ((await versionOfData(dir)) === undefined) throw error
  } finally {
    await rm(passwordFile, { force: true })
  }
}

/** What this process is making; another one with our process id is a former one that crashed. */
const ownUnfinished = new Set<string>()

async function removeUnfinished(dir: string): Promise<void> {
  const prefix = `${basename(dir)}.init-`
  for (const name of await readdir(dirname(dir))) {
    if (!name.startsWith(prefix) || ownUnfinished.has(name.replace(/\.password$/, ''))) continue
    const pid = Number(name.slice(prefix.length).split('-', 1)[0])
    if (pid === process.pid || !isAlive(pid)) {
      await rm(join(dirname(dir), name), { recursive: true, force: true })
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

async function makeOwned(dir: string, account: Account | undefined): Promise<void> {
  await mkdir(dir, { mode: 0o700 })
  await chmod(dir, 0o700)
  if (account !== undefined) await chown(dir, account.ids.uid, account.ids.gid)
}

async function run(program: string, account: Account | undefined, args: string[]): Promise<void> {
  const child = spawn(program, args, {
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 120_000,
    ...account?.ids,
  })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-4000)
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`${basename(program)} ended with ${code}: ${complaint.trim()}`)
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}
