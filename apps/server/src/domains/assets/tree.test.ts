/** The tree of nodes against a simple model of it: whatever is made, renamed, moved and deleted, every answer is that of the model. */
import { defaultOrgId } from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { callerOf } from '../../kernel/testing/caller.ts'
import { testGround } from '../../kernel/testing/ground.ts'
import { startTestServer } from '../../kernel/testing/http.ts'
import { createTestDatabase } from '../../kernel/testing/index.ts'
import { domain } from './index.ts'
import { tree } from './nodes.ts'
import { nodes } from './tables.ts'

const database = await createTestDatabase()
const ground = await testGround(database)
let call: ReturnType<typeof callerOf>

beforeAll(async () => {
  await database.pool.query(`insert into organizations (id, name) values ('${defaultOrgId}', 'DEFAULT')`)
  const own = domain(ground, {
    make: () => Promise.resolve(),
    checkMayMove: () => Promise.resolve(),
    checkMayMoveAll: () => Promise.resolve(),
    listed: sql`'[]'::json`,
    amount: sql`0`,
  })
  await own.seed?.()
  call = callerOf(await startTestServer(database, [own]), 'ann *')
})

/** The same row of numbers for each seed (mulberry32). */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

interface Modelled {
  id: string
  value: string
  parent: Modelled | undefined
  number: number
  /** Number of its next child. */
  next: number
}
const maxDepth = 32
const lineOf = (node: Modelled): Modelled[] => (node.parent ? [...lineOf(node.parent), node] : [node])

class Model {
  nodes: Modelled[]
  constructor(root: { id: string; value: string }) {
    this.nodes = [{ ...root, parent: undefined, number: 1, next: 0 }]
  }
  below = (top: Modelled) => this.nodes.filter((node) => lineOf(node).includes(top))
  private isFree = (parent: Modelled, value: string) =>
    !this.nodes.some((node) => node.parent === parent && node.value === value)

  make(parent: Modelled, value: string): ((id: string) => void) | undefined {
    if (lineOf(parent).length >= maxDepth || !this.isFree(parent, value)) return undefined
    return (id) => this.nodes.push({ id, value, parent, number: parent.next++, next: 0 })
  }
  rename(node: Modelled, value: string): boolean {
    if (node.value === value) return true
    if (node.parent === undefined || !this.isFree(node.parent, value)) return false
    node.value = value
    return true
  }
  /** All of them or none. */
  move(to: Modelled, moving: readonly Modelled[]): boolean {
    const before = this.nodes.map((node) => ({ ...node }))
    for (const node of moving) {
      const levels = Math.max(...this.below(node).map((one) => lineOf(one).length)) - lineOf(node).length
      const isFine =
        node.parent === to ||
        (node.parent !== undefined &&
          !lineOf(to).includes(node) &&
          this.isFree(to, node.value) &&
          lineOf(to).length + 1 + levels <= maxDepth)
      if (!isFine) {
        for (const [at, old] of before.entries()) Object.assign(this.nodes[at] ?? {}, old)
        return false
      }
      if (node.parent !== to) Object.assign(node, { parent: to, number: to.next++ })
    }
    return true
  }
  remove(node: Modelled): boolean {
    if (node.parent === undefined) return false
    const gone = new Set(this.below(node))
    this.nodes = this.nodes.filter((one) => !gone.has(one))
    return true
  }
}

const pathOf = (node: Modelled) =>
  `/${lineOf(node)
    .map(({ value }) => value)
    .join('/')}`
/** Whether each word is a part of the path, whatever its case. */
const isFound = (node: Modelled, text: string) =>
  text.split(' ').every((word) => `${pathOf(node)}/`.toLowerCase().includes(word.toLowerCase()))

/** Everything there is to know of the stored tree. */
async function stored() {
  const within = (ids: ReturnType<typeof sql>) => sql`array(select id from (${ids}) as found order by id)`
  const found = await database.db.execute(
    sql`select id, ${tree.key()} as key, ${tree.parentKey()} as parent_key, ${tree.path()} as path,
      ${within(tree.below(sql`${nodes}.id`))} as below, ${within(tree.aboveAny(sql`select ${nodes}.id`))} as above
      from ${nodes} order by id`,
  )
  return found.rows
}
const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)
const sorted = (found: readonly Modelled[]) => found.toSorted(byId).map(({ id }) => id)
const expected = (model: Model) =>
  model.nodes.toSorted(byId).map((node) => {
    const line = lineOf(node)
    const key = line.map(({ number }) => number)
    return {
      id: node.id,
      key: key.join(':'),
      parent_key: key.slice(0, -1).join(':'),
      path: pathOf(node),
      below: sorted(model.below(node)),
      above: sorted(line),
    }
  })

