/** Rows by the thousand: hosts created, changed and deleted in bulk, and names above a large tree. */
import { Client } from 'pg'
import type { System } from '../../e2e/src/system.ts'
import { type Bench, below, type Figure, median, versus } from './figure.ts'
import { withServer } from './server.ts'

const amount = 1000
const rounds = 5
const asked = 2000

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const from = performance.now()
  const result = await work()
  return [result, performance.now() - from]
}

async function send(system: System, method: string, path: string, body?: unknown, org?: string) {
  const answer = await fetch(`${system.origin}/api/v1/${path}`, {
    method,
    headers: {
      ...system.admin.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(org === undefined ? {} : { 'x-jms-org': org }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}

async function bulk(system: System): Promise<Figure[]> {
  const times = { create: [] as number[], patch: [] as number[], delete: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const hosts = Array.from({ length: amount }, (_none, n) => ({
      name: `bulk-${round}-${n}`,
      address: `10.9.${n >> 8}.${n & 255}`,
      platform: 1,
    }))
    const [made, create] = await timed(() => send(system, 'POST', 'assets/hosts/', hosts))
    const ids = (made as { id: string }[]).map(({ id }) => id)
    const [, patch] = await timed(() =>
      send(
        system,
        'PATCH',
        'assets/hosts/',
        ids.map((id, n) => ({ id, comment: `number ${n}` })),
      ),
    )
    const { spm } = (await send(system, 'POST', 'common/resources/cache/', { resources: ids })) as {
      spm: string
    }
    const [, remove] = await timed(() => send(system, 'DELETE', `assets/hosts/?spm=${spm}`))
    times.create.push(create)
    times.patch.push(patch)
    times.delete.push(remove)
  }
  return Object.entries(times).map(([what, measured]) =>
    versus(
      `bulk ${what} of ${amount} hosts`,
      (amount * 1000) / median(measured),
      asked,
      'rows/s',
      'asked',
      1,
    ),
  )
}

/** A tree of 100,000 nodes below one node of a new organization. */
async function tree(system: System, url: string): Promise<Figure[]> {
  const org = (await send(system, 'POST', 'orgs/orgs/', { name: 'Large' })) as { id: string }
  const inOrg = (method: string, path: string, body?: unknown) => send(system, method, path, body, org.id)
  const top = (await inOrg('POST', 'assets/nodes/', { value: 'top' })) as { id: string }
  const other = (await inOrg('POST', 'assets/nodes/', { value: 'other' })) as { id: string }
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      `insert into nodes (parent_id, number, value, org_id) select $1, g, 'group-' || g, $2 from generate_series(1, 100) g`,
      [top.id, org.id],
    )
    await client.query(
      `insert into nodes (parent_id, number, value, org_id) select id, n, 'node-' || n, org_id
       from nodes, generate_series(1, 1000) n where parent_id = $1`,
      [top.id],
    )
    await client.query('vacuum analyze nodes, node_branches')
  } finally {
    await client.end()
  }
  const renames: number[] = []
  for (let round = 0; round < rounds; round++)
    renames.push(
      (await timed(() => send(system, 'PATCH', `orgs/orgs/${org.id}/`, { name: `Large ${round}` })))[1],
    )
  const [, node] = await timed(() => inOrg('PATCH', `assets/nodes/${top.id}/`, { value: 'called otherwise' }))
  const [, moved] = await timed(() =>
    inOrg('PUT', `assets/nodes/${other.id}/children/add/`, { nodes: [top.id] }),
  )
  return [
    below('rename of an organization above 100,000 nodes', median(renames), 300, 'ms'),
    below('rename of a node above 100,000 nodes', node, 300, 'ms'),
    below('move of a node above 100,000 nodes', moved, 1000, 'ms'),
  ]
}

const run = (): Promise<Figure[]> =>
  withServer(async (system, databaseUrl) => [...(await bulk(system)), ...(await tree(system, databaseUrl))])

export default { name: 'rows', run } satisfies Bench
