/** Assets of every category, made, changed and taken in and out as files, in the whole server. */
import { rootOrgId } from '@sallyport/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestSystem, type TestBody, type TestClient } from '../../testing.ts'

const system = await startTestSystem()
let admin: TestClient
let made = 0

beforeAll(async () => {
  admin = await system.admin()
})

const asset = (platform: number, more: object = {}) => ({
  name: `asset-${++made}`,
  address: '192.0.2.1',
  platform,
  ...more,
})
const add = async (list: string, body: unknown): Promise<TestBody> => {
  const answer = await admin.post(`assets/${list}/`, body)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
  return answer.body
}
const read = async (list: string, id: unknown) => (await admin.get(`assets/${list}/${String(id)}/`)).body
const fieldsOf = async (list: string, platform: number): Promise<Partial<TestBody>> =>
  (await admin.options(`assets/${list}/?platform=${platform}`)).body['actions']?.['POST'] ?? {}

const categories = [
  { list: 'hosts', category: 'host', platform: 1, protocols: [{ name: 'ssh', port: 22 }] },
  { list: 'devices', category: 'device', platform: 14, protocols: [{ name: 'ssh', port: 22 }] },
  { list: 'databases', category: 'database', platform: 17, protocols: [{ name: 'mysql', port: 3306 }] },
  { list: 'webs', category: 'web', platform: 26, protocols: [{ name: 'http', port: 80 }] },
  { list: 'clouds', category: 'cloud', platform: 28, protocols: [{ name: 'k8s', port: 443 }] },
]

describe.each(categories)('$list', ({ list, category, platform, protocols }) => {
  it('are made, changed and removed in their list, and stand in the common one', async () => {
    const row = await add(list, asset(platform))
    expect(row).toMatchObject({ category: { value: category }, protocols, nodes: [{ name: 'Default' }] })
    const own = `assets/${list}/${String(row['id'])}/`
    expect((await admin.patch(own, { comment: 'in the rack' })).body).toMatchObject({
      comment: 'in the rack',
      protocols,
    })
    expect(await read('assets', row['id'])).toMatchObject({ comment: 'in the rack', accounts: [] })
    for (const other of categories.filter((one) => one.list !== list))
      expect((await admin.get(`assets/${other.list}/${String(row['id'])}/`)).status).toBe(404)
    expect((await admin.delete(own)).status).toBe(204)
    expect((await admin.get(`assets/assets/${String(row['id'])}/`)).status).toBe(404)
  })

  it('are described with their own category and types, and what their platform has', async () => {
    const { actions } = (await admin.options(`assets/${list}/?platform=${platform}`)).body
    expect(actions?.['GET']?.['category']?.['choices']).toMatchObject([{ value: category }])
    expect(actions?.['POST']?.['protocols']?.['default']).toEqual(protocols)
    const offered = actions?.['POST']?.['protocols']?.['child']?.['children']?.['name']?.['choices']
    expect((offered as unknown as { value: string }[]).map(({ value }) => value)).toContain(
      protocols[0]?.name,
    )
  })

  it.each([
    ['a port of 0', (name: string) => [{ name, port: 0 }], { protocols: [{ port: [expect.any(String)] }] }],
    [
      'a port of 70000',
      (name: string) => [{ name, port: 70_000 }],
      { protocols: [{ port: [expect.any(String)] }] },
    ],
    [
      'a protocol the platform has not',
      (name: string) => [
        { name, port: 22 },
        { name: 'gopher', port: 70 },
      ],
      { protocols: [expect.stringContaining('has no protocol gopher')] },
    ],
  ])('are refused with %s', async (_what, given, problems) => {
    const answer = await admin.post(
      `assets/${list}/`,
      asset(platform, { protocols: given(String(protocols[0]?.name)) }),
    )
    expect(answer).toMatchObject({ status: 400, body: problems })
  })

  it('are not made with a platform of another category', async () => {
    const other = categories.find((one) => one.list !== list)
    expect(await admin.post(`assets/${list}/`, asset(other?.platform ?? 0))).toMatchObject({
      status: 400,
      body: { platform: [expect.stringContaining('another kind of asset')] },
    })
  })

  it('are exported to a template that changes them, and one that makes others', async () => {
    const row = await add(list, asset(platform, { comment: 'first' }))
    const id = String(row['id'])
    const headers = { 'content-type': 'text/csv' }
    const rendered = async (template: string) => {
      const file = await admin.get(`assets/${list}/?format=csv&template=${template}&ids=${id}`)
      expect(file.status).toBe(200)
      return (await admin.post(`assets/${list}/render-to-json/`, file.bytes, { headers })).body
    }
    const [changed] = (await rendered('update'))['data'] ?? []
    expect(
      await admin.put(`assets/${list}/`, [Object.assign({}, changed, { comment: 'second' })]),
    ).toMatchObject({ status: 200 })
    expect(await read(list, id)).toMatchObject({ comment: 'second', protocols })
    const titles = ((await rendered('import'))['title'] as unknown as [string, string][]).map(
      ([, field]) => field,
    )
    for (const field of ['name', 'address', 'platform', 'protocols', 'nodes', 'labels'])
      expect(titles).toContain(field)
  })
})

