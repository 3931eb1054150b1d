import { randomUUID } from 'node:crypto'
import { defaultOrgId, roleIds } from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { startTestSystem } from '../../testing.ts'
import { begin, person } from './testing.ts'

const system = await startTestSystem()
const admin = await system.admin()
const gateway = await system.component('gateway-1')
const org = defaultOrgId
const user = await person(system, admin, 'user')
const auditor = await person(system, admin, 'auditor', roleIds.orgAuditor)
const other = String((await admin.post('orgs/orgs/', { name: 'Other' })).body['id'])

const recordOf = (session: string, input: string, changes: Record<string, unknown> = {}) => ({
  id: randomUUID(),
  session,
  user: 'Ann(ann)',
  asset: 'web1(10.0.0.1)',
  account: 'root(root)',
  input,
  output: '',
  risk_level: 0,
  org_id: org,
  timestamp: 1_700_000_000,
  ...changes,
})

describe('a session', () => {
  test('is put on the books by its gateway, and ends there with its reason', async () => {
    const id = await begin(gateway, { user_id: user.id })
    const url = `terminal/sessions/${id}/`
    expect((await auditor.client.get(url, { org })).body).toMatchObject({
      id,
      user: 'Ann(ann)',
      terminal: { name: 'gateway-1' },
      type: { value: 'normal', label: 'Normal' },
      is_finished: false,
      can_join: true,
      can_terminate: true,
      end_reason: null,
      org_name: 'Default',
      command_amount: 0,
    })
    await gateway.patch(url, { is_success: true })
    const end = {
      is_finished: true,
      date_end: '2026-11-21T10:00:00Z',
      end_reason: 'idle',
      end_detail: '30 min',
    }
    expect((await gateway.patch(url, end)).status).toBe(200)
    // The first end counts.
    await gateway.patch(url, { ...end, end_reason: 'client_left' })
    expect((await auditor.client.get(url, { org, headers: { 'x-tz': 'UTC' } })).body).toMatchObject({
      is_finished: true,
      can_join: false,
      can_terminate: false,
      date_end: '2026/11/21 10:00:00 +0000',
      end_reason: { value: 'idle', label: 'Idle too long' },
      end_detail: '30 min',
      has_replay: false,
    })
  })

  test('of a gateway whose clock is ahead begins and ends when the server says', async () => {
    const ahead = new Date(Date.now() + 3_600_000).toISOString()
    const id = await begin(gateway, { user_id: user.id, date_start: ahead })
    await gateway.patch(`terminal/sessions/${id}/`, { is_finished: true, date_end: ahead })
    const { rows } = await system.database.pool.query(
      'select date_start <= now() as began, date_end <= now() and date_end >= date_start as ended from sessions where id = $1',
      [id],
    )
    expect(rows).toEqual([{ began: true, ended: true }])
  })

  test('is searched through indexes, by the values of its choices, too', async () => {
    const id = await begin(gateway, { user: 'Needle(needle)', protocol: 'telnet' })
    const found = async (search: string) =>
      (await auditor.client.get(`terminal/sessions/?search=${search}&limit=5`, { org })).body
    expect(await found('TELNE')).toMatchObject({ count: 1, results: [{ id }] })
    expect(await found('false,telnet')).toMatchObject({ count: 1 })
    expect(await found('true,telnet')).toMatchObject({ count: 0 })
    await system.database.db.execute(sql`
      insert into sessions ("user", asset, account, account_id, protocol, org_id, is_finished, date_start)
      select 'u' || md5(n::text), 'a', 'r', '', 'ssh', ${org}, true, now() - interval '1 day'
      from generate_series(1, 30000) as n`)
    await system.database.db.execute(sql`analyze sessions`)
    const { pool } = system.database
    const asked = vi.spyOn(pool, 'query')
    expect(await found('needle')).toMatchObject({ count: 1, results: [{ id }] })
    const queries = asked.mock.calls as unknown as [{ text: string }, unknown[]][]
    const counts = queries.filter(([{ text }]) => /^select count.*ilike/.test(text))
    asked.mockRestore()
    expect(counts).toHaveLength(1)
    for (const [{ text }, values] of counts) {
      const plan = await pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
      expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).not.toContain('Seq Scan')
    }
    await system.database.db.execute(sql`delete from sessions where asset = 'a'`)
  })

  test('is found by parts of its user, asset and account, in any case', async () => {
    const id = await begin(gateway, {
      user: 'Ida Part(ida)',
      asset: 'live-parts(10.0.0.7)',
      account: 'Op(op)',
    })
    const path = 'terminal/sessions/?limit=5&search=ida'
    for (const part of ['user__icontains=part(ID', 'asset__icontains=LIVE-part', 'account__icontains=op('])
      expect((await auditor.client.get(`${path}&${part}`, { org })).body, part).toMatchObject({
        count: 1,
        results: [{ id }],
      })
    for (const none of ['user__icontains=idaa', 'asset__icontains=live_parts', 'user=ida'])
      expect((await auditor.client.get(`${path}&${none}`, { org })).body, none).toMatchObject({ count: 0 })
  })

  test('told of twice is on the books once', async () => {
    const id = randomUUID()
    const asset_id = randomUUID()
    await begin(gateway, { id, asset_id })
    await begin(gateway, { id, asset_id })
    expect((await auditor.client.get(`terminal/sessions/?ids=${id}`, { org })).body).toHaveLength(1)
    await expect(begin(gateway, { id, asset_id: randomUUID() })).rejects.toThrow('unique')
  })

  test('is seen in its organization only, and by its person everywhere', async () => {
    const id = await begin(gateway, { user_id: user.id, org_id: other })
    expect((await auditor.client.get(`terminal/sessions/${id}/`, { org })).status).toBe(404)
    expect((await admin.get(`terminal/sessions/${id}/`, { org: other })).status).toBe(200)
    expect((await user.client.get('terminal/sessions/?limit=5', { org })).status).toBe(403)
    const mine = await user.client.get('terminal/my-sessions/?limit=50', { org })
    expect(mine.body['results']?.map((row) => row['id'])).toContain(id)
    const notMine = await auditor.client.get('terminal/my-sessions/?limit=50', { org })
    expect(notMine.body['count']).toBe(0)
  })

  test('is found by words, terminal and time', async () => {
    const id = await begin(gateway, { asset: 'printer-9(10.9.9.9)', date_start: '2020-01-02T10:00:00Z' })
    const find = async (query: string) =>
      (await auditor.client.get(`terminal/sessions/?limit=10&${query}`, { org })).body['results']?.map(
        (row) => row['id'],
      )
    expect(await find('search=printer-9')).toEqual([id])
    expect(await find('date_from=2020-01-01&date_to=2020-01-03')).toEqual([id])
    expect(await find('search=printer-9&terminal=gateway-1')).toEqual([id])
    expect(await find('search=printer-9&terminal=elsewhere')).toEqual([])
  })

  test('is in the list of those online or of those ended, however a client says it', async () => {
    const asset = 'tabs-5(10.5.5.5)'
    const [online, ended] = [await begin(gateway, { asset }), await begin(gateway, { asset })]
    await gateway.patch(`terminal/sessions/${ended}/`, { is_finished: true, end_reason: 'client_left' })
    const find = async (said: string) =>
      (await auditor.client.get(`terminal/sessions/?search=tabs-5&is_finished=${said}`, { org })).body.map(
        (row) => row['id'],
      )
    for (const said of ['0', 'false', 'False']) expect(await find(said)).toEqual([online])
    for (const said of ['1', 'true', 'True']) expect(await find(said)).toEqual([ended])
  })

  test('is not rewritten by people', async () => {
    const id = await begin(gateway)
    const url = `terminal/sessions/${id}/`
    expect((await auditor.client.patch(url, { user: 'Nobody' }, { org })).status).toBe(403)
    expect((await admin.put(url, { user: 'Nobody' }, { org })).status).toBe(405)
    expect((await admin.delete(url, { org })).status).toBe(405)
  })

  test('may be watched only with the right to it in its organization', async () => {
    const id = await begin(gateway, { org_id: other })
    const ask = (user_id: string, session_id = id) =>
      gateway.post('terminal/sessions/join/validate/', { user_id, session_id })
    const administrator = String((await admin.get('users/profile/')).body['id'])
    expect(await ask(administrator)).toMatchObject({ status: 200, body: { ok: true, msg: '' } })
    expect(await ask(auditor.id)).toMatchObject({ status: 401, body: { ok: false } })
    expect((await ask(auditor.id, await begin(gateway))).status).toBe(200)
    expect((await ask(user.id, await begin(gateway))).status).toBe(401)
    expect((await ask(auditor.id, await begin(gateway, { type: 'command' }))).status).toBe(401)
    expect((await user.client.post('terminal/sessions/join/validate/', {}, { org })).status).toBe(403)
  })
})

