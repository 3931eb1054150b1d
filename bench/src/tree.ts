/** The tree of nodes: its levels and what is found in it; assets and nodes moved and renamed, with the counts that show it. */
import type { TreeNode } from '@sallyport/contract'
import type { Pool } from 'pg'
import type { Api } from '../../e2e/src/api.ts'
import { below, type Figure, plain } from './figure.ts'
import { load, p95, timed } from './timed.ts'

const levelMs = 100
const levelKiB = 100
const changeMs = 1000
const moved = 1000

interface Node {
  id: string
  key: string
}

async function nodeCalled(pool: Pool, value: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>('select id from nodes where value = $1', [value])
  if (rows[0] === undefined) throw new Error(`there is no node ${value}`)
  return rows[0].id
}

/** @throws Error when a level of the tree says another number of assets than there are, its own and those below */
async function check(api: Api, pool: Pool, query: string): Promise<void> {
  const { body } = await timed(api, 'GET', `assets/nodes/children/tree/?${query}`)
  const shown = (body as TreeNode[]).map(({ name, meta }) => {
    const id = String(meta?.data?.['id'])
    return { id, amount: Number(/\((\d+)\)$/.exec(name)?.[1]) }
  })
  const { rows } = await pool.query<{ id: string; amount: number }>(
    `with recursive within (top, id) as (
       select id, id from nodes where id = any($1)
       union all select within.top, nodes.id from within join nodes on nodes.parent_id = within.id)
     select top as id, count(distinct asset_id)::int as amount from within left join asset_nodes on node_id = within.id group by top`,
    [shown.map(({ id }) => id)],
  )
  const real = new Map(rows.map(({ id, amount }) => [id, amount]))
  const wrong = shown.filter(({ id, amount }) => real.get(id) !== amount)
  if (shown.length === 0 || wrong.length > 0)
    throw new Error(`tree ${query}: of ${shown.length} nodes ${wrong.length} have a wrong count`)
}

async function levels(api: Api, pool: Pool): Promise<Figure[]> {
  const [estate, office] = [await nodeCalled(pool, 'estate-0'), await nodeCalled(pool, 'office-0')]
  const asked = [
    ['the top', ''],
    ['what is below it', `id=${estate}`],
    ['a node of 1,000 children', `id=${office}`],
    ['searched', 'search=shelf-12'],
  ] as const
  const figures: Figure[] = []
  for (const [name, query] of asked) {
    const path = `assets/nodes/children/tree/?${query}`
    await check(api, pool, query)
    const { bytes } = await timed(api, 'GET', path)
    figures.push(
      below(`node tree, ${name}, p95 (${load()})`, await p95(() => timed(api, 'GET', path)), levelMs, 'ms'),
      below(`node tree, ${name}: on the wire`, bytes / 1024, levelKiB, 'KiB'),
    )
  }
  return figures
}

async function changes(api: Api, pool: Pool): Promise<Figure[]> {
  const node = (value: string) => nodeCalled(pool, value)
  const [estate, site, region] = [await node('estate-0'), await node('site-5'), await node('region-1')]
  const { rows } = await pool.query<{ id: string }>(
    `select id from assets where name like 'host-%' order by name limit $1`,
    [moved],
  )
  const assets = rows.map(({ id }) => id)
  const { id: other } = (await timed(api, 'POST', 'assets/nodes/', { value: 'elsewhere' })).body as Node
  const told: [string, number][] = []
  const change = async (name: string, method: string, path: string, body: unknown) => {
    told.push([name, (await timed(api, method, path, body)).ms])
    for (const query of ['', `id=${estate}`, `id=${region}`, `id=${other}`])
      await check(api, pool, query).catch((error: Error) => {
        // A node without children has no level.
        if (!error.message.includes('of 0 nodes')) throw error
      })
  }
  await change('1,000 assets added to a node', 'PUT', `assets/nodes/${site}/assets/add/`, { assets })
  await change('1,000 assets moved', 'PUT', `assets/nodes/${region}/assets/replace/`, { assets })
  await change('a node above 100,000 assets renamed', 'PATCH', `assets/nodes/${estate}/`, {
    value: 'called so',
  })
  await change('a node above 100,000 assets moved', 'PUT', `assets/nodes/${other}/children/add/`, {
    nodes: [estate],
  })
  const { body } = await timed(api, 'GET', 'assets/nodes/?value=region-1&limit=1')
  const path = (body as { results: { full_value: string }[] }).results[0]?.full_value
  if (path !== '/Default/elsewhere/called so/region-1' && path !== '/DEFAULT/elsewhere/called so/region-1')
    throw new Error(`a node below one that was moved says ${path}`)
  await change('a part of it moved back out', 'PUT', `assets/nodes/${other}/children/add/`, {
    nodes: [region],
  })
  return told.map(([name, ms]) => below(`${name} (${load()})`, ms, changeMs, 'ms'))
}

export async function tree(api: Api, pool: Pool): Promise<Figure[]> {
  return [
    ...(await levels(api, pool)),
    ...(await changes(api, pool)),
    plain('counts of the tree after each change', 'those of the tables'),
  ]
}