describe('databases', () => {
  it.each([
    [19, 'PostgreSQL'],
    [23, 'MongoDB'],
  ])('of a server one logs in to by database name it: %i', async (platform) => {
    const required = { status: 400, body: { db_name: ['This field is required.'] } }
    expect(await admin.post('assets/databases/', asset(platform))).toMatchObject(required)
    const row = await add('databases', asset(platform, { db_name: 'orders' }))
    const own = `assets/databases/${String(row['id'])}/`
    expect(await admin.patch(own, { db_name: '' })).toMatchObject(required)
    expect(await admin.patch(own, { comment: 'x' })).toMatchObject({
      status: 200,
      body: { db_name: 'orders' },
    })
    expect((await fieldsOf('databases', platform))['db_name']).toMatchObject({ required: true })
    expect((await fieldsOf('databases', 17))['db_name']).toMatchObject({ required: false })
  })

  it('are asked for TLS as far as their type has it', async () => {
    const secure = ['use_ssl', 'ca_cert', 'client_cert', 'client_key', 'allow_invalid_cert']
    const told = async (platform: number) => {
      const fields = await fieldsOf('databases', platform)
      return secure.filter((name) => name in fields)
    }
    // Accounts of MySQL 8 are verified over TLS alone.
    for (const platform of [17, 18, 19]) expect(await told(platform)).toEqual(secure)
    expect(await told(20)).toEqual([])
    expect(await told(24)).toEqual(['use_ssl', 'ca_cert', 'client_cert', 'client_key'])
    expect(await told(23)).toEqual(['use_ssl', 'ca_cert', 'client_key', 'allow_invalid_cert'])
  })

  it('keep certificates and keys to themselves: sealed, never shown, and left empty they stay', async () => {
    const key = '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n'
    const row = await add('databases', asset(24, { use_ssl: true, ca_cert: 'authority', client_key: key }))
    const id = String(row['id'])
    const shown = [
      row,
      await read('databases', id),
      await read('assets', id),
      (await admin.get(`assets/databases/?id=${id}`)).body,
      (await admin.get(`assets/databases/?format=csv&ids=${id}`)).bytes.toString(),
    ]
    expect(JSON.stringify(shown)).not.toMatch(/authority|PRIVATE KEY/)
    const stored = async () => {
      const { rows } = await system.database.pool.query<{
        ca_cert: string | null
        client_key: string | null
      }>('select ca_cert, client_key from assets where id = $1', [id])
      return rows[0]
    }
    const before = await stored()
    expect(JSON.stringify(before)).not.toMatch(/authority|PRIVATE KEY/)
    expect(system.ground.secrets.unseal(String(before?.client_key))).toBe(key)
    await admin.patch(`assets/databases/${id}/`, { client_key: '', comment: 'x' })
    expect(await stored()).toEqual(before)
    await admin.patch(`assets/databases/${id}/`, { client_key: null })
    expect((await stored())?.client_key).toBeNull()
    const details = await read('databases', id)
    expect(details['spec_info']).toEqual({ db_name: '', use_ssl: true, allow_invalid_cert: false })
  })
})

it('what an asset is besides, and what is known of a machine, is described by OPTIONS', async () => {
  const id = '00000000-0000-4000-8000-000000000001'
  const described = async (path: string): Promise<object> =>
    (await admin.options(`${path}/`)).body['actions']?.['GET'] ?? {}
  const special = await described(`assets/assets/${id}/spec-info`)
  expect(Object.keys(special)).toEqual([
    'db_name',
    'use_ssl',
    'allow_invalid_cert',
    'autofill',
    'username_selector',
    'password_selector',
    'submit_selector',
    'script',
  ])
  expect(special).toMatchObject({ db_name: { label: 'Database' }, autofill: { label: 'Autofill' } })
  for (const list of ['hosts', 'gateways'])
    expect(await described(`assets/${list}/${id}/info`)).toMatchObject({
      cpu_model: { label: 'CPU model' },
      asset: { type: 'nested object', children: { id: {}, name: {}, address: {} } },
    })
  expect(Object.keys(await described(`perms/users/self/assets/${id}/accounts`))).toContain('has_secret')
  expect(await described('users/profile/password')).toMatchObject({ old_password: { write_only: true } })
  expect(Object.keys(await described('users/profile/secret-key'))).toContain('new_secret_key')
  expect(Object.keys(await described('notifications/user-msg-subscription'))).toContain('receive_backends')
})

