/** What others wait for while somebody writes as much as one call takes. */
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { confirm } from '../../testing-people.ts'
import { adminPassword, startTestSystem } from '../../testing.ts'
import { longestTurnMs } from '../testing/turns.ts'

const system = await startTestSystem()
const admin = await system.admin()
let port = 0
beforeAll(async () => {
  await confirm(admin, adminPassword)
  await system.http.listen({ host: '127.0.0.1', port: 0 })
  port = (system.http.server.address() as AddressInfo).port
  // What runs for the first time is compiled by it.
  for (let round = 0; round < 3; round++)
    await measured(
      'POST',
      'assets/hosts/',
      many(200, (n) => host(n)),
    )
})

const many = <T>(count: number, one: (n: number) => T): T[] =>
  Array.from({ length: count }, (_none, n) => one(n))
let made = 0
const name = (n: number) => `turn-${++made}-${n}`
const host = (n: number, fields: object = {}) => ({
  name: name(n),
  address: '192.0.2.1',
  platform: 1,
  protocols: [{ name: 'ssh', port: 22 }],
  ...fields,
})

/** Over a connection, as pieces come and go there; of the answer only the beginning is kept. */
async function measured(method: string, path: string, body?: unknown) {
  const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  let status = 0
  let bytes = 0
  let beginning = ''
  const turnMs = await longestTurnMs(
    () =>
      new Promise<void>((resolve, reject) => {
        const asked = request(
          {
            port,
            host: '127.0.0.1',
            method,
            path: `/api/v1/${path}`,
            headers: {
              'accept-language': 'en',
              cookie: [...admin.cookies].map(([key, value]) => `${key}=${value}`).join('; '),
              'x-csrftoken': [...admin.cookies].find(([key]) => /csrf/i.test(key))?.[1],
              ...(payload && { 'content-type': 'application/json', 'content-length': payload.length }),
            },
          },
          (answer) => {
            status = answer.statusCode ?? 0
            answer.on('data', (part: Buffer) => {
              if (bytes < 300) beginning += part.toString('utf8', 0, 300)
              bytes += part.length
            })
            answer.on('end', resolve)
          },
        )
        asked.on('error', reject)
        asked.end(payload)
      }),
  )
  return { status, turnMs, bytes, beginning }
}

/** Of the processor: however busy the machine is, but for caches that others fill meanwhile. */
const longestMs = 250
const everybody = { username_group: ['*'] }
const networks = many(200, (k) => `10.1.${k}.0/24`)

test.each([
  ['hosts', 'assets/hosts/', () => many(1000, (n) => host(n)), 201],
  [
    'hosts with accounts and their secrets',
    'assets/hosts/',
    () =>
      many(1000, (n) =>
        host(n, { accounts: many(5, (k) => ({ name: `a${k}`, username: `u${k}`, secret: 'secret' })) }),
      ),
    201,
  ],
  [
    'hosts with as many names of no field as a request may hold',
    'assets/hosts/',
    () =>
      many(190, (n) => ({ ...host(n), ...Object.fromEntries(many(100, (k) => [`unknown ${n} ${k}`, 1])) })),
    201,
  ],
  [
    'hosts whose accounts all have a fault',
    'assets/hosts/',
    () => many(1000, (n) => host(n, { accounts: many(5, () => ({ name: 'same', username: 'same' })) })),
    400,
  ],
  [
    'hosts with labels that all have a fault',
    'assets/hosts/',
    () => many(1000, (n) => host(n, { labels: many(100, (k) => ({ name: `label ${k}` })) })),
    400,
  ],
  [
    'hosts with labels that are none',
    'assets/hosts/',
    () => many(1000, (n) => host(n, { labels: many(100, (k) => `label ${k}`) })),
    400,
  ],
  [
    'command filters with long lists of addresses',
    'acls/command-filter-acls/',
    () =>
      many(1000, (n) => ({
        name: name(n),
        action: 'reject',
        users: everybody,
        accounts: everybody,
        assets: { name_group: ['*'], address_group: networks },
      })),
    201,
  ],
  [
    'command groups',
    'acls/command-groups/',
    () =>
      many(30, (n) => ({
        name: name(n),
        content: many(9000, (k) => `command-${k}`.padEnd(28, 'x')).join('\n'),
      })),
    201,
  ],
])('of %s: little', { timeout: 120_000 }, async (_what, path, bodies, status) => {
  const found = await measured('POST', path, bodies())
  expect(found, found.beginning).toMatchObject({ status })
  expect(found.turnMs).toBeLessThan(longestMs)
})