test.each([1, 2, 3])(
  'the tree is that of a simple model after any changes (row of chance %i)',
  async (seed) => {
    await database.pool.query('delete from nodes where parent_id is not null')
    await database.pool.query('update nodes set child_mark = 0')
    const [root] = (await call('GET', 'assets/nodes/?key=1')).body
    const model = new Model({ id: String(root?.id), value: String(root?.value) })
    const below = numbersFrom(seed)
    const any = <T>(of: readonly T[]): T => of[below(of.length)] as T
    for (let step = 0; step < 160; step++) {
      const [one, other] = [any(model.nodes), any(model.nodes)]
      const value = `n${below(12)}`
      // One of the rows begins with a line as deep as it may be.
      const isLine = seed === 3 && step < maxDepth
      const kind = isLine ? 0 : below(10)
      if (kind < 4) {
        // A long line now and then, to meet the greatest depth.
        const parent = seed === 3 && step % 2 === 0 ? (model.nodes.at(-1) ?? one) : one
        const accept = model.make(parent, value)
        const answer = await call('POST', `assets/nodes/${parent.id}/children/`, { value })
        expect([step, answer.status], JSON.stringify(answer.body)).toEqual([step, accept ? 201 : 400])
        accept?.(String(answer.body.id))
      } else if (kind < 5) {
        const isDone = model.rename(one, value)
        const answer = await call('PATCH', `assets/nodes/${one.id}/`, { value })
        expect([step, answer.status]).toEqual([step, isDone ? 200 : 400])
      } else if (kind < 9) {
        const moving = [...new Set([other, ...(below(3) === 0 ? [any(model.nodes), any(model.nodes)] : [])])]
        const isDone = model.move(one, moving)
        const answer = await call('PUT', `assets/nodes/${one.id}/children/add/`, {
          nodes: moving.map(({ id }) => id),
        })
        expect([step, answer.status], JSON.stringify(answer.body)).toEqual([step, isDone ? 200 : 400])
      } else {
        const isDone = below(3) > 0 ? model.remove(one) : undefined
        if (isDone !== undefined)
          expect([step, (await call('DELETE', `assets/nodes/${one.id}/`)).status]).toEqual([
            step,
            isDone ? 204 : 403,
          ])
      }
      if (step % 8 === 0) expect(await stored()).toEqual(expected(model))
    }
    expect(await stored()).toEqual(expected(model))
    for (const { id, key } of expected(model).slice(0, 20)) {
      const [found] = (await call('GET', `assets/nodes/?key=${key}`)).body
      expect(found).toMatchObject({ id, key })
    }
    const [first = '', second = ''] = [any(model.nodes), any(model.nodes)].map((node) =>
      pathOf(node).slice(1),
    )
    const texts = 'n1|n1 n2|n1/n|/n1/|1/n1/n|default/n1|/DEFAULT|DEFAULT/|AULT/n|/|//|n//1|%|n_'.split('|')
    const ofNodes = [first, second, `${first} ${second}`, `${first.slice(2)}/ n`, `/${first}/`]
    for (const text of [...texts, ...ofNodes, 'n/'.repeat(60)]) {
      const found = (await call('GET', `assets/nodes/?search=${encodeURIComponent(text)}`)).body
      expect(found.map(({ id }) => String(id)).toSorted(), text).toEqual(
        sorted(model.nodes.filter((node) => isFound(node, text))),
      )
    }
    const byKey = (await call('GET', 'assets/nodes/?order=key')).body.map(({ key }) => String(key))
    const numbers = (key: string) => key.split(':').map(Number)
    const before = (one: number[], two: number[]): number => {
      const at = one.findIndex((part, place) => part !== two[place])
      return at === -1 ? one.length - two.length : at in two ? (one[at] ?? 0) - (two[at] ?? 0) : 1
    }
    expect(byKey).toEqual(
      expected(model)
        .map(({ key }) => key)
        .toSorted((one, two) => before(numbers(one), numbers(two))),
    )
    // What is kept beside the nodes is kept for those that are there.
    const { rows } = await database.pool.query(
      'select 1 from node_branches where branch_id not in (select id from nodes) or ancestor_id not in (select id from nodes)',
    )
    expect(rows).toEqual([])
  },
)

test('a root with slashes in its name is found by them', async () => {
  await database.pool.query(`delete from nodes where parent_id is not null`)
  await database.pool.query(`update nodes set value = 'R/D/Labs'`)
  const [root] = (await call('GET', 'assets/nodes/?key=1')).body
  const { body } = await call('POST', `assets/nodes/${String(root?.id)}/children/`, { value: 'Bench' })
  const found = async (text: string) =>
    (await call('GET', `assets/nodes/?search=${encodeURIComponent(text)}`)).body.map(({ value }) => value)
  for (const text of ['r/d', '/R/D/', 'D/L', 'D/', '/R', 'Labs/'])
    expect(await found(text), text).toHaveLength(2)
  for (const text of ['D/Labs/b', '/R/D/Labs/Bench/']) expect(await found(text)).toEqual([body['value']])
  for (const text of ['R/Labs', '/R/Bench', 'd/b']) expect(await found(text)).toEqual([])
})

test('a search for ten words of 10,000 nodes ends, as does one for paths', async () => {
  await database.pool.query('delete from nodes where parent_id is not null')
  const levels = ['estate', 'region', 'hall', 'row', 'rack']
  for (const [at, name] of levels.entries())
    await database.pool.query(
      `insert into nodes (parent_id, number, value, org_id)
       select above.id, $1 + n, $2 || '-' || n, above.org_id from generate_series(0, $3::int - 1) n
       join (select id, org_id, row_number() over (order by id) - 1 as at, count(*) over () as amount from nodes
         where case when $4::text is null then parent_id is null else value ~ ('^' || $4 || '-') end) above on above.at = n % above.amount`,
      [(at + 1) * 10_000, name, [1, 20, 400, 2000, 8000][at], levels[at - 1] ?? null],
    )
  await database.pool.query('vacuum analyze nodes, node_branches')
  const count = async (text: string) => {
    const { status, body } = await call('GET', `assets/nodes/?limit=15&search=${encodeURIComponent(text)}`)
    return status === 200 ? Number(body['count']) : status
  }
  expect(await count('estate region hall row rack')).toBe(8000)
  expect(await count('a e i o t r n h w c')).toBe(8000)
  expect(await count('/ // a/ e/ 1/ /r /h e-0/r n-1/h l-2/r')).toBe(0)
})