describe('websites', () => {
  it('say how their login form is filled in', async () => {
    const row = await add('webs', asset(26, { address: 'https://web.example' }))
    const own = `assets/webs/${String(row['id'])}/`
    expect(row).toMatchObject({
      autofill: { value: 'basic', label: 'Basic' },
      username_selector: 'name=username',
      password_selector: 'name=password',
      script: [],
    })
    const script = [{ step: 1, command: 'type', target: 'id=user', value: '{USERNAME}' }]
    expect((await admin.patch(own, { autofill: 'script', script })).body).toMatchObject({
      autofill: { value: 'script' },
      script,
    })
    expect((await read('assets', row['id']))['spec_info']).toMatchObject({ autofill: 'script', script })
    expect(await admin.patch(own, { autofill: 'guess' })).toMatchObject({
      status: 400,
      body: { autofill: [expect.any(String)] },
    })
    expect(await admin.patch(own, { username_selector: 'x'.repeat(129) })).toMatchObject({ status: 400 })
  })

  it('and clouds are in no domain, whatever is sent', async () => {
    const domain = (await add('domains', { name: 'north' }))['id']
    expect((await fieldsOf('webs', 26))['domain']).toBeUndefined()
    for (const [list, platform] of [
      ['webs', 26],
      ['clouds', 28],
    ] as const)
      expect(await add(list, asset(platform, { domain }))).toMatchObject({ domain: null })
  })
})

describe('the platform of an asset', () => {
  it('is changed to one that has its protocols, and to no other', async () => {
    const row = await add(
      'hosts',
      asset(1, {
        protocols: [
          { name: 'ssh', port: 2022 },
          { name: 'telnet', port: 23 },
        ],
      }),
    )
    const own = `assets/hosts/${String(row['id'])}/`
    expect(await admin.patch(own, { platform: 2 })).toMatchObject({
      status: 200,
      body: { type: { value: 'unix' }, protocols: [{ port: 2022 }, { port: 23 }] },
    })
    expect(await admin.patch(own, { platform: 5 })).toMatchObject({
      status: 400,
      body: { protocols: [expect.stringContaining('Windows has no protocol telnet')] },
    })
    expect(await admin.patch(own, { platform: 5, protocols: [{ name: 'rdp', port: 3389 }] })).toMatchObject({
      status: 200,
    })
  })

  it('of Windows is reached by RDP, and no account becomes another on it', async () => {
    expect(
      await admin.post('assets/hosts/', asset(5, { protocols: [{ name: 'ssh', port: 22 }] })),
    ).toMatchObject({
      status: 400,
      body: { protocols: ['Protocol is required: rdp'] },
    })
    const row = await add('hosts', asset(5))
    expect(row).toMatchObject({
      protocols: [{ name: 'rdp', port: 3389 }],
      auto_info: { su_enabled: false, domain_enabled: true },
    })
  })
})

describe('several at once', () => {
  it('are switched off, moved and labelled, and the bad one among them changes none', async () => {
    const [one, two] = [await add('devices', asset(14)), await add('databases', asset(17))]
    const node = (await add('nodes', { value: 'Cellar' }))['id']
    const ids = [String(one['id']), String(two['id'])]
    const change = (more: object) =>
      admin.patch(
        'assets/assets/',
        ids.map((pk) => ({ pk, ...more })),
      )
    expect(
      await change({ is_active: false, nodes: [node], labels: [{ name: 'env', value: 'prod' }] }),
    ).toMatchObject({ status: 200 })
    for (const id of ids)
      expect(await read('assets', id)).toMatchObject({
        is_active: false,
        nodes_display: ['/Default/Cellar'],
        labels: [{ name: 'env', value: 'prod' }],
      })
    const refused = await admin.patch('assets/assets/', [
      { pk: ids[0], comment: 'changed' },
      { pk: ids[1], nodes: [] },
    ])
    expect(refused.status).toBe(400)
    expect((await read('assets', ids[0]))['comment']).toBe('')
  })

  it('are not made in the view of all organizations', async () => {
    expect(await admin.post('assets/databases/', asset(17), { org: rootOrgId })).toMatchObject({
      status: 400,
    })
  })
})
