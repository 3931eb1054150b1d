import { spawn } from 'node:child_process'
import { openSync, closeSync } from 'node:fs'
import { copyFile, mkdir, rm, stat, truncate } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { codeOf } from '../failure.ts'
import type { Logger } from '../log.ts'
import { ConfigError } from '../config.ts'
import { type Cluster, placeOfData, prepareCluster, superuser } from './cluster.ts'
import { type Postmaster, findPostmaster, pidFileNamesStranger, stopPostmaster } from './postmaster.ts'

const role = 'sallyport'
const startTimeoutMs = 300_000
const stopGraceMs = 6000
const watchIntervalMs = 1000
/** Above what PostgreSQL takes to see that nobody waits for a statement. */
const endsBySelfMs = 1500
/** The operating systems allow 104 to 108 bytes for the path of a socket. */
const socketPathMaxBytes = 103
const logFileMaxBytes = 10 * 1024 * 1024

export interface EmbeddedPostgres {
  /** For the application: an ordinary role that owns the database. */
  url: string
  /** For maintenance and tests: the superuser. */
  superuserUrl: string
  /** Stops PostgreSQL, unless another Sallyport process is connected to it. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  log: Logger
  /** PostgreSQL settings besides the built-in ones. */
  settings?: Record<string, string>
}

/** Where the server listens: a Unix socket in the data, or loopback when the path is too long for a socket. */
interface Listening {
  socketDir: string
  port: number
}

/**
 * Starts the embedded PostgreSQL, or takes over the one that a killed process left behind, and keeps it running.
 * @throws ConfigError when it cannot run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options
  const cluster = await prepareCluster(dataDir)
  const logFile = await prepareLogFile(dataDir)
  const listening = await ensureRunning(cluster, await choosePlace(cluster), { ...options, logFile })
  await ensureDatabase(cluster, listening)

  let stopping = false
  let healing: Promise<unknown> | undefined
  const watch = setInterval(() => {
    if (stopping || healing !== undefined) return
    healing = (async () => {
      await boundLogFile(logFile)
      if ((await findPostmaster(cluster.dir)) !== undefined) return
      log.error('the embedded PostgreSQL is gone; starting it again')
      await ensureRunning(cluster, listening, { ...options, logFile })
    })()
      .catch((error: unknown) => log.error({ err: error }, 'the embedded PostgreSQL does not come back'))
      .finally(() => {
        healing = undefined
      })
  }, watchIntervalMs)
  watch.unref()

  return {
    url: urlOf(cluster, listening, role, role),
    superuserUrl: urlOf(cluster, listening, superuser, 'postgres'),
    async stop() {
      stopping = true
      clearInterval(watch)
      await healing
      if (!(await stopUnused(cluster))) log.info('the embedded PostgreSQL stays: another process uses it')
    },
  }
}

/** Stops the one a server left that ended before it could do so itself. False when another process uses it. */
export async function stopLeftPostgres(dataDir: string): Promise<boolean> {
  const dir = await placeOfData(dataDir)
  if (dir === undefined || (await findPostmaster(dir)) === undefined) return true
  return await stopUnused(await prepareCluster(dataDir))
}

/** False when a process is connected to it that goes on. */
async function stopUnused(cluster: Cluster): Promise<boolean> {
  const postmaster = await findPostmaster(cluster.dir)
  if (postmaster === undefined) return true
  // What worked for a process that has just ended sees it by and by.
  const before = Date.now() + endsBySelfMs
  while (await usedByOthers(cluster, postmaster)) {
    if (Date.now() > before) return false
    await sleep(100)
  }
  await stopPostmaster(postmaster.pid, cluster.dir, stopGraceMs)
  return true
}

async function choosePlace(cluster: Cluster): Promise<Listening> {
  const running = await findPostmaster(cluster.dir)
  if (running !== undefined) return { socketDir: running.socketDir, port: running.port }
  if (Buffer.byteLength(join(cluster.dir, '.s.PGSQL.5432')) <= socketPathMaxBytes) {
    return { socketDir: cluster.dir, port: 5432 }
  }
  return { socketDir: '', port: await freePort() }
}

/** Returns where the server listens, which differs from `wanted` when another process has just started it. */
async function ensureRunning(
  cluster: Cluster,
  wanted: Listening,
  options: EmbeddedOptions & { logFile: string },
): Promise<Listening> {
  const deadline = Date.now() + startTimeoutMs
  let exitedEarly = 0
  while (Date.now() < deadline) {
    const running = (await findPostmaster(cluster.dir)) ?? (await launch(cluster, wanted, options))
    if (running === undefined) {
      // It may lose a race against another start, or wait for the last children of a killed one.
      exitedEarly += 1
      if (exitedEarly > 10) {
        throw new ConfigError(`The embedded PostgreSQL does not start; ${options.logFile} says why.`)
      }
      await sleep(Math.min(1000, 100 * exitedEarly))
      continue
    }
    const state = await answers(cluster, running)
    if (state === 'yes') return { socketDir: running.socketDir, port: running.port }
    if (state === 'wrong password') {
      throw new ConfigError(
        `The password in ${join(options.dataDir, 'postgres.password')} is not the one of the embedded database; restore that file.`,
      )
    }
    await sleep(30)
  }
  throw new ConfigError(
    `The embedded PostgreSQL is not ready after ${startTimeoutMs / 1000} s; see ${options.logFile}.`,
  )
}