test('of login rules with long lists of addresses: little', { timeout: 120_000 }, async () => {
  const person = { name: 'Ann', username: 'ann', email: 'ann@example.org' }
  const user = (await admin.post('users/users/', person)).body['id']
  const rules = { ip_group: networks, time_period: [] }
  const bodies = many(1000, (n) => ({ name: name(n), user, action: 'reject', rules }))
  const found = await measured('POST', 'acls/login-acls/', bodies)
  expect(found, found.beginning).toMatchObject({ status: 201 })
  expect(found.turnMs).toBeLessThan(longestMs)
})

test(
  'of grants that name a quarter of a million assets that are not there: little',
  { timeout: 120_000 },
  async () => {
    const users = [(await admin.get('users/profile/')).body['id']]
    const bodies = many(24, (n) => ({
      name: name(n),
      users,
      assets: many(9900, () => randomUUID()),
      accounts: ['@ALL'],
    }))
    const found = await measured('POST', 'perms/asset-permissions/', bodies)
    expect(found, found.beginning).toMatchObject({
      status: 400,
      beginning: expect.stringContaining('object does not exist'),
    })
    expect(found.turnMs).toBeLessThan(longestMs)
  },
)

test('of hosts in a hundred nodes each: little', { timeout: 120_000 }, async () => {
  const nodes: unknown[] = []
  for (const value of many(100, (n) => name(n)))
    nodes.push((await admin.post('assets/nodes/', { value })).body['id'])
  const found = await measured(
    'POST',
    'assets/hosts/',
    many(600, (n) => host(n, { nodes })),
  )
  expect(found, found.beginning).toMatchObject({ status: 201 })
  expect(found.turnMs).toBeLessThan(longestMs)
})

test('of what is written to thousands of hosts at once: little', { timeout: 120_000 }, async () => {
  const hosts = await system.database.pool.query<{ id: string }>('select id from assets limit 5000')
  const assets = hosts.rows.map(({ id }) => id)
  const account = { name: 'root', username: 'root', secret_type: 'password', secret: 'A-secret-1' }
  const everywhere = await measured('POST', 'accounts/accounts/bulk/', { ...account, assets })
  expect(everywhere, everywhere.beginning).toMatchObject({ status: 200 })
  const template = (await admin.post('accounts/account-templates/', { ...account, username: 'other' })).body
  const users = [(await admin.get('users/profile/')).body['id']]
  const granted = await measured('POST', 'perms/asset-permissions/', {
    name: 'by template',
    assets,
    users,
    accounts: [`%${String(template['id'])}`],
  })
  expect(granted, granted.beginning).toMatchObject({ status: 201 })
  const several = many(100, (n) => ({
    name: name(n),
    assets: assets.slice(0, 1000),
    users,
    accounts: ['@ALL'],
  }))
  const grants = await measured('POST', 'perms/asset-permissions/', several)
  expect(grants, grants.beginning).toMatchObject({ status: 201 })
  for (const { turnMs } of [everywhere, granted, grants]) expect(turnMs).toBeLessThan(longestMs)
})

test('more accounts than are written in one call are told at once, and so is the figure', async () => {
  const body = [host(0, { accounts: many(1000, (k) => ({ username: `u${k}` })) })]
  expect((await admin.post('assets/hosts/', body)).status).toBe(201)
  const found = await measured(
    'POST',
    'assets/hosts/',
    many(6, () => ({ ...body[0], name: name(0) })),
  )
  expect(found).toMatchObject({ status: 413, beginning: expect.stringContaining('more than 5000 accounts') })
})
