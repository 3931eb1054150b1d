/**
 * One person's granted assets: 10,000 through nodes, among 100,000 assets and 5,000 permissions; and what connecting costs with 5,000
 * permissions against 5, and with 200 command filters and 200 asset login rules against none, on the same system.
 */
import { randomUUID } from 'node:crypto'
import { Api } from '../../e2e/src/api.ts'
import type { System } from '../../e2e/src/system.ts'
import { addAccount, addPerson, grant } from '../../e2e/src/world.ts'
import { registerComponent } from './component.ts'
import { below, type Bench, type Figure, median, versus } from './figure.ts'
import { fillHosts, fillPermissions, fillRules, switchRules } from './fill.ts'
import { withServer } from './server.ts'

const rounds = 40

/** Milliseconds each round took. */
async function timed(work: () => Promise<unknown>, amount = rounds): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < amount; round++) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return times
}

async function measure(system: System, databaseUrl: string): Promise<Figure[]> {
  await fillHosts(databaseUrl, 100_000)
  const { admin } = system
  const top = await admin.get<{ results: { id: string; value: string }[] }>(
    '/api/v1/assets/nodes/children/?limit=20',
  )
  const groups = top.results.filter(({ value }) => value.startsWith('group-')).slice(0, 10)
  const person = await addPerson(admin)
  await grant(admin, { users: [person.id], nodes: groups.map(({ id }) => id) })
  const api = await Api.signIn(system.origin, person.username, person.password)
  const [asset] = (await api.get<{ results: { id: string }[] }>('/api/v1/perms/users/self/assets/?limit=1'))
    .results
  if (asset === undefined) throw new Error('nothing is granted')
  await addAccount(admin, asset.id, { username: 'bench', password: 'unused' })
  const connect = () =>
    api.post('/api/v1/authentication/connection-token/', {
      asset: asset.id,
      account: 'bench',
      protocol: 'ssh',
      connect_method: 'web_cli',
    })
  const post = await registerComponent(system)
  const begin = () =>
    post('/api/v1/terminal/sessions/begin/', {
      id: randomUUID(),
      user: person.id,
      asset: asset.id,
      account: 'bench',
      protocol: 'ssh',
      connect_method: 'ssh',
      type: 'normal',
      login_from: 'ST',
      remote_addr: '127.0.0.1',
      date_start: new Date().toISOString(),
    })
  const few: number[] = []
  const many: number[] = []
  // In turns, so that what else the machine does weighs on both.
  for (let turn = 0; turn < 5; turn++)
    for (const [amount, times] of [
      [5, few],
      [5000, many],
    ] as const) {
      await fillPermissions(databaseUrl, amount, person.id, asset.id)
      await timed(connect, 5)
      times.push(...(await timed(connect, rounds / 2)))
    }
  await fillRules(databaseUrl, 200, person.username)
  for (const warmUp of [connect, begin]) await timed(warmUp)
  const ruled = { token: [] as number[], session: [] as number[] }
  const free = { token: [] as number[], session: [] as number[] }
  for (let round = 0; round < rounds; round++)
    for (const [isInForce, times] of [
      [true, ruled],
      [false, free],
    ] as const) {
      await switchRules(databaseUrl, isInForce)
      times.token.push(...(await timed(connect, 1)))
      times.session.push(...(await timed(begin, 1)))
    }
  const page = await api.get<{ count: number }>('/api/v1/perms/users/self/assets/?limit=15')
  // Those through nodes, and up to 2,500 one by one.
  if (page.count < 10_000 || page.count > 12_500) throw new Error(`${page.count} assets are granted`)
  const list = median(await timed(() => api.get('/api/v1/perms/users/self/assets/?limit=15')))
  const name = `granted assets, first page of ${page.count.toLocaleString('en')} (100,000 assets, 5,000 permissions)`
  return [
    below(name, list, 200, 'ms'),
    slower('a token with 5,000 permissions', many, few, 'with 5'),
    slower('a token with 200 asset login rules', ruled.token, free.token, 'with none in force'),
    slower(
      'a session begun with 200 asset login rules and 200 command filters, 20 of which hold',
      ruled.session,
      free.session,
      'with none in force',
    ),
  ]
}

function slower(name: string, times: readonly number[], peers: readonly number[], peerName: string): Figure {
  const [measured, peer] = [median(times), median(peers)]
  return { ...versus(name, measured, peer, 'ms', peerName, 1 / 1.2), ratio: peer / measured }
}

export default { name: 'grants', run: () => withServer(measure) } satisfies Bench