/** Undefined when the process ended before it wrote its pid file. */
async function launch(
  cluster: Cluster,
  place: Listening,
  options: EmbeddedOptions & { logFile: string },
): Promise<Postmaster | undefined> {
  if (await pidFileNamesStranger(cluster.dir)) await rm(join(cluster.dir, 'postmaster.pid'), { force: true })
  const settings = { ...builtInSettings, ...options.settings, ...listenSettings(place) }
  const output = openSync(options.logFile, 'a', 0o600)
  const child = spawn(
    cluster.binaries.postgres,
    ['-D', cluster.dir, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      // A group of its own: Ctrl-C at the terminal must reach the server first, which then stops PostgreSQL.
      detached: true,
      stdio: ['ignore', output, output],
      ...cluster.account?.ids,
    },
  )
  closeSync(output)
  const exit = new AbortController()
  child.once('error', (error) => {
    exit.abort()
    options.log.error({ err: error }, 'the embedded PostgreSQL cannot be executed')
  })
  child.once('exit', () => {
    exit.abort()
  })
  child.unref()
  while (!exit.signal.aborted) {
    const postmaster = await findPostmaster(cluster.dir)
    if (postmaster !== undefined && postmaster.port > 0) return postmaster
    await sleep(10)
  }
  return undefined
}

const builtInSettings = {
  max_connections: '200',
  shared_buffers: '128MB',
  work_mem: '16MB',
  random_page_cost: '1.1',
  jit: 'off',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Statements and details would carry people's data, perhaps secrets, into the log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_min_messages: 'warning',
}

function listenSettings(place: Listening): Record<string, string> {
  return {
    port: String(place.port),
    listen_addresses: place.socketDir === '' ? '127.0.0.1' : '',
    unix_socket_directories: place.socketDir,
    unix_socket_permissions: '0700',
  }
}

async function answers(cluster: Cluster, place: Listening): Promise<'yes' | 'not yet' | 'wrong password'> {
  try {
    await withSuperuser(cluster, place, 'postgres', (client) => client.query('select 1'))
    return 'yes'
  } catch (error) {
    return codeOf(error) === '28P01' ? 'wrong password' : 'not yet'
  }
}

async function ensureDatabase(cluster: Cluster, place: Listening): Promise<void> {
  await withSuperuser(cluster, place, 'postgres', async (client) => {
    // Two processes may come here at once; the lock makes one wait.
    await client.query(`select pg_advisory_lock(hashtext('sallyport:create'))`)
    const { rows } = await client.query<{ role: boolean; database: boolean }>(
      `select exists(select from pg_roles where rolname = $1) as role,
              exists(select from pg_database where datname = $1) as database`,
      [role],
    )
    if (rows[0]?.role === false) {
      await client.query(`create role ${role} login password ${client.escapeLiteral(cluster.password)}`)
    }
    if (rows[0]?.database === false) await client.query(`create database ${role} owner ${role}`)
  })
}

async function usedByOthers(cluster: Cluster, place: Listening): Promise<boolean> {
  try {
    return await withSuperuser(cluster, place, 'postgres', async (client) => {
      const { rowCount } = await client.query(
        `select from pg_stat_activity where usename = $1 and application_name like 'sallyport%' limit 1`,
        [role],
      )
      return rowCount !== 0
    })
  } catch {
    // It does not answer (it is starting, or stopping already): nobody can be using it.
    return false
  }
}

async function withSuperuser<T>(
  cluster: Cluster,
  place: Listening,
  database: string,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString: urlOf(cluster, place, superuser, database),
    connectionTimeoutMillis: 5000,
    query_timeout: 30_000,
  })
  // Without a listener an error between two queries would end the process; the next query reports it.
  client.on('error', () => {})
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end()
  }
}

function urlOf(cluster: Cluster, place: Listening, user: string, database: string): string {
  const address =
    place.socketDir === ''
      ? `127.0.0.1:${place.port}/${database}`
      : `localhost:${place.port}/${database}?host=${encodeURIComponent(place.socketDir)}`
  return `postgres://${user}:${cluster.password}@${address}`
}

async function prepareLogFile(dataDir: string): Promise<string> {
  const dir = join(dataDir, 'logs')
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const file = join(dir, 'postgres.log')
  await boundLogFile(file)
  return file
}

/** Keeps one log before the present one. PostgreSQL has it open and goes on at its end, wherever that is: it is copied and emptied. */
async function boundLogFile(file: string): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  )
  if (size <= logFileMaxBytes) return
  await copyFile(file, `${file}.1`)
  await truncate(file)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const found = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (found === null || typeof found === 'string') throw new Error('no loopback port is free')
  return found.port
}
