/** Whether accounts of real databases can be signed in with, as a gateway finds out. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProbeTarget } from '@sallyport/contract/gateway/probes'
import { unchecked } from '../../apps/gateway/src/probes/encrypted.ts'
import { probe } from '../../apps/gateway/src/probes/probe.ts'
import { Zones } from '../../apps/gateway/src/targets/zones/zones.ts'
import { startListener } from '../../apps/gateway/src/testing/listener.ts'
import { startEmbeddedPostgres } from '../../apps/server/src/kernel/database/embedded.ts'
import { createLog } from '../../apps/server/src/kernel/log.ts'
import { eventually, freePort } from '../src/processes.ts'
import { isListening } from '../src/system.ts'

const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

const noHostKeys = {
  acceptedHostKeys: () => Promise.resolve([]),
  reportHostKey: () => Promise.reject(new Error('databases show no host keys')),
}
interface Database {
  method: ProbeTarget['method']
  port: number
  username: string
  secret: string
  db_name?: string
  tls?: ProbeTarget['asset']['tls']
}
const tried = ({ method, port, username, secret, db_name = '', tls = null }: Database) =>
  probe(
    {
      at: 0,
      asset: { id: randomUUID(), name: 'db', address: '127.0.0.1', db_name, tls },
      method,
      port,
      leads_to: null,
      domain: null,
      old_ssh_version: false,
      account: { username, secret_type: 'password', secret, su_from: null, su_method: 'su' },
      host_keys: { address: `127.0.0.1:${port}`, keys: [] },
    },
    {
      api: noHostKeys,
      onTrouble: (error) => {
        throw error
      },
      ways: new Zones(noHostKeys, { warn: () => {} }),
      zones: [],
      facts: false,
      signal: new AbortController().signal,
    },
  )
const ok = { is_ok: true, reason: null }
const failed = (code: string, params: object = {}) => ({
  is_ok: false,
  reason: { code, params: expect.objectContaining(params) },
})

/** A way to a server on a Unix socket, or to one that is taken for a database. */
async function listener(onSocket: (socket: Socket) => void): Promise<number> {
  const { port, close } = await startListener(onSocket)
  ends.push(close)
  return port
}

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'sallyport-databases-'))
  ends.push(() => rm(made, { recursive: true, force: true }))
  return made
}

/** Runs until the tests are over. */
async function serving(child: ChildProcess, port: number): Promise<void> {
  ends.push(async () => {
    if (child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })
  await eventually('the database', () => isListening(port), 60_000)
}

describe('PostgreSQL', () => {
  const login = { method: 'postgresql', secret: 'open sésame' } as const
  let port = 0

  beforeAll(async () => {
    const postgres = await startEmbeddedPostgres({ dataDir: await folder(), log: createLog('silent') })
    ends.push(() => postgres.stop())
    const url = new URL(postgres.superuserUrl)
    const socketDir = url.searchParams.get('host')
    const client = new Client({ connectionString: postgres.superuserUrl })
    await client.connect()
    await client.query(`create role scram login password '${login.secret}'`)
    await client.end()
    const target = socketDir
      ? { path: `${socketDir}/.s.PGSQL.${url.port || '5432'}` }
      : { port: Number(url.port), host: '127.0.0.1' }
    port = await listener((socket) => {
      const way = connect(target).on('error', () => socket.destroy())
      socket.pipe(way).pipe(socket)
      socket.once('close', () => way.destroy())
    })
  })

  test('lets the right password in, by SCRAM', async () => {
    expect(await tried({ ...login, port, username: 'scram' })).toMatchObject(ok)
  })

  test('refuses a wrong one, and an unknown name', async () => {
    expect(await tried({ ...login, port, username: 'scram', secret: 'wrong' })).toMatchObject(
      failed('target_auth_failed', { where: `127.0.0.1:${port}` }),
    )
    expect(await tried({ ...login, port, username: 'nobody' })).toMatchObject(failed('target_auth_failed'))
  })

  test('says what is wrong in its own words where it is something else', async () => {
    expect(await tried({ ...login, port, username: 'scram', db_name: 'nowhere' })).toMatchObject(
      failed('target_refused_sign_in', { said: 'database "nowhere" does not exist' }),
    )
  })

  test('without encryption is not told a password where the asset asks for it', async () => {
    const tls = unchecked
    expect(await tried({ ...login, port, username: 'scram', tls })).toMatchObject(failed('target_no_tls'))
  })

  test('a stranger that only claims to be one learns nothing, and is told so', async () => {
    const said: Buffer[] = []
    const asking = async (...answers: Buffer[]) =>
      await listener((socket) => {
        socket.on('data', (data: Buffer) => {
          said.push(data)
          socket.write(answers.shift() ?? '')
        })
      })
    const clear = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3])
    expect(await tried({ ...login, port: await asking(clear), username: 'scram' })).toMatchObject(
      failed('target_sign_in_unsupported'),
    )
    expect(Buffer.concat(said).toString()).not.toContain('sésame')
    const text = Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')
    expect(await tried({ ...login, port: await asking(text), username: 'scram' })).toMatchObject(
      failed('target_other_protocol', { protocol: 'PostgreSQL' }),
    )
    const flood = await listener((socket) => void socket.write(Buffer.alloc(4_000_000, 0x4e)))
    expect(await tried({ ...login, port: flood, username: 'scram' })).toMatchObject(
      failed('target_other_protocol'),
    )
  })
})

