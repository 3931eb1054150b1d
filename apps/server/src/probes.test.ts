import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { defaultOrgId } from '@sallyport/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hangUp, link, type Link, listenOn } from './domains/terminal/testing.ts'
import { startTestSystem, type TestAnswer, type TestComponent } from './testing.ts'
import { addHolder, addPerson } from './testing-people.ts'

// The gateways here are told what these tests order, and nothing besides.
vi.mock(import('./domains/probes/new-assets.ts'), () => ({
  NewAssets: class {
    take = () => Promise.resolve()
    stop = () => Promise.resolve()
  } as never,
}))

const system = await startTestSystem({ work: true })
const admin = await system.admin()
const origin = await listenOn(system.http)
const soon = { timeout: 30_000, interval: 50 }

let gateways: Gateway[] = []

/** A gateway as the server sees it: it takes what it is told to try, and says what the test has it say. */
class Gateway {
  readonly component: TestComponent
  readonly #link: Link
  readonly #beat: NodeJS.Timeout

  private constructor(component: TestComponent, link: Link, boot: string) {
    this.component = component
    this.#link = link
    link.report([], { boot_id: boot })
    this.#beat = setInterval(() => link.report([], { boot_id: boot }), 1000)
  }

  static async start(): Promise<Gateway> {
    const component = await system.component(`gateway-${randomUUID().slice(0, 8)}`)
    const boot = randomUUID()
    const gateway = new Gateway(component, await link(component, origin, boot), boot)
    gateways.push(gateway)
    const heard = () => system.database.pool.query('select 1 from terminals where boot_id = $1', [boot])
    await vi.waitFor(async () => expect((await heard()).rowCount).toBe(1), soon)
    return gateway
  }

  /** The batch it is told of, once it is. On a slow machine assets that were made are tried by themselves meanwhile: not of `kind`. */
  async ordered(kind: 'asked' | 'new' = 'asked'): Promise<string> {
    return await vi.waitFor(async () => {
      const task = this.#link.tasks.shift()
      expect(task).toMatchObject({ name: 'probe' })
      const { rowCount: isNew } = await system.database.pool.query(
        "select 1 from probe_batches join executions on executions.id = execution_id where probe_batches.id = $1 and kind = 'assets.check-new'",
        [task?.args],
      )
      expect(isNew).toBe(kind === 'new' ? 1 : 0)
      return task?.args ?? ''
    }, soon)
  }

  claim(batch: string): Promise<TestAnswer> {
    return this.component.post(`terminal/probe-batches/${batch}/claim/`, {})
  }

  report(batch: string, results: unknown[], isFinished = true): Promise<TestAnswer> {
    return this.component.post(`terminal/probe-batches/${batch}/report/`, {
      results,
      is_finished: isFinished,
    })
  }