describe('commands', () => {
  test('sent twice are stored once, in the organization of their session', async () => {
    const session = await begin(gateway)
    const records = [
      recordOf(session, 'ls -la'),
      recordOf(session, 'rm -rf /', { risk_level: 5, org_id: other }),
    ]
    expect(await gateway.post('terminal/commands/', records)).toMatchObject({ status: 201, body: 'ok' })
    const endless = Array.from({ length: 300_000 }, () => ({}))
    expect((await gateway.post('terminal/commands/', endless)).status).toBe(413)
    expect((await gateway.post('terminal/commands/', [...records, records[0]])).status).toBe(201)
    const { body } = await auditor.client.get(
      `terminal/commands/?session_id=${session}&limit=30&order=timestamp`,
      {
        org,
        headers: { 'x-tz': 'UTC' },
      },
    )
    expect(body['count']).toBe(2)
    expect(body['results']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          input: 'rm -rf /',
          risk_level: { value: 5, label: 'Dangerous' },
          remote_addr: '192.0.2.1',
          timestamp_display: '2023/11/14 22:13:20 +0000',
          org_name: 'Default',
        }),
      ]),
    )
    expect((await auditor.client.get(`terminal/sessions/${session}/`, { org })).body).toMatchObject({
      has_command: true,
      command_amount: 2,
    })
    expect((await admin.get(`terminal/commands/?session_id=${session}`, { org: other })).body).toEqual([])
    const inStorage = (id: string) =>
      auditor.client.get(`terminal/commands/?session_id=${session}&command_storage_id=${id}`, { org })
    expect((await inStorage('00000000-0000-0000-0000-000000000002')).body).toHaveLength(2)
    expect(await inStorage(randomUUID())).toMatchObject({
      status: 400,
      body: { command_storage_id: [expect.any(String)] },
    })
  })

  test.each([
    ['counts them', (sequence: number) => ({ sequence })],
    ['sends them in their order', () => ({})],
  ])(
    'of one second stand in the order they were typed, both ways, of a component that %s',
    async (_of, counted) => {
      const session = await begin(gateway)
      const typed = ['one', 'two', 'three', 'four', 'five', 'six']
      const records = typed.map((input, at) => ({ ...recordOf(session, input), ...counted(at + 1) }))
      await gateway.post('terminal/commands/', records)
      const inputs = async (order: string) => {
        const path = `terminal/commands/?session_id=${session}&limit=30${order}`
        const { body } = await auditor.client.get(path, { org })
        return (body['results'] as unknown as { input: string }[]).map(({ input }) => input)
      }
      expect(await inputs('&order=timestamp')).toEqual(typed)
      expect(await inputs('&order=-timestamp')).toEqual(typed.toReversed())
      expect(await inputs('&order=timestamp_display')).toEqual(typed)
      expect(await inputs('')).toEqual(typed.toReversed())
    },
  )

  test('say how much of them is left out where they are long, and show their end', async () => {
    const session = await begin(gateway)
    const command = recordOf(session, `echo harmless${' '.repeat(4200)}; touch it`)
    expect((await gateway.post('terminal/commands/', [command])).status).toBe(201)
    const { body } = await auditor.client.get(`terminal/commands/?session_id=${session}`, { org })
    expect(body).toMatchObject([
      { input: expect.stringMatching(/^echo harmless .*\[… \d{4} characters left out …\].* ; touch it$/) },
    ])
  })

  test('are counted in the tree of storages as the filters of the list let them through', async () => {
    const session = await begin(gateway)
    const typed = ['uptime', 'whoami', 'whoami'].map((input) => recordOf(session, input))
    await gateway.post('terminal/commands/', typed)
    const treeOf = async (query: string) =>
      (await auditor.client.get(`terminal/command-storages/tree/?session_id=${session}${query}`, { org }))
        .body
    expect(await treeOf('&real=1')).toMatchObject([
      { id: 'root', pId: '', isParent: true, open: true },
      { name: 'default(server)(3)', pId: 'root', isParent: false, valid: true },
    ])
    expect(await treeOf('&input=who')).toMatchObject([{ id: 'root' }, { name: 'default(server)(2)' }])
  })

  test('are sorted by the time they show, either way', async () => {
    const session = await begin(gateway)
    const times = [1_700_000_300, 1_700_000_100, 1_700_000_200]
    const records = times.map((timestamp) => recordOf(session, `at ${timestamp}`, { timestamp }))
    expect((await gateway.post('terminal/commands/', records)).status).toBe(201)
    const sorted = times.toSorted((a, b) => a - b).map((timestamp) => `at ${timestamp}`)
    for (const [order, expected] of [
      ['timestamp_display', sorted],
      ['-timestamp_display', sorted.toReversed()],
    ] as const) {
      const path = `terminal/commands/?session_id=${session}&order=${order}`
      const { body } = await auditor.client.get(path, { org })
      expect(
        body.map((row) => row['input']),
        order,
      ).toEqual(expected)
    }
  })

  test('typed within one second stay in their order, each with its millisecond', async () => {
    const session = await begin(gateway)
    const records = Array.from({ length: 5 }, (_, at) =>
      recordOf(session, `step ${at + 1}`, { millisecond: 100 * at, sequence: at + 1 }),
    )
    expect((await gateway.post('terminal/commands/', records.toReversed())).status).toBe(201)
    const read = async (order: string) =>
      (await auditor.client.get(`terminal/commands/?session_id=${session}${order}`, { org })).body
    expect((await read('&order=timestamp,sequence')).map((row) => row['input'])).toEqual(
      records.map(({ input }) => input),
    )
    expect((await read(''))[0]).toMatchObject({ input: 'step 5', millisecond: 400, sequence: 5 })
  })

  test('are shortened, not refused; null characters are left out', async () => {
    const session = await begin(gateway, { user: 'u'.repeat(40) + 'v'.repeat(40) })
    const record = recordOf(session, `a\u0000${'b'.repeat(5000)}`)
    expect((await gateway.post('terminal/commands/', [record])).status).toBe(201)
    const { body } = await auditor.client.get(`terminal/commands/?session_id=${session}`, { org })
    expect(body[0]?.['input']).toMatch(/^ab+ \[… \d{4} characters left out …\] b+$/)
    expect(body[0]?.['user']).toBe('u'.repeat(32) + 'v'.repeat(32))
  })

  test('are those of whom, where and as whom the session was begun', async () => {
    const session = await begin(gateway)
    const forged = { user: 'Mallory', asset: 'elsewhere', account: 'nobody' }
    expect((await gateway.post('terminal/commands/', [recordOf(session, 'rm', forged)])).status).toBe(201)
    const {
      user: by,
      asset,
      account,
    } = (await auditor.client.get(`terminal/sessions/${session}/`, { org })).body
    const [stored] = (await auditor.client.get(`terminal/commands/?session_id=${session}`, { org })).body
    expect(stored).toMatchObject({ user: by, asset, account })
  })

  test('are found by whom, where and as whom, by parts of that and by plain search', async () => {
    const session = await begin(gateway, {
      user: 'Zed Quince(zed)',
      asset: 'quince-host(10.0.0.8)',
      account: 'Quincy(qu)',
    })
    await gateway.post('terminal/commands/', [recordOf(session, 'uptime')])
    for (const query of [
      'user__icontains=quince',
      'asset__icontains=QUINCE-h',
      'account__icontains=quincy',
      'search=zed,quince-host,quincy,UPTIME',
    ])
      expect(
        (await auditor.client.get(`terminal/commands/?limit=5&${query}`, { org })).body,
        query,
      ).toMatchObject({
        count: 1,
        results: [{ session, input: 'uptime' }],
      })
  })

  test('come from components only and are read with the right to it', async () => {
    const session = await begin(gateway)
    expect((await admin.post('terminal/commands/', [recordOf(session, 'x')], { org })).status).toBe(403)
    expect((await user.client.get('terminal/commands/?limit=5', { org })).status).toBe(403)
  })

  test('are searched by text through an index', async () => {
    const session = await begin(gateway)
    await system.database.db.execute(sql`
      insert into commands (session, "user", asset, account, input, org_id, timestamp)
      select ${session}, 'u', 'a', 'r', 'systemctl restart unit-' || md5(n::text), ${org}, 1600000000 + n
      from generate_series(1, 50000) as n`)
    await gateway.post('terminal/commands/', [recordOf(session, 'cat /etc/passwd-needle')])
    await system.database.db.execute(sql`analyze commands`)
    const { body } = await auditor.client.get('terminal/commands/?search=passwd-needle&limit=15', { org })
    expect(body).toMatchObject({ count: 1, results: [{ input: 'cat /etc/passwd-needle' }] })
    // The newest page is read from the end of an index, not sorted out of everything.
    const newest = await system.database.db.execute<{ 'QUERY PLAN': string }>(
      sql`explain select * from commands where org_id = ${org} order by timestamp desc, sequence desc, id desc limit 15`,
    )
    expect(newest.rows[0]?.['QUERY PLAN']).toContain('Limit')
    expect(newest.rows[1]?.['QUERY PLAN']).toContain('Index Scan Backward using commands_')
    for (const tail of [sql``, sql`order by timestamp desc, sequence desc, id desc limit 15`]) {
      const plan = await system.database.db.execute<{ 'QUERY PLAN': string }>(
        sql`explain select * from commands where org_id = ${org} and input ilike ${'%passwd-needle%'} ${tail}`,
      )
      expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('commands_input_trgm')
    }
  })
})
