/**
 * A server under strain: forty people who write while a setting changes each second, and a crowd that guesses a password while somebody
 * opens the console.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { defaultSettings } from '@sallyport/contract'
import { Client } from 'pg'
import { Api } from '../../e2e/src/api.ts'
import { repository } from '../../e2e/src/processes.ts'
import type { System } from '../../e2e/src/system.ts'
import { type Bench, below, type Figure, percentile } from './figure.ts'
import { withServer } from './server.ts'

const writers = 40
const writingMs = 60_000
const guesses = 400

async function writing({ admin }: System, url: string): Promise<Figure[]> {
  const hosts = await admin.post<{ id: string }[]>(
    '/api/v1/assets/hosts/',
    Array.from({ length: writers }, (_none, n) => ({
      name: `strain-${n}`,
      address: '127.0.8.1',
      platform: 1,
    })),
  )
  const client = new Client({ connectionString: url })
  await client.connect()
  const until = performance.now() + writingMs
  const times: number[] = []
  let broken = 0
  async function write(id: string): Promise<void> {
    for (let n = 0; performance.now() < until; n++) {
      const from = performance.now()
      const { status } = await admin.send('PATCH', `/api/v1/assets/hosts/${id}/`, { comment: `number ${n}` })
      times.push(performance.now() - from)
      if (status >= 500) broken++
    }
  }
  async function change(): Promise<void> {
    for (; performance.now() < until; await sleep(1000))
      await client.query(`select pg_notify('sallyport', '["settings",null]')`)
  }
  await Promise.all([change(), ...hosts.map(({ id }) => write(id))])
  await client.end()
  const name = `${writers} parallel writes with a settings event each second, 60 s`
  return [
    below(`${name}: slowest of ${times.length}`, Math.max(...times), 1000, 'ms'),
    { ...below(`${name}: answers 5xx`, broken, 0, ''), ratio: broken === 0 ? 1 : 0 },
  ]
}

async function guessing({ admin, origin }: System): Promise<Figure[]> {
  await admin.post('/api/v1/users/users/', {
    name: 'guessed',
    username: 'guessed',
    email: 'guessed@example.com',
    password_strategy: 'custom',
    password: 'A-password-of-9',
  })
  const [file = ''] = await readdir(join(repository, 'apps/console/dist/assets'))
  const times: number[] = []
  const over = new AbortController()
  async function open(): Promise<void> {
    while (!over.signal.aborted) {
      const from = performance.now()
      await (await fetch(`${origin}/ui/assets/${file}`)).arrayBuffer()
      times.push(performance.now() - from)
      await sleep(5)
    }
  }
  const opening = open()
  const anybody = new Api(origin, {})
  const answers = await Promise.all(
    Array.from({ length: guesses }, () =>
      anybody.send('POST', '/api/v1/authentication/auth/', { username: 'guessed', password: 'wrong' }),
    ),
  )
  over.abort()
  await opening
  const refused = answers.map(({ body }) => JSON.stringify(body))
  const verified = refused.filter((text) => !text.includes('block')).length
  return [
    below(
      `${guesses} parallel wrong sign-ins: passwords verified`,
      verified,
      defaultSettings.SECURITY_LOGIN_LIMIT_COUNT,
      '',
    ),
    below(
      `${guesses} parallel wrong sign-ins: static file meanwhile, p95 of ${times.length}`,
      percentile(times, 0.95),
      50,
      'ms',
    ),
  ]
}

const run = (): Promise<Figure[]> =>
  withServer(async (system, databaseUrl) => [
    ...(await writing(system, databaseUrl)),
    ...(await guessing(system)),
  ])

export default { name: 'strain', run } satisfies Bench
