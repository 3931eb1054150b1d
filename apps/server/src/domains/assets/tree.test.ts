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
      path: `/${line.map(({ value }) => value).join('/')}`,
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