  async stop(): Promise<void> {
    clearInterval(this.#beat)
    if (this.#link.socket.readyState === this.#link.socket.OPEN) await hangUp(this.#link)
  }
}

const ok = (at = 0, changes: object = {}) => ({
  at,
  is_ok: true,
  reason: null,
  took_ms: 12,
  facts: null,
  ...changes,
})
const refused = (at = 0) => ({
  at,
  is_ok: false,
  reason: { code: 'target_refused', params: { where: '10.0.0.1:22' } },
  took_ms: 3,
  facts: null,
})

/** A host with an account, or without. */
async function addHost(account: object | null = {}): Promise<{ id: string; account: string; name: string }> {
  const name = `host-${randomUUID().slice(0, 8)}`
  const host = await admin.post('assets/hosts/', { name, address: '10.0.0.1', platform: 1 })
  expect(host.status).toBe(201)
  const id = String(host.body['id'])
  if (account === null) return { id, name, account: '' }
  const made = await admin.post('accounts/accounts/', {
    name: 'root',
    username: 'root',
    asset: id,
    secret: 'open sesame',
    secret_type: 'password',
    ...account,
  })
  expect(made.status).toBe(201)
  return { id, name, account: String(made.body['id']) }
}

const startTest = async (id: string, action = 'test') => {
  const answer = await admin.post(`assets/assets/${id}/tasks/`, { action })
  expect(answer).toMatchObject({ status: 201, body: { task: expect.any(String) } })
  return String(answer.body['task'])
}
const becomes = (task: string, expected: object) =>
  vi.waitFor(async () => {
    const { body } = await admin.get(`ops/task-executions/${task}/`)
    expect(body).toMatchObject(expected)
  }, soon)
const succeeds = (task: string, summary: object = {}) =>
  becomes(task, { status: { value: 'success' }, summary })
const logOf = async (task: string, language = 'en') =>
  String((await admin.get(`ops/celery/task/${task}/task-execution/${task}/log/`, { language })).body['data'])

beforeEach(() => {
  gateways = []
})
afterEach(async () => {
  // What nobody waits for any more does not go to the gateways of the next test.
  const open = async () =>
    (
      await system.database.pool.query<{ id: string }>(
        "select id from executions where status in ('pending', 'running')",
      )
    ).rows
  for (const { id } of await open()) await admin.post(`ops/task-executions/${id}/cancel/`)
  await vi.waitFor(async () => expect(await open()).toEqual([]), soon)
  await Promise.all(gateways.map((gateway) => gateway.stop()))
  // They count no more, not even where their last report is still being taken.
  await system.database.pool.query('update terminals set is_deleted = true')
})

describe('the test of an asset', () => {
  test('is carried out by a gateway, which gets the account, and leaves result and time', async () => {
    const gateway = await Gateway.start()
    const host = await addHost()
    await addHost({ name: 'somebody', username: 'somebody' })
    const task = await startTest(host.id)
    const batch = await gateway.ordered()
    const claimed = await gateway.claim(batch)
    expect(claimed).toMatchObject({
      status: 200,
      body: {
        facts: false,
        targets: [
          {
            at: 0,
            asset: { id: host.id, address: '10.0.0.1' },
            method: 'ssh',
            port: 22,
            account: { username: 'root', secret_type: 'password', secret: 'open sesame' },
          },
        ],
      },
    })
    await gateway.report(batch, [ok()])
    await succeeds(task, { total: 1, ok: 1, failed: 0 })
    const asset = await admin.get(`assets/hosts/${host.id}/`)
    expect(asset.body).toMatchObject({
      connectivity: { value: 'ok' },
      date_verified: expect.any(String),
      connectivity_reason: '',
    })
    expect((await admin.get(`accounts/accounts/${host.account}/`)).body).toMatchObject({
      connectivity: { value: 'ok' },
    })
    const log = await logOf(task)
    expect(log).toContain(`${host.name}(10.0.0.1): reachable, signed in as root`)
    expect(log).not.toContain('sesame')
    expect(JSON.stringify((await admin.get(`ops/task-executions/${task}/`)).body)).not.toContain('sesame')
  })

  test('leaves a record of each account it used', async () => {
    const gateway = await Gateway.start()
    const host = await addHost()
    const task = await startTest(host.id)
    const batch = await gateway.ordered()
    await gateway.claim(batch)
    await gateway.report(batch, [ok()])
    await succeeds(task)
    const { body } = await admin.get(`audits/operate-logs/?resource_type=accounts.account&limit=50`)
    const records = body['results'] as unknown as Record<string, unknown>[]
    expect(records).toContainEqual(
      expect.objectContaining({
        resource: `root@${host.name}`,
        action: expect.objectContaining({ value: 'connect' }),
      }),
    )
  })

  test('says why it failed, in the language of who reads it', async () => {
    const gateway = await Gateway.start()
    const host = await addHost()
    const task = await startTest(host.id)
    const batch = await gateway.ordered()
    await gateway.report(batch, [refused()])
    await succeeds(task, { ok: 0, failed: 1 })
    const read = async (language: string) =>
      (await admin.get(`assets/assets/${host.id}/`, { language })).body['connectivity_reason']
    expect(await read('en')).toBe('10.0.0.1:22 refused the connection: nothing listens there')
    expect(await read('zh')).toBe('10.0.0.1:22 拒绝连接:该端口没有服务')
    expect((await admin.get(`assets/assets/${host.id}/`)).body).toMatchObject({
      connectivity: { value: 'err' },
    })
  })

  test('changes nothing where the gateway could not ask the server meanwhile, and says so', async () => {
    const gateway = await Gateway.start()
    const host = await addHost()
    const known = async () => (await admin.get(`assets/assets/${host.id}/`)).body
    const run = async (result: object) => {
      const task = await startTest(host.id)
      await gateway.report(await gateway.ordered(), [result])
      return task
    }
    await succeeds(await run(ok()), { ok: 1 })
    const before = await known()
    const reason = { code: 'target_server_away', params: {} }
    const task = await run(ok(0, { is_ok: null, reason }))
    await succeeds(task, { ok: 0, failed: 0, unknown: 1 })
    expect(await logOf(task)).toContain('not known. The gateway that tested it could not ask the server')
    expect(await known()).toMatchObject({
      connectivity: { value: 'ok' },
      connectivity_reason: '',
      date_verified: before['date_verified'],
    })
  })

  test('tries the port alone where no account is stored, and says so', async () => {
    const gateway = await Gateway.start()
    const host = await addHost(null)
    const task = await startTest(host.id)
    const batch = await gateway.ordered()
    expect((await gateway.claim(batch)).body).toMatchObject({
      targets: [{ method: 'port', port: 22, account: null }],
    })
    await gateway.report(batch, [ok()])
    await succeeds(task, { ok: 1 })
    expect(await logOf(task)).toContain('only the port is tested, because no active account')
  })

  test('signs in to databases by their protocol, asks the web for its page, and of others tries the port', async () => {
    const gateway = await Gateway.start()
    const add = async (list: string, row: object, account?: object) => {
      const name = `${list}-${randomUUID().slice(0, 8)}`
      const made = await admin.post(`assets/${list}/`, { name, address: '10.0.0.3', ...row })
      expect(made.status).toBe(201)
      const more = { asset: made.body['id'], secret: 'x1', secret_type: 'password', ...account }
      if (account) expect((await admin.post('accounts/accounts/', more)).status).toBe(201)
      return String(made.body['id'])
    }
    const op = { name: 'op', username: 'op' }
    const certificate = { use_ssl: true, ca_cert: 'authority', allow_invalid_cert: true }
    const assets = [
      await add('databases', { platform: 18, ...certificate }, op),
      await add('databases', { platform: 24 }, op),
      await add('databases', { platform: 25 }, op),
      await add('webs', { address: 'https://10.0.0.3/page', platform: 26 }),
      await add('hosts', { platform: 5 }, op),
    ]
    const { body } = await admin.post('assets/assets/tasks/', { action: 'test', assets })
    const batch = await gateway.ordered()
    const claimed = (await gateway.claim(batch)).body['targets'] as unknown as { asset: { id: string } }[]
    const told = assets.map((id) => claimed.find((target) => target.asset.id === id))
    expect(told).toMatchObject([
      {
        method: 'mysql',
        port: 3306,
        account: { username: 'op' },
        asset: { tls: { ca: 'authority', allow_invalid: true } },
      },
      { method: 'redis', port: 6379, account: { username: '' }, asset: { tls: null } },
      { method: 'redis', account: { username: 'op' } },
      { method: 'http', account: null, asset: { address: 'https://10.0.0.3/page' } },
      { method: 'port', port: 3389, account: null },
    ])
    await gateway.report(
      batch,
      assets.map((_id, at) => ok(at)),
    )
    await succeeds(String(body['task']), { ok: assets.length })
    expect(await logOf(String(body['task']))).toContain('signing in by rdp is not supported')
  })

  test('signs in to a database with an account that can, whatever others it has, and in whatever order', async () => {
    const gateway = await Gateway.start()
    const [redis, mysql] = [24, 18]
    const secret = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
    const nameless = {
      name: 'nameless',
      username: '',
      secret: 'x1',
      secret_type: 'password',
      privileged: true,
    }
    const keyed = { name: 'root', username: 'root', secret, secret_type: 'ssh_key' }
    const right = { name: 'right', username: 'right', secret: 'right', secret_type: 'password' }
    for (const [platform, accounts] of [
      [redis, [keyed, right]],
      [redis, [right, keyed]],
      [mysql, [nameless, keyed, right]],
      [mysql, [right, keyed, nameless]],
    ] as const) {
      const name = `database-${randomUUID().slice(0, 8)}`
      const made = await admin.post('assets/databases/', { name, address: '10.0.0.4', platform })
      expect(made.status).toBe(201)
      for (const account of accounts)
        expect((await admin.post('accounts/accounts/', { ...account, asset: made.body['id'] })).status).toBe(
          201,
        )
      const assets = [made.body['id']]
      const task = String((await admin.post('assets/assets/tasks/', { action: 'test', assets })).body['task'])
      const batch = await gateway.ordered()
      expect((await gateway.claim(batch)).body).toMatchObject({ targets: [{ account: { secret: 'right' } }] })
      await gateway.report(batch, [ok()])
      await succeeds(task, { ok: 1 })
    }
  })

  test('prefers root, then privileged accounts', async () => {
    const gateway = await Gateway.start()
    const host = await addHost({ name: 'plain', username: 'plain' })
    const more = { asset: host.id, secret: 'x1', secret_type: 'password' }
    await admin.post('accounts/accounts/', { ...more, name: 'boss', username: 'boss', privileged: true })
    const first = await startTest(host.id)
    const batch = await gateway.ordered()
    expect((await gateway.claim(batch)).body).toMatchObject({ targets: [{ account: { username: 'boss' } }] })
    await gateway.report(batch, [ok()])
    await succeeds(first)
    await admin.post('accounts/accounts/', { ...more, name: 'root', username: 'root' })
    const second = await startTest(host.id)
    const next = await gateway.ordered()
    expect((await gateway.claim(next)).body).toMatchObject({ targets: [{ account: { username: 'root' } }] })
    await gateway.report(next, [ok()])
    await succeeds(second)
  })

  test('signs in as the account another one is become from, and records the use of both', async () => {
    const gateway = await Gateway.start()
    const host = await addHost({ name: 'door', username: 'door' })
    const more = { asset: host.id, secret: 'inner', secret_type: 'password', su_from: host.account }
    const inner = await admin.post('accounts/accounts/', { ...more, name: 'inner', username: 'inner' })
    expect(inner.status).toBe(201)
    const { body } = await admin.post('accounts/accounts/tasks/', {
      action: 'verify',
      accounts: [inner.body['id']],
    })
    const batch = await gateway.ordered()
    expect((await gateway.claim(batch)).body).toMatchObject({
      targets: [
        {
          account: {
            username: 'inner',
            secret: 'inner',
            su_from: { username: 'door', secret: 'open sesame' },
          },
        },
      ],
    })
    await gateway.report(batch, [ok()])
    await succeeds(String(body['task']), { ok: 1 })
    const { body: books } = await admin.get('audits/operate-logs/?resource_type=accounts.account&limit=50')
    const connected = (books['results'] as unknown as { resource: string }[]).map(({ resource }) => resource)
    expect(connected).toEqual(expect.arrayContaining([`door@${host.name}`, `inner@${host.name}`]))
  })

  test('leaves out what is not active', async () => {
    await Gateway.start()
    const host = await addHost()
    await admin.patch(`assets/hosts/${host.id}/`, { is_active: false })
    const task = await startTest(host.id)
    await succeeds(task, { total: 0, left_out: 1 })
    expect(await logOf(task)).toContain('left out, because it is not active')
  })

  test('fails with a sentence where no gateway is online', async () => {
    const host = await addHost()
    const task = await startTest(host.id)
    await becomes(task, { status: { value: 'failed' }, error: 'probe_no_gateway' })
    expect(await logOf(task)).toContain('No gateway is online')
    expect((await admin.get(`assets/assets/${host.id}/`)).body).toMatchObject({
      connectivity: { value: '-' },
    })
  })

  test('that is begun anew waits for gateways to come back, as when the server restarted', async () => {
    const host = await addHost()
    const { rows } = await system.database.pool.query<{ id: string }>(
      `insert into executions (org_id, kind, input, trigger, "user", language, on_crash, timeout_seconds, attempt)
        values ($1, 'assets.test-connectivity', $2, 'manual', 'admin', 'en', 'resume', 60, 1) returning id`,
      [defaultOrgId, { assets: [host.id] }],
    )
    const task = String(rows[0]?.id)
    await becomes(task, { status: { value: 'running' } })
    const gateway = await Gateway.start()
    await gateway.report(await gateway.ordered(), [ok()])
    await succeeds(task, { total: 1, ok: 1 })
  })

  test('that is begun anew goes on after what was settled before', async () => {
    const gateway = await Gateway.start()
    const [settled, wrong, open] = [await addHost(), await addHost(), await addHost()]
    const { pool } = system.database
    const { rows } = await pool.query<{ id: string }>(
      `insert into executions (org_id, kind, input, trigger, "user", language, on_crash, timeout_seconds, attempt, status, worker, date_start, date_heartbeat)
        values ($1, 'assets.test-connectivity', $2, 'manual', 'admin', 'en', 'resume', 60, 1, 'running', gen_random_uuid(),
          now() - interval '1 minute', now() - interval '20 seconds') returning id`,
      [defaultOrgId, { assets: [settled.id, wrong.id, open.id] }],
    )
    const task = String(rows[0]?.id)
    await pool.query('update assets set connectivity = $2, date_verified = now() where id = $1', [
      settled.id,
      'ok',
    ])
    await pool.query('update assets set connectivity = $2, date_verified = now() where id = $1', [
      wrong.id,
      'err',
    ])
    await pool.query(
      `update assets set connectivity = 'ok', date_verified = now() - interval '1 hour' where id = $1`,
      [open.id],
    )
    const batch = await gateway.ordered()
    const claimed = (await gateway.claim(batch)).body['targets'] as unknown as { asset: { id: string } }[]
    expect(claimed.map(({ asset }) => asset.id)).toEqual([open.id])
    await gateway.report(batch, [ok()])
    await succeeds(task, { total: 3, ok: 2, failed: 1 })
  })

  test('whose worker died for the last time leaves nothing at gateways', async () => {
    const { pool } = system.database
    await system.component('left-alone')
    const { rows } = await pool.query<{ id: string }>(
      `insert into executions (org_id, kind, input, trigger, "user", language, on_crash, timeout_seconds, attempt, status, worker, date_start, date_heartbeat)
        values ($1, 'assets.test-connectivity', '{"assets":[]}', 'manual', 'admin', 'en', 'resume', 60, 3, 'running', gen_random_uuid(),
          now() - interval '1 minute', now()) returning id`,
      [defaultOrgId],
    )
    const task = String(rows[0]?.id)
    await pool.query(
      `insert into probe_batches (execution_id, terminal_id, "user", facts, targets)
        select $1, id, 'admin', false, '[]' from terminals where name = 'left-alone'`,
      [task],
    )
    await pool.query(`update executions set date_heartbeat = now() - interval '20 seconds' where id = $1`, [
      task,
    ])
    await becomes(task, { status: { value: 'error' }, error: 'worker_lost' })
    expect((await pool.query('select from probe_batches where execution_id = $1', [task])).rowCount).toBe(0)
  })

  test('of one host waits neither for long ones of one’s own nor for those of many others', async () => {
    const gateway = await Gateway.start()
    const host = await addHost()
    const { pool } = system.database
    await pool.query(
      `insert into executions (org_id, kind, input, trigger, "user", language, on_crash, timeout_seconds, key)
        select $1, 'assets.test-connectivity', $2, 'manual', 'somebody', 'en', 'resume', 3600, (n / 3)::text from generate_series(0, 11) n`,
      [defaultOrgId, { assets: [host.id] }],
    )
    const running = async () =>
      (await pool.query(`select from executions where "user" = 'somebody' and status = 'running'`)).rowCount
    await vi.waitFor(async () => expect(await running()).toBe(12), soon)
    const own = await addHost()
    const task = await startTest(own.id)
    for (;;) {
      const batch = await gateway.ordered()
      const targets = (await gateway.claim(batch)).body['targets'] as unknown as { asset: { id: string } }[]
      if (targets[0]?.asset.id !== own.id) continue
      await gateway.report(batch, [ok()])
      break
    }
    await succeeds(task, { ok: 1 })
    expect(await running()).toBe(12)
  })

  test('does not wait for the long ones somebody else has going on', async () => {
    const gateway = await Gateway.start()
    const host = await addHost()
    await Promise.all(Array.from({ length: 13 }, () => startTest(host.id)))
    await gateway.ordered()
    const other = await addHolder(system, admin, 'assets.test_assetconnectivity', 'assets.view_asset')
    const own = await addHost()
    const answer = await other.post(`assets/assets/${own.id}/tasks/`, { action: 'test' })
    expect(answer).toMatchObject({ status: 201 })
    for (;;) {
      const batch = await gateway.ordered()
      const targets = (await gateway.claim(batch)).body['targets'] as unknown as { asset: { id: string } }[]
      if (targets[0]?.asset.id !== own.id) continue
      await gateway.report(batch, [ok()])
      break
    }
    await succeeds(String(answer.body['task']), { ok: 1 })
  })

  test('of several assets, and of all in a node, is one task', async () => {
    const gateway = await Gateway.start()
    const hosts = [await addHost(), await addHost()]
    const ids = hosts.map(({ id }) => id)
    const listed = await admin.post('assets/assets/tasks/', { action: 'test', assets: ids })
    expect(listed.status).toBe(201)
    const batch = await gateway.ordered()
    expect((await gateway.claim(batch)).body['targets']).toHaveLength(2)
    await gateway.report(batch, [ok(0), refused(1)])
    await succeeds(String(listed.body['task']), { total: 2, ok: 1, failed: 1 })

    const node = await admin.post('assets/nodes/', { value: `node-${randomUUID().slice(0, 8)}` })
    const nodeId = String(node.body['id'])
    await admin.put(`assets/nodes/${nodeId}/assets/replace/`, { assets: ids })
    const ofNode = await admin.post(`assets/nodes/${nodeId}/tasks/`, { action: 'test' })
    expect(ofNode.status).toBe(201)
    const second = await gateway.ordered()
    await gateway.report(second, [ok(0), ok(1)])
    await succeeds(String(ofNode.body['task']), { total: 2, ok: 2 })
  })
})

describe('the test of a new asset', () => {
  test('that is begun anew still asks those what they are that were signed in to before', async () => {
    const gateway = await Gateway.start()
    const [well, wrong, open] = [await addHost(), await addHost(), await addHost()]
    const { pool } = system.database
    const { rows } = await pool.query<{ id: string }>(
      `insert into executions (org_id, kind, input, trigger, "user", language, on_crash, timeout_seconds, attempt, status, worker, date_start, date_heartbeat)
        values ($1, 'assets.check-new', $2, 'manual', 'admin', 'en', 'resume', 60, 1, 'running', gen_random_uuid(),
          now() - interval '1 minute', now() - interval '20 seconds') returning id`,
      [defaultOrgId, { assets: [well.id, wrong.id, open.id] }],
    )
    for (const [{ id }, connectivity] of [
      [well, 'ok'],
      [wrong, 'err'],
    ] as const)
      await pool.query('update assets set connectivity = $2, date_verified = now() where id = $1', [
        id,
        connectivity,
      ])
    await gateway.report(await gateway.ordered('new'), [refused()])
    const second = await gateway.ordered('new')
    const claimed = (await gateway.claim(second)).body
    expect(claimed).toMatchObject({ facts: true, targets: [{ asset: { id: well.id } }] })
    expect(claimed['targets']).toHaveLength(1)
    await gateway.report(second, [ok()])
    await succeeds(String(rows[0]?.id), { total: 3, ok: 1, failed: 2, gathered: 1 })
  })
})

describe('facts', () => {
  test('of a machine take the place of those that were known', async () => {
    const gateway = await Gateway.start()
    const host = await addHost()
    await admin.patch(`assets/hosts/${host.id}/`, { info: { vendor: 'Old', sn: '1' } })
    const task = await startTest(host.id, 'refresh')
    const batch = await gateway.ordered()
    expect((await gateway.claim(batch)).body).toMatchObject({ facts: true, targets: [{ method: 'ssh' }] })
    await gateway.report(batch, [ok(0, { facts: { vendor: 'QEMU', memory: '7.7' } })])
    await succeeds(task, { ok: 1 })
    const info = (await admin.get(`assets/hosts/${host.id}/`)).body['info']
    expect(info).toEqual({ vendor: 'QEMU', memory: '7.7' })
    expect(await logOf(task)).toContain('Memory: 7.7, Vendor: QEMU')
  })

  test('that would not fit, or hold control characters, are not taken', async () => {
    const gateway = await Gateway.start()
    const host = await addHost()
    const task = await startTest(host.id, 'refresh')
    const batch = await gateway.ordered()
    for (const facts of [{ vendor: 'x'.repeat(65) }, { vendor: 'a\u001b[31mb' }, { kernel: '6.1' }])
      expect((await gateway.report(batch, [ok(0, { facts })], false)).status).toBe(400)
    await gateway.report(batch, [ok(0, { facts: { vendor: 'QEMU' } })])
    await succeeds(task)
  })
})

describe('the test of an account', () => {
  test('says whether its secret is right', async () => {
    const gateway = await Gateway.start()
    const host = await addHost()
    const answer = await admin.post('accounts/accounts/tasks/', {
      action: 'verify',
      accounts: [host.account],
    })
    expect(answer).toMatchObject({ status: 201, body: { task: expect.any(String) } })
    const batch = await gateway.ordered()
    await gateway.report(batch, [
      { ...refused(), reason: { code: 'target_auth_failed', params: { where: '10.0.0.1:22' } } },
    ])
    await succeeds(String(answer.body['task']), { failed: 1 })
    expect((await admin.get(`accounts/accounts/${host.account}/`)).body).toMatchObject({
      connectivity: { value: 'err' },
      connectivity_reason: '10.0.0.1:22 refused the account: its password or key is wrong',
    })
    // The machine was there.
    expect((await admin.get(`assets/assets/${host.id}/`)).body).toMatchObject({
      connectivity: { value: '-' },
    })
  })

  test.each([
    ['the account', false],
    ['the one it is become from', true],
  ])('tells no token as a password where %s has become one meanwhile', async (_which, isFrom) => {
    const gateway = await Gateway.start()
    const host = await addHost({ name: 'door', username: 'door' })
    const more = { asset: host.id, secret: 'inner', secret_type: 'password', su_from: host.account }
    const inner = await admin.post('accounts/accounts/', { ...more, name: 'inner', username: 'inner' })
    const account = String(inner.body['id'])
    await admin.post('accounts/accounts/tasks/', { action: 'verify', accounts: [account] })
    const batch = await gateway.ordered()
    const token = { secret_type: 'token', secret: 'a token' }
    const changed = await admin.patch(`accounts/accounts/${isFrom ? host.account : account}/`, token)
    expect(changed.status).toBe(200)
    expect(await gateway.claim(batch)).toMatchObject({ status: 200, body: { targets: [] } })
  })

  test('answers what is wrong as clients expect it', async () => {
    const tasks = (body: object) => admin.post('accounts/accounts/tasks/', body)
    const host = await addHost()
    const device = await admin.post('assets/hosts/', {
      name: `other-${randomUUID().slice(0, 8)}`,
      address: '10.0.0.2',
      platform: 7,
    })
    const account = await admin.post('accounts/accounts/', {
      name: 'root',
      username: 'root',
      asset: device.body['id'],
      secret: 'x1',
      secret_type: 'password',
    })
    const wrong = { status: 400, body: { error: expect.any(String) } }
    expect(await tasks({ action: 'verify', accounts: [account.body['id']] })).toMatchObject(wrong)
    expect(await tasks({ action: 'verify', accounts: [randomUUID()] })).toMatchObject(wrong)
    expect(await tasks({ action: 'push', accounts: [host.account] })).toMatchObject(wrong)
    expect(await tasks({ action: 'dance', accounts: [host.account] })).toMatchObject(wrong)
    for (const accounts of [undefined, null, [], 'x', ['x'], [host.account, 5]])
      expect((await tasks({ action: 'verify', accounts })).body).toEqual({
        error: expect.stringMatching(/^accounts: ./),
      })
    expect(await tasks({ action: ['x'], accounts: [host.account] })).toMatchObject(wrong)
  })
})

describe('who may', () => {
  test('test and refresh is said by a permission each, and anything else is nobody’s', async () => {
    const host = await addHost()
    const url = `assets/assets/${host.id}/tasks/`
    const tester = await addHolder(system, admin, 'assets.test_assetconnectivity')
    expect((await tester.post(url, { action: 'refresh' })).status).toBe(403)
    expect((await tester.post(url, { action: 'push_system_user' })).status).toBe(403)
    expect((await tester.post(url, {})).status).toBe(403)
    expect((await tester.post(url, { action: 'test' })).status).toBe(201)
    expect((await admin.post(url, { action: 'push_system_user' })).status).toBe(400)
    const nobody = await (await addPerson(system, admin)).signedIn()
    expect((await nobody.post(url, { action: 'test' })).status).toBe(403)
    expect((await nobody.post('accounts/accounts/tasks/', { action: 'verify', accounts: [] })).status).toBe(
      403,
    )
  })

  test('a platform that does not allow the test is answered in words', async () => {
    const other = await admin.post('assets/hosts/', {
      name: `other-${randomUUID().slice(0, 8)}`,
      address: '10.0.0.2',
      platform: 7,
    })
    expect(
      await admin.post(`assets/assets/${String(other.body['id'])}/tasks/`, { action: 'test' }),
    ).toMatchObject({
      status: 400,
      body: { code: 'error', detail: expect.stringContaining('platform') },
    })
  })

  test('what is not here is not found', async () => {
    expect((await admin.post(`assets/assets/${randomUUID()}/tasks/`, { action: 'test' })).status).toBe(404)
    expect((await admin.post(`assets/nodes/${randomUUID()}/tasks/`, { action: 'test' })).status).toBe(404)
    expect(
      (await admin.post('assets/assets/tasks/', { action: 'test', assets: [randomUUID()] })).status,
    ).toBe(400)
  })
})

test('the amounts of assets the tree shows are put right where they went wrong', async () => {
  const node = (await admin.post('assets/nodes/', { value: `amounts-${randomUUID().slice(0, 8)}` })).body
  const assets = [(await addHost(null)).id, (await addHost(null)).id]
  expect((await admin.put(`assets/nodes/${String(node['id'])}/assets/add/`, { assets })).status).toBe(200)
  const shown = async () => (await admin.get('assets/nodes/children/tree/')).body.map(({ name }) => name)
  const before = await shown()
  expect(before).toContain(`${String(node['value'])} (2)`)
  await system.database.pool.query('delete from asset_node_counts; delete from shared_assets')
  expect(await shown()).not.toEqual(before)
  const task = await admin.post('assets/nodes/check_assets_amount_task/')
  expect(task).toMatchObject({ status: 200, body: { task: expect.any(String) } })
  await succeeds(String(task.body['task']))
  expect(await shown()).toEqual(before)
  expect(await logOf(String(task.body['task']))).toMatch(/^\d+ amounts were wrong, and are right again$/m)
  const nobody = await (await addPerson(system, admin)).signedIn()
  expect((await nobody.post('assets/nodes/check_assets_amount_task/')).status).toBe(403)
})

describe('gateways', () => {
  test('only the one a batch was given to can take it', async () => {
    const gateway = await Gateway.start()
    const host = await addHost()
    const task = await startTest(host.id)
    const batch = await gateway.ordered()
    const other = await Gateway.start()
    expect((await other.claim(batch)).status).toBe(404)
    expect((await other.report(batch, [ok()])).status).toBe(404)
    expect((await admin.post(`terminal/probe-batches/${batch}/claim/`, {})).status).toBe(403)
    await gateway.report(batch, [ok()])
    await succeeds(task)
  })

  test('what one that was lost had left goes to another, and what it told stays', async () => {
    const lost = await Gateway.start()
    const hosts = [await addHost(), await addHost()]
    const { body } = await admin.post('assets/assets/tasks/', {
      action: 'test',
      assets: hosts.map(({ id }) => id),
    })
    const batch = await lost.ordered()
    await lost.report(batch, [ok(0)], false)
    const other = await Gateway.start()
    await lost.stop()
    const second = await other.ordered()
    expect((await other.claim(second)).body['targets']).toHaveLength(1)
    await other.report(second, [ok(0)])
    await succeeds(String(body['task']), { total: 2, ok: 2 })
    expect(await logOf(String(body['task']))).toContain('A gateway was lost')
  })

  test('what takes two gateways down stays unknown, with the reason', async () => {
    const host = await addHost()
    const first = await Gateway.start()
    const task = await startTest(host.id)
    await first.ordered()
    const second = await Gateway.start()
    await first.stop()
    await second.ordered()
    const third = await Gateway.start()
    await second.stop()
    await succeeds(task, { total: 1, unknown: 1 })
    expect(third).toBeDefined()
    expect(await logOf(task)).toContain('not known. The gateway that tested it was lost')
    expect((await admin.get(`assets/assets/${host.id}/`)).body).toMatchObject({
      connectivity: { value: '-' },
      connectivity_reason: 'The gateway that tested it was lost',
    })
  })

  test('one whose task ended with the server that worked on it stops, too', async () => {
    const gateway = await Gateway.start()
    const host = await addHost()
    const task = await startTest(host.id)
    const batch = await gateway.ordered()
    // As it is closed where the last attempt died, while nobody is left to clear away.
    await system.database.pool.query(
      "update executions set status = 'error', error = 'worker_lost', date_finished = now() where id = $1",
      [task],
    )
    expect((await gateway.claim(batch)).status).toBe(404)
    expect((await gateway.report(batch, [ok()])).status).toBe(404)
  })

  test('one that is told nothing more is wanted stops', async () => {
    const gateway = await Gateway.start()
    const host = await addHost()
    const task = await startTest(host.id)
    const batch = await gateway.ordered()
    expect((await gateway.report(batch, [], false)).status).toBe(204)
    expect((await admin.post(`ops/task-executions/${task}/cancel/`)).status).toBe(200)
    await becomes(task, { status: { value: 'canceled' } })
    await vi.waitFor(async () => expect((await gateway.report(batch, [ok()])).status).toBe(404), soon)
    expect((await admin.get(`assets/assets/${host.id}/`)).body).toMatchObject({
      connectivity: { value: '-' },
    })
  })
})

describe('in a network zone', () => {
  const made = async (path: string, body: object) => {
    const answer = await admin.post(path, body)
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
    return String(answer.body['id'])
  }
  const opening = { name: 'op', username: 'op', secret_type: 'password', secret: 'Op-secret-1' }
  const addGateway = (domain: string, accounts: object[] = [opening]) =>
    made('assets/gateways/', {
      name: `border-${randomUUID().slice(0, 8)}`,
      address: '10.0.0.254',
      platform: 11,
      domain,
      protocols: [{ name: 'ssh', port: 2022 }],
      accounts,
    })
  const zone = async () => {
    const name = `zone-${randomUUID().slice(0, 8)}`
    return { id: await made('assets/domains/', { name }), name }
  }

  test('an asset is tested through its gateways, a gateway itself straight', async () => {
    const gateway = await Gateway.start()
    const domain = await zone()
    const border = await addGateway(domain.id)
    const host = await made('assets/hosts/', {
      name: `inner-${randomUUID().slice(0, 8)}`,
      address: '10.0.0.1',
      platform: 1,
      domain: domain.id,
    })
    const started = await admin.post('assets/assets/tasks/', { action: 'test', assets: [host, border] })
    const batch = await gateway.ordered()
    const { body } = await gateway.claim(batch)
    const [inner, outer] = [host, border].map((id) =>
      (body['targets'] ?? []).find(({ asset }) => String(asset?.['id']) === id),
    )
    expect(inner).toMatchObject({ domain: domain.id })
    expect(outer).toMatchObject({ domain: null, account: { username: 'op' } })
    expect(body['zones']).toMatchObject([
      { domain, gateways: [{ id: border, account: { username: 'op', secret: 'Op-secret-1' } }] },
    ])
    const reason = {
      code: 'zone_gateway_failed',
      params: { gateway: 'border', zone: domain.name, reason: 'x' },
      cause: { code: 'target_refused', params: { where: '10.0.0.254:2022' } },
    }
    const results = [{ ...refused(Number(inner?.['at'])), reason }, ok(Number(outer?.['at']))]
    expect((await gateway.report(batch, results)).status).toBe(204)
    await succeeds(String(started.body['task']), { ok: 1, failed: 1 })
    expect((await admin.get(`assets/assets/${host}/`, { language: 'zh' })).body['connectivity_reason']).toBe(
      `无法使用网域 ${domain.name} 的网关 border:10.0.0.254:2022 拒绝连接:该端口没有服务`,
    )
  })

  test('the account a zone is entered with is recorded as used', async () => {
    const gateway = await Gateway.start()
    const domain = await zone()
    const border = await addGateway(domain.id)
    const name = `inner-${randomUUID().slice(0, 8)}`
    const host = await made('assets/hosts/', { name, address: '10.0.0.1', platform: 1, domain: domain.id })
    const task = await startTest(host)
    const batch = await gateway.ordered()
    await gateway.claim(batch)
    await gateway.report(batch, [ok()])
    await succeeds(task)
    const { body: shown } = await admin.get(`assets/gateways/${border}/`)
    const { body } = await admin.get('audits/operate-logs/?resource_type=accounts.account&limit=50')
    expect(body['results']).toContainEqual(
      expect.objectContaining({
        resource: `op@${String(shown['name'])}`,
        action: expect.objectContaining({ value: 'connect' }),
      }),
    )
  })

  test('a gateway is tested by having it lead on, with the account sessions use, and that is known of both', async () => {
    const gateway = await Gateway.start()
    const domain = await zone()
    const border = await addGateway(domain.id, [
      { ...opening, name: 'root', username: 'root' },
      { ...opening, privileged: true },
    ])
    const answer = await admin.post(`assets/gateways/${border}/test-connective/`, { port: 22 })
    expect(answer).toMatchObject({ status: 200, body: { task: expect.any(String) } })
    const batch = await gateway.ordered()
    expect((await gateway.claim(batch)).body).toMatchObject({
      targets: [{ method: 'gateway', port: 2022, leads_to: 22, domain: null, account: { username: 'op' } }],
    })
    await gateway.report(batch, [ok()])
    const task = String(answer.body['task'])
    await succeeds(task, { ok: 1 })
    expect(await logOf(task)).toContain('signed in as op, and it leads on to its port 22')
    const { body } = await admin.get(`assets/gateways/${border}/`)
    expect(body).toMatchObject({ connectivity: { value: 'ok' } })
    const { body: known } = await admin.get(`accounts/accounts/?asset=${border}&username=op`)
    expect(known).toMatchObject([{ connectivity: { value: 'ok' } }])
  })

  test('of a gateway that is not there, or a port that is none, nothing is tested; one without an account is left out', async () => {
    await Gateway.start()
    const border = await addGateway((await zone()).id, [])
    const test = (id: string, body: object) => admin.post(`assets/gateways/${id}/test-connective/`, body)
    expect(await test(border, { port: 'ssh' })).toMatchObject({
      status: 400,
      body: { port: 'Number required' },
    })
    expect((await test(border, { port: 0 })).status).toBe(400)
    expect((await test(border, { port: 70_000 })).status).toBe(400)
    expect((await test(randomUUID(), {})).status).toBe(404)
    expect((await test((await addHost()).id, {})).status).toBe(404)
    const answer = await test(border, { port: '2022' })
    const task = String(answer.body['task'])
    await succeeds(task, { left_out: 1 })
    expect(await logOf(task)).toContain('it has no secret, or none that can be tested')
  })
})
