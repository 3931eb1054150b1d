/** Whom grants reach: the person with most of them, those who reach an asset, a grant that is changed, and what connecting costs. */
import type { Pool } from 'pg'
import type { Api } from '../../e2e/src/api.ts'
import { addHost, addPerson, grant } from '../../e2e/src/world.ts'
import { Api as SignedIn } from '../../e2e/src/api.ts'
import { below, type Figure } from './figure.ts'
import { load, p95, timed } from './timed.ts'

const grantedMs = 200
const reachMs = 300
const changedMs = 1000

async function worst(api: Api, pool: Pool, person: string): Promise<Figure[]> {
  const { rows } = await pool.query<{ key: string; asset: string; group: string }>(
    `select root.number || ':' || estate.number as key, (select id from assets where name = 'host-000700') as asset,
       (select id from user_groups where name = 'group-001') as group
     from nodes root join nodes estate on estate.parent_id = root.id and estate.value = 'estate-0' where root.parent_id is null`,
  )
  const [{ key, asset, group } = { key: '', asset: '', group: '' }] = rows
  const of = `perms/users/${person}`
  const asked: [string, string, number][] = [
    ['granted assets of the worst person, first page', `${of}/assets/?limit=15`, grantedMs],
    ['the same, searched', `${of}/assets/?limit=15&search=host-0123`, grantedMs],
    ['the same, sorted by address', `${of}/assets/?limit=15&order=-address`, grantedMs],
    ['the same, last page', `${of}/assets/?limit=15&offset=99980`, grantedMs],
    ['granted nodes of the worst person, first page', `${of}/nodes/?limit=15`, grantedMs],
    ['the same, last page', `${of}/nodes/?limit=15&offset=9980`, grantedMs],
    ['granted nodes of a group, first page', `perms/user-groups/${group}/nodes/?limit=15`, grantedMs],
    ['granted tree of the worst person, the top', `${of}/nodes/children/tree/`, grantedMs],
    ['the same, a level below', `${of}/nodes/children/tree/?key=${key}`, grantedMs],
    ['the same, with assets', `${of}/nodes/children-with-assets/tree/?key=${key}`, grantedMs],
    ['accounts of the worst person on an asset', `${of}/assets/${asset}/accounts/`, grantedMs],
    ['who reaches an asset', `assets/assets/${asset}/perm-users/?limit=15`, reachMs],
    ['why somebody does', `assets/assets/${asset}/perm-users/${person}/permissions/?limit=15`, reachMs],
    ['groups that reach it', `assets/assets/${asset}/perm-user-groups/?limit=15`, reachMs],
    ['permissions of an asset', `perms/asset-permissions/?limit=15&asset_id=${asset}`, reachMs],
    ['permissions of a person', `perms/asset-permissions/?limit=15&user_id=${person}`, reachMs],
  ]
  const figures: Figure[] = []
  for (const [name, path, limit] of asked)
    figures.push(below(`${name}, p95 (${load()})`, await p95(() => timed(api, 'GET', path)), limit, 'ms'))
  return figures
}

/** From a change of a permission until the person has, or has not, what it grants. */
async function changed(api: Api): Promise<Figure> {
  const person = await addPerson(api)
  const host = await addHost(api, { port: 22 })
  const { id } = await grant(api, { users: [person.id], assets: [host.id] })
  const own = await SignedIn.signIn(api.origin, person.username, person.password)
  const change = async (is_active: boolean) => {
    const from = performance.now()
    await timed(api, 'PATCH', `perms/asset-permissions/${id}/`, { is_active })
    const { body } = await timed(own, 'GET', 'perms/users/self/assets/?limit=15')
    if ((body as { count: number }).count !== Number(is_active))
      throw new Error('a permission that was changed does not hold')
    return { ms: performance.now() - from }
  }
  let isActive = true
  const ms = await p95(() => change((isActive = !isActive)))
  return below(`a permission changed until it holds, p95 (${load()})`, ms, changedMs, 'ms')
}

/** Somebody with one grant, and the person of a hundred groups, ask for leave to connect with the same asset. */
export async function people(api: Api, pool: Pool, person: string): Promise<Figure[]> {
  return [...(await worst(api, pool, person)), await changed(api)]
}
