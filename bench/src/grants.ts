/**
 * One person's granted assets: 10,000 through nodes, among 100,000 assets and 5,000 permissions; and what connecting costs with 5,000
 * permissions against the same with 5, on the same system.
 */
import { Api } from '../../e2e/src/api.ts'
import type { System } from '../../e2e/src/system.ts'
import { addAccount, addPerson, grant } from '../../e2e/src/world.ts'
import { below, type Bench, type Figure, median, versus } from './figure.ts'
import { fillHosts, fillPermissions } from './fill.ts'
import { withServer } from './server.ts'

const rounds = 40

async function timed(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return median(times)
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
  await fillPermissions(databaseUrl, 5, person.id, asset.id)
  await timed(connect)
  const few = await timed(connect)
  await fillPermissions(databaseUrl, 5000, person.id, asset.id)
  const many = await timed(connect)
  const page = await api.get<{ count: number }>('/api/v1/perms/users/self/assets/?limit=15')
  // Those through nodes, and up to 2,500 one by one.
  if (page.count < 10_000 || page.count > 12_500) throw new Error(`${page.count} assets are granted`)
  const list = await timed(() => api.get('/api/v1/perms/users/self/assets/?limit=15'))
  const name = `granted assets, first page of ${page.count.toLocaleString('en')} (100,000 assets, 5,000 permissions)`
  return [
    below(name, list, 200, 'ms'),
    {
      ...versus('connecting with 5,000 permissions', many, few, 'ms', 'with 5', 1 / 1.2),
      ratio: few / many,
    },
  ]
}

export default { name: 'grants', run: () => withServer(measure) } satisfies Bench