const mariadbd = '/usr/sbin/mariadbd'
describe.skipIf(!existsSync(mariadbd))(
  'MariaDB (skipped where the package mariadb-server-core is not there)',
  () => {
    const login = { method: 'mysql', username: 'op', secret: 'open sesame' } as const
    let port = 0
    let ca = ''

    beforeAll(async () => {
      const home = await folder()
      await chmod(home, 0o755)
      const data = join(home, 'data')
      port = await freePort()
      const user = process.getuid?.() === 0 ? ['--user=root'] : []
      await mkdir(data)
      // What the package's own set-up does, which is in a larger package.
      const tables = ['mysql_system_tables', 'mysql_system_tables_data'].map((name) =>
        readFile(`/usr/share/mysql/${name}.sql`, 'utf8'),
      )
      const making = spawn(mariadbd, ['--no-defaults', '--bootstrap', `--datadir=${data}`, ...user], {
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      making.stdin.end(['create database mysql;', 'use mysql;', ...(await Promise.all(tables))].join('\n'))
      expect(await once(making, 'exit')).toEqual([0, null])
      const first = join(home, 'first.sql')
      await writeFile(
        first,
        `create database shop;
create user 'op'@'%' identified by '${login.secret}';
grant all on shop.* to 'op'@'%';
create user 'odd'@'%' identified via unix_socket;
`,
      )
      const [key, cert] = [join(home, 'key.pem'), join(home, 'cert.pem')]
      const named = ['-subj', '/CN=db', '-addext', 'subjectAltName=IP:127.0.0.1']
      const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert]
      await promisify(execFile)('openssl', ['req', '-x509', ...made, ...named])
      ca = await readFile(cert, 'utf8')
      const child = spawn(
        mariadbd,
        [
          '--no-defaults',
          `--datadir=${data}`,
          `--socket=${join(home, 'socket')}`,
          `--pid-file=${join(home, 'pid')}`,
          `--port=${port}`,
          '--bind-address=127.0.0.1',
          '--skip-name-resolve',
          `--init-file=${first}`,
          `--ssl-cert=${cert}`,
          `--ssl-key=${key}`,
          ...user,
        ],
        { stdio: 'ignore' },
      )
      await serving(child, port)
    }, 120_000)

    test('lets the right password in, to a database it may use', async () => {
      expect(await tried({ ...login, port })).toMatchObject(ok)
      expect(await tried({ ...login, port, db_name: 'shop' })).toMatchObject(ok)
    })

    test('refuses a wrong one, and a database it does not have', async () => {
      expect(await tried({ ...login, port, secret: 'wrong' })).toMatchObject(failed('target_auth_failed'))
      expect(await tried({ ...login, port, db_name: 'nowhere' })).toMatchObject(
        failed('target_refused_sign_in'),
      )
    })

    test('is signed in to over TLS, and its certificate is checked where the asset says so', async () => {
      expect(await tried({ ...login, port, tls: { ...unchecked, ca, allow_invalid: false } })).toMatchObject(
        ok,
      )
      expect(await tried({ ...login, port, tls: unchecked })).toMatchObject(ok)
      expect(await tried({ ...login, port, tls: { ...unchecked, allow_invalid: false } })).toMatchObject(
        failed('target_tls_failed', { said: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
      )
    })

    test('is not understood where it asks for what is not supported here', async () => {
      expect(await tried({ ...login, port, username: 'odd' })).toMatchObject({ is_ok: false })
    })

    test('a stranger that only claims to be one is told so', async () => {
      const strange = await listener((socket) => void socket.write('SSH-2.0-OpenSSH_9.2\r\n'))
      expect(await tried({ ...login, port: strange })).toMatchObject(
        failed('target_other_protocol', { protocol: 'MySQL' }),
      )
    })
  },
)

// The package redis-tools brings the server under another name; redis-server would start one.
const redis = '/usr/bin/redis-check-rdb'
describe.skipIf(!existsSync(redis))('Redis (skipped where the package redis-tools is not there)', () => {
  const login = { method: 'redis', username: '', secret: 'sesame' } as const
  let port = 0

  beforeAll(async () => {
    port = await freePort()
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--requirepass', login.secret]
    const child = spawn(redis, [...args, '--user', 'op', 'on', '>secret', '~*', '+@all'], {
      argv0: 'redis-server',
      cwd: await folder(),
      stdio: 'ignore',
    })
    await serving(child, port)
  })

  test('lets the right password in, with a name and without', async () => {
    expect(await tried({ ...login, port })).toMatchObject(ok)
    expect(await tried({ ...login, port, username: 'op', secret: 'secret' })).toMatchObject(ok)
  })

  test('refuses a wrong one', async () => {
    expect(await tried({ ...login, port, secret: 'wrong' })).toMatchObject(failed('target_auth_failed'))
    expect(await tried({ ...login, port, username: 'nobody' })).toMatchObject(failed('target_auth_failed'))
  })

  test('a stranger that only claims to be one is told so', async () => {
    const strange = await listener((socket) => void socket.write('x'.repeat(10_000)))
    expect(await tried({ ...login, port: strange })).toMatchObject(
      failed('target_other_protocol', { protocol: 'Redis' }),
    )
  })
})
