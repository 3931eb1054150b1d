import { defaultOrgId } from '@sallyport/contract'
import { expect, test } from 'vitest'
import { startTestSystem } from '../../testing.ts'
import { addPerson } from '../../testing-people.ts'

const system = await startTestSystem()
const admin = await system.admin()

const host = (name: string, nodes: unknown) => ({
  name,
  address: '192.0.2.7',
  platform: 1,
  protocols: [{ name: 'ssh', port: 22 }],
  nodes,
})
const pathsOf = (body: Readonly<Record<string, unknown>>) => (body['nodes_display'] as string[]).toSorted()

test('nodes that are sent by their names are made with the host, or found where they are already', async () => {
  const first = await admin.post(
    'assets/hosts/',
    host('n-1', [{ name: 'Berlin' }, { name: '/Default/Paris/Rack 7' }]),
  )
  expect(first.status).toBe(201)
  expect(pathsOf(first.body)).toEqual(['/Default/Berlin', '/Default/Paris/Rack 7'])
  const second = await admin.post('assets/hosts/', host('n-2', [{ name: ' Berlin ' }]))
  const [berlin] = second.body['nodes'] as unknown as { id: string }[]
  expect(first.body['nodes']).toContainEqual(berlin)
  const changed = await admin.patch(`assets/hosts/${String(second.body['id'])}/`, {
    nodes: [berlin?.id, { name: 'Rome' }],
  })
  expect(pathsOf(changed.body)).toEqual(['/Default/Berlin', '/Default/Rome'])
})

test('a node without a name, or with too long a one, is refused, and none is made of a host that is', async () => {
  const refused = await admin.post('assets/hosts/', host('n-3', [{ name: ' ' }]))
  expect(refused).toMatchObject({ status: 400, body: { nodes: ['This field may not be blank.'] } })
  for (const name of ['Be\u001b[31mrlin', 'Be\u0000rlin', 'Be\nrlin'])
    expect((await admin.post('assets/hosts/', host('n-3', [{ name }]))).body).toEqual({
      nodes: ['Control characters, such as line breaks and tabs, are not allowed.'],
    })
  expect((await admin.post('assets/hosts/', host('n-3', [{ name: 'x'.repeat(129) }]))).status).toBe(400)
  expect((await admin.post('assets/hosts/', { ...host('n-1', [{ name: 'Lisbon' }]) })).status).toBe(400)
  const found = await admin.get('assets/nodes/?search=Lisbon')
  expect(found.body).toEqual([])
})

test('who may not make nodes names none', async () => {
  const somebody = await (await addPerson(system, admin)).signedIn()
  const answer = await somebody.post('assets/hosts/', host('n-4', [{ name: 'Oslo' }]))
  expect(answer.status).toBe(403)
})

const names = (count: number, levels: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `M${at}${'/d'.repeat(levels - 1)}` }))

test('no more than a hundred nodes are made at once, and none deeper than the tree may be', async () => {
  const many = await admin.post('assets/hosts/', host('n-5', names(101, 1)))
  expect(many).toMatchObject({
    status: 400,
    body: { nodes: ['No more than 100 nodes can be made at once.'] },
  })
  const onTheWay = await admin.post('assets/hosts/', host('n-5', names(4, 31)))
  expect(onTheWay).toMatchObject({ status: 400, body: { nodes: [expect.stringContaining('100')] } })
  const deep = await admin.post('assets/hosts/', host('n-5', names(1, 32)))
  expect(deep).toMatchObject({ status: 400, body: { nodes: ['The tree is at most 32 levels deep.'] } })
  const several = await admin.post('assets/hosts/', [
    host('n-5', names(60, 1)),
    host('n-6', [{ name: 'Own' }, ...names(101, 1)]),
  ])
  expect(several.status).toBe(400)
  const unbound = await admin.post('assets/hosts/', host('n-5', names(1001, 1)))
  expect(unbound.body).toEqual({ nodes: ['No more than 1000 names may be sent at once.'] })
  expect((await admin.get('assets/nodes/?search=M0')).body).toEqual([])
})

test('no more than a hundred nodes are made on the way to others, however many rows name them', async () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ full_value: `/way-${at}${'/d'.repeat(10)}/end` }))
  const many = await admin.post('assets/nodes/', rows(10))
  expect(many).toMatchObject({ status: 400 })
  expect(many.body[0]).toEqual({ full_value: ['No more than 100 nodes can be made at once.'] })
  expect((await admin.get('assets/nodes/?search=way-')).body).toEqual([])
  const few = await admin.post('assets/nodes/', rows(9))
  expect(few.status).toBe(201)
  expect(few.body.map((row) => row['full_value'])).toContain(`/Default/way-8${'/d'.repeat(10)}/end`)
})

test('nodes of many levels are made on the way, and each level is found again', async () => {
  const made = await admin.post('assets/hosts/', host('n-7', names(3, 31)))
  expect(made.status).toBe(201)
  expect(pathsOf(made.body)[0]).toBe(`/Default/M0${'/d'.repeat(30)}`)
  const levels = Array.from({ length: 31 }, (_, at) => ({ name: `M0${'/d'.repeat(at)}` }))
  const again = await admin.post('assets/hosts/', host('n-8', levels))
  expect(again.status).toBe(201)
  expect(again.body['nodes']).toHaveLength(31)
})

test('who waits for the tree of an organization takes nothing from the people of others', async () => {
  const { pool } = system.database
  const other = String((await admin.post('orgs/orgs/', { name: 'Other' })).body['id'])
  const holder = await pool.connect()
  try {
    await holder.query('begin')
    await holder.query("select pg_advisory_xact_lock(hashtextextended('tree nodes ' || $1, 0))", [
      defaultOrgId,
    ])
    const waiting = Array.from({ length: 30 }, (_, at) =>
      at % 2 === 0
        ? admin.post('assets/hosts/', host(`w-${at}`, [{ name: 'Waited for' }]))
        : admin.post('assets/nodes/', { value: `Waited for ${at}` }),
    )
    const isWaiting = `select 1 from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    await expect.poll(async () => (await holder.query(isWaiting)).rows.length).toBeGreaterThan(0)
    const made = await admin.post('assets/hosts/', host('beside', [{ name: 'Here' }]), { org: other })
    expect(made.status).toBe(201)
    expect((await holder.query(isWaiting)).rows).toHaveLength(1)
    await holder.query('commit')
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([201]))
  } finally {
    holder.release(true)
  }
})
