/**
 * Who is let in to which call, in which organization: every call of the OpenAPI document, seven kinds of callers, compared with
 * `access-table.md`. A call without a row fails. After a change: `npx vitest run --project server apps/server/src/access.test.ts -u`, and
 * read the difference.
 */
import { defaultOrgId, roleIds, rootOrgId } from '@sallyport/contract'
import { expect, test } from 'vitest'
import { startTestSystem, type TestClient } from './testing.ts'
import { addPerson } from './testing-people.ts'

const system = await startTestSystem()
const admin = await system.admin()
const otherOrg = String((await admin.post('orgs/orgs/', { name: 'Other' })).body['id'])
const holderOf = async (role: string, org?: string) =>
  await (await addPerson(system, admin, { org_roles: [role] }, org)).signedIn()

/** Own is the default organization, where all but the administrator of another belong. */
const callers: Readonly<Record<string, TestClient>> = {
  anonymous: system.client(),
  person: await holderOf(roleIds.orgUser),
  auditor: await holderOf(roleIds.orgAuditor),
  'org admin': await holderOf(roleIds.orgAdmin),
  'admin of another': await holderOf(roleIds.orgAdmin, otherOrg),
  'system admin': admin,
  component: await system.component('gateway'),
}
const organizations = { o: defaultOrgId, f: otherOrg, r: rootOrgId }

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
interface Document {
  paths: Record<string, Record<string, unknown>>
}

/** Names a row that is not there and selects nothing, so that nobody's call does anything. */
const nothing = '11111111-1111-4111-8111-111111111111'
async function isLetIn(client: TestClient, method: (typeof methods)[number], path: string, org: string) {
  const url = `${path.replaceAll(/\{\w+\}/g, nothing)}?ids=${nothing}&limit=1`
  const request = { headers: { 'x-jms-org': org } }
  const answer =
    method === 'get' || method === 'delete'
      ? await client[method](url, request)
      : await client[method](url, {}, request)
  expect(answer.status, `${method} ${path}`).not.toBe(500)
  return answer.status !== 401 && answer.status !== 403
}

test('every list can be sorted by each field it says it is sorted by', async () => {
  const document = (await admin.get('/api/swagger.json')).body as unknown as Document
  const lists = Object.keys(document.paths).filter((path) => !path.includes('{') && document.paths[path]?.get)
  const failed: string[] = []
  for (const path of lists) {
    const described = await admin.options(path)
    const { GET } = (described.body['actions'] ?? {}) as { GET?: Record<string, { order?: true }> }
    for (const name of Object.keys(GET ?? {}).filter((field) => GET?.[field]?.order)) {
      const answer = await admin.get(`${path}?order=-${name}&limit=1`)
      if (answer.status >= 500) failed.push(`${path} ${name}: ${String(answer.status)}`)
    }
  }
  expect(failed).toEqual([])
})

test('an address that is there says of other methods that it does not take them', async () => {
  const others = [
    ['get', 'users/users/invite/'],
    ['delete', 'users/users/suggestions/'],
    ['get', 'terminal/tasks/kill-session/'],
    ['put', 'orgs/orgs/current/'],
    ['get', 'authentication/auth/'],
    ['patch', 'authentication/confirm/'],
    ['post', 'perms/users/my/assets/'],
  ] as const
  for (const [method, path] of others) {
    const answer =
      method === 'get' || method === 'delete' ? await admin[method](path) : await admin[method](path, {})
    expect([path, answer.status, answer.body['code']]).toEqual([path, 405, 'method_not_allowed'])
  }
  expect(await system.client().get('authentication/auth/')).toMatchObject({
    status: 405,
    headers: { allow: 'POST' },
  })
})

test('a call that takes a list is described by what its items take, and one that judges its action by the actions', async () => {
  const taken = async (path: string, method = 'POST') =>
    (await admin.options(path)).body['actions']?.[method] as unknown
  expect(await taken('terminal/commands/')).toMatchObject({
    input: { type: 'string' },
    timestamp: { type: 'integer' },
  })
  for (const method of ['PATCH', 'PUT'])
    expect(await taken('terminal/sessions/', method)).toMatchObject({
      id: { required: true },
      is_finished: { type: 'boolean' },
    })
  const action = (...values: string[]) => ({
    action: { type: 'choice', required: true, choices: values.map((value) => ({ value })) },
  })
  for (const path of [
    'assets/assets/tasks/',
    `assets/assets/${nothing}/tasks/`,
    `assets/nodes/${nothing}/tasks/`,
  ])
    expect(await taken(path)).toMatchObject(action('test', 'refresh'))
  expect(await taken('accounts/accounts/tasks/')).toMatchObject(action('verify', 'test'))
})

test('what a list shows is described in the size it is asked for', async () => {
  const shown = async (query: string) => {
    const { actions } = (await admin.options(`users/users/${query}`)).body
    return [Object.keys(actions?.['GET'] ?? {}), Object.keys(actions?.['POST'] ?? {})]
  }
  const [all = [], taken] = await shown('')
  expect(await shown('?fields_size=mini')).toEqual([['id', 'name', 'username'], taken])
  expect(await shown('?fields_size=other')).toEqual([all, taken])
})

test('an address served by hand tells its methods, too', async () => {
  const addresses = {
    'authentication/tokens/': ['POST'],
    'common/resources/cache/': ['POST'],
    '/api/health/': ['GET'],
  }
  for (const [path, methods] of Object.entries(addresses)) {
    const { status, body } = await admin.options(path)
    expect([path, status, Object.keys(body['actions'] ?? {})]).toEqual([path, 200, methods])
  }
  for (const name of ['auth', 'tokens'])
    expect((await system.client().options(`authentication/${name}/`)).body['actions']).toMatchObject({
      POST: {
        username: { type: 'string', required: false, max_length: 128, label: 'Username' },
        password: { write_only: true },
        public_key: {},
        remote_addr: {},
      },
    })
  expect(await admin.get('common/resources/cache/')).toMatchObject({ status: 405 })
  expect(await system.client().options('common/resources/cache/')).toMatchObject({ status: 401 })
})

// The last: it signs everybody out.
test('every call lets in whom the table says, and nobody else', { timeout: 300_000 }, async () => {
  const document = (await admin.get('/api/swagger.json')).body as unknown as Document
  const calls = Object.entries(document.paths)
    .flatMap(([path, item]) => methods.filter((method) => method in item).map((method) => ({ path, method })))
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  expect(calls.length).toBeGreaterThan(100)
  const rows: string[] = []
  for (const { path, method } of calls) {
    const cells = await Promise.all(
      Object.values(callers).map(async (client) => {
        let where = ''
        for (const [letter, org] of Object.entries(organizations))
          if (await isLetIn(client, method, path, org)) where += letter
        return where === '' ? '-' : where
      }),
    )
    rows.push(`| ${[`${method.toUpperCase()} ${path}`, ...cells].join(' | ')} |`)
  }
  const names = Object.keys(callers)
  const table = [
    '# Who is let in',
    '',
    'Written by `access.test.ts` and binding: `o` in the own (default) organization, `f` in a foreign one, `r` in the view of all, `-` nowhere.',
    'Let in means past 401 and 403 with an empty request about a row that is not there; which rows a caller then sees is tested beside each',
    'resource.',
    '',
    `| Call | ${names.join(' | ')} |`,
    `| --- | ${names.map(() => '---').join(' | ')} |`,
    ...rows,
    '',
  ].join('\n')
  await expect(table).toMatchFileSnapshot('./access-table.md')
})
