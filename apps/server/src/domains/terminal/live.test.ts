import { parsePrivateKey } from '@sallyport/ssh/keys/private-key'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { defaultOrgId, roleIds } from '@sallyport/contract'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startTestSystem } from '../../testing.ts'
import { silenceSeconds } from './components.ts'
import { sessions, terminals } from './tables.ts'
import { begin, chunkOf, hangUp, link, listenOn, person, personPassword, putChunk, until } from './testing.ts'

const system = await startTestSystem()
const { db } = system.database
const admin = await system.admin()
const org = defaultOrgId
const here = await listenOn(system.http)
const there = await listenOn(await system.anotherNode())

const stored = async (id: string) => {
  const [row] = await db.select().from(sessions).where(eq(sessions.id, id))
  if (row === undefined) throw new Error('no such session')
  return row
}
const isEnded = (id: string) => async () => (await stored(id)).is_finished
let gateways = 0
const newGateway = () => system.component(`gateway-${++gateways}`)
const terminalOf = async (id: string) => (await stored(id)).terminal_id ?? ''

const shownDate: unknown = expect.stringMatching(/^\d{4}(\/\d\d){2} (\d\d:){2}\d\d [+-]\d{4}$/)

describe('what a gateway reports', () => {
  test('shows in the list of terminals', async () => {
    const gateway = await newGateway()
    const standing = await link(gateway, here, 'boot-1')
    const session = await begin(gateway)
    standing.report([session])
    const id = await terminalOf(session)
    const show = async () => (await admin.get(`terminal/terminals/${id}/`, { org })).body
    await until(10_000, async () => String((await show())['is_alive']) === 'true')
    expect(await show()).toMatchObject({
      type: 'koko',
      session_online: 1,
      load: { value: 'normal' },
      stat: { cpu_load: 0.1, memory_used: 40 },
      is_active: true,
    })
    expect((await admin.get('terminal/components/metrics/', { org })).body).toContainEqual(
      expect.objectContaining({ type: 'koko', session_active: 1 }),
    )
    await hangUp(standing)
  })

  test.each([
    [{ cpu_load: 5, memory_used: 85, disk_used: 80 }, 'normal'],
    [{ cpu_load: 5.1 }, 'high'],
    [{ memory_used: 85.1 }, 'high'],
    [{ disk_used: 80.1 }, 'high'],
    [{ cpu_load: 20, memory_used: 95, disk_used: 99 }, 'high'],
    [{ cpu_load: 20.1 }, 'critical'],
    [{ memory_used: 95.1 }, 'critical'],
    [{ disk_used: 99.1 }, 'critical'],
    [{ date_reported: new Date(0) }, 'offline'],
  ])('%j is a load called %s', async (reported, load) => {
    const id = await terminalOf(await begin(await newGateway()))
    const row = { date_reported: new Date(), ...reported }
    await db.update(terminals).set(row).where(eq(terminals.id, id))
    const { body } = await admin.get(`terminal/terminals/${id}/`, { org })
    expect(body['load']).toMatchObject({ value: load })
  })

  test('tells of a disk that is nearly full, and warns in the list', async () => {
    const gateway = await newGateway()
    const standing = await link(gateway, here, 'boot-1')
    const id = await terminalOf(await begin(gateway))
    const disk = { free_bytes: 2 ** 33, total_bytes: 2 ** 41, is_low: true }
    standing.report([], { disk })
    const show = async () => (await admin.get(`terminal/terminals/${id}/`, { org })).body
    await until(10_000, async () => String((await show())['is_alive']) === 'true')
    expect(await show()).toMatchObject({ disk, load: { value: 'critical' } })
    const health = async () => (await system.client().get('/api/health/')).body
    expect(await health()).toMatchObject({ status: true, gateway_status: true, gateway_disk_status: false })
    standing.report([], { disk: { ...disk, is_low: false } })
    await until(10_000, async () => String((await health())['gateway_disk_status']) === 'true')
    const { body } = await admin.options('terminal/terminals/', { org })
    expect(body['actions']?.['GET']).toMatchObject({
      disk: { type: 'nested object', children: { is_low: { type: 'boolean' } } },
      stat: { type: 'nested object', children: { cpu_load: { type: 'float' } } },
    })
    await hangUp(standing)
  })

  test('is missed when it stops while others go on, until it is deleted', async () => {
    const [going, gone] = [await newGateway(), await newGateway()]
    const standing = await link(going, here, 'boot-1')
    standing.report([])
    const session = await begin(gone)
    const lost = await terminalOf(session)
    await gone.patch(`terminal/sessions/${session}/`, { is_finished: true, end_reason: 'client_left' })
    const health = async () => (await system.client().get('/api/health/')).body
    const silentFor = (time: string) =>
      db.execute(
        sql`update ${terminals} set boot_id = 'b', date_reported = now() - ${time}::interval where id = ${lost}`,
      )
    await silentFor('1 minute')
    await until(10_000, async () => String((await health())['gateway_status']) === 'true')
    expect(await health()).toMatchObject({ status: true, gateways_status: false })
    expect((await admin.delete(`terminal/terminals/${lost}/`, { org })).status).toBe(204)
    await db.execute(sql`update ${terminals} set date_reported = now() where not is_deleted`)
    expect(await health()).toMatchObject({ gateway_status: true, gateways_status: true })
    await hangUp(standing)
  })

  test('ends the sessions of the process before at once; what came of their recordings can be watched', async () => {
    const gateway = await newGateway()
    const before = await link(gateway, here, 'boot-1')
    before.report([])
    const [old, kept] = [await begin(gateway), await begin(gateway)]
    before.report([old, kept])
    await until(10_000, async () => (await stored(old)).boot_id === 'boot-1')
    await putChunk(gateway, old, 1, chunkOf('x'))
    await hangUp(before)
    const after = await link(gateway, here, 'boot-2')
    after.report([kept])
    await until(10_000, isEnded(old))
    expect(await stored(old)).toMatchObject({ end_reason: 'gateway_lost', has_replay: true })
    expect(await stored(kept)).toMatchObject({ is_finished: false, boot_id: 'boot-2' })
    // The new process has read the journal of the old one and knows the moment better.
    await gateway.patch(`terminal/sessions/${old}/`, {
      is_finished: true,
      end_reason: 'gateway_lost',
      date_end: '2026-11-21T10:00:00Z',
    })
    expect((await stored(old)).date_end).toEqual(new Date('2026-11-21T10:00:00Z'))
    await hangUp(after)
  })

  test('reopens sessions believed lost, but none that have ended otherwise', async () => {
    const gateway = await newGateway()
    const standing = await link(gateway, here, 'boot-1')
    const [lost, left] = [await begin(gateway), await begin(gateway)]
    await gateway.patch(`terminal/sessions/${left}/`, { is_finished: true, end_reason: 'client_left' })
    await gateway.patch(`terminal/sessions/${lost}/`, { is_finished: true, end_reason: 'gateway_lost' })
    standing.report([lost, left])
    await until(10_000, async () => !(await stored(lost)).is_finished)
    expect(await stored(lost)).toMatchObject({ end_reason: null, date_end: null })
    expect(await stored(left)).toMatchObject({ is_finished: true, end_reason: 'client_left' })
    await hangUp(standing)
  })

  test('is not heard from people, nobody, or a component without a terminal', async () => {
    for (const headers of [{}, { authorization: 'Bearer nonsense' }]) {
      const socket = new WebSocket(`${here}/ws/terminal-task/`, { headers })
      const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }]
      expect(response.statusCode).toBe(401)
      socket.on('error', () => {})
      socket.terminate()
    }
    const gateway = await newGateway()
    const session = await begin(gateway)
    await db
      .update(terminals)
      .set({ is_deleted: true })
      .where(eq(terminals.id, await terminalOf(session)))
    await expect(link(gateway, here, 'boot-1')).rejects.toThrow('closed')
    expect((await gateway.get('terminal/terminals/config/')).status).toBe(403)
  })
})

describe('an order to end a session', () => {
  test('given on one server reaches the gateway linked to another at once', async () => {
    const gateway = await newGateway()
    const standing = await link(gateway, there, 'boot-1')
    const session = await begin(gateway)
    const answer = await admin.post(
      'terminal/tasks/kill-session/',
      [session, '00000000-0000-4000-8000-00000000dead', 'no id', ''],
      { org },
    )
    expect(answer).toMatchObject({ status: 200, body: { ok: [session] } })
    await until(10_000, () => standing.tasks.length > 0)
    expect(standing.tasks).toMatchObject([
      {
        name: 'kill_session',
        args: session,
        kwargs: { terminated_by: 'Administrator(admin)', reason: '', comment: '' },
        is_finished: false,
      },
    ])
    const url = `terminal/tasks/${standing.tasks[0]?.id}/`
    const stranger = await newGateway()
    expect((await stranger.patch(url, { is_finished: true })).status).toBe(404)
    // Nobody calls off an order by saying in the component's place that it is done.
    expect((await admin.patch(url, { is_finished: true })).status).toBe(403)
    expect((await gateway.patch(url, { is_finished: true })).body).toMatchObject({ is_finished: true })
    await hangUp(standing)
    // Nothing is left to do for the gateway when it comes back.
    expect((await link(gateway, there, 'boot-1')).tasks).toEqual([])
  })

  test('may say why: the gateway is told, and the books keep who ended what', async () => {
    const gateway = await newGateway()
    const standing = await link(gateway, here, 'boot-1')
    const session = await begin(gateway, { asset: 'needle-7(10.0.0.7)' })
    const body = { sessions: [session], reason: 'maintenance at ten' }
    const answer = await admin.post('terminal/tasks/kill-session/', body, { org })
    expect(answer.body).toEqual({ ok: [session] })
    await until(10_000, () => standing.tasks.length > 0)
    expect(standing.tasks).toMatchObject([
      { kwargs: { terminated_by: 'Administrator(admin)', reason: '', comment: 'maintenance at ten' } },
    ])
    const logs = (await admin.get('audits/operate-logs/?limit=5&search=needle-7', { org })).body['results']
    expect(logs).toMatchObject([
      {
        user: 'Administrator(admin)',
        action: { value: 'terminate', label: 'Terminate' },
        resource: 'Ann(ann) → needle-7(10.0.0.7)',
      },
    ])
    const detail = await admin.get(`audits/operate-logs/${String(logs?.[0]?.['id'])}/?type=action_detail`, {
      org,
    })
    expect(JSON.stringify(detail.body)).toContain('maintenance at ten')
    await hangUp(standing)
  })

  test('reaches the gateway with its next report where its server hears no live events', async () => {
    const deaf = await system.anotherNode({ isDeaf: true })
    const health = (await deaf.inject({ url: '/api/health/' })).json<Record<string, unknown>>()
    expect(health).toMatchObject({ status: true, live_status: false })
    const gateway = await newGateway()
    const standing = await link(gateway, await listenOn(deaf), 'boot-1')
    const session = await begin(gateway)
    await admin.post('terminal/tasks/kill-session/', [session], { org })
    standing.report([session])
    await until(10_000, () => standing.tasks.length > 0)
    expect(standing.tasks).toMatchObject([{ name: 'kill_session', args: session }])
    await gateway.patch(`terminal/tasks/${standing.tasks[0]?.id}/`, { is_finished: true })
    await hangUp(standing)
  })

  test('waits for a gateway that is cut off at the moment', async () => {
    const gateway = await newGateway()
    const session = await begin(gateway)
    await admin.post('terminal/tasks/kill-session/', [session], { org })
    expect((await link(gateway, here, 'boot-1')).tasks).toMatchObject([{ args: session }])
  })

  test('needs the right to it, in the organization of the session', async () => {
    const gateway = await newGateway()
    const session = await begin(gateway)
    const user = await person(system, admin, 'nobody')
    expect((await user.client.post('terminal/tasks/kill-session/', [session], { org })).status).toBe(403)
    const other = String((await admin.post('orgs/orgs/', { name: 'Elsewhere' })).body['id'])
    const elsewhere = await admin.post('terminal/tasks/kill-session/', [session], { org: other })
    expect(elsewhere.body).toEqual({ ok: [] })
  })
})

describe('the sessions of a person', () => {
  const withSession = async (username: string) => {
    const gateway = await newGateway()
    const standing = await link(gateway, there, 'boot-1')
    const { id } = await person(system, admin, username, roleIds.orgUser)
    const session = await begin(gateway, { user_id: id })
    standing.report([session])
    // People are connected to a gateway that has said which process it is.
    const terminal = await terminalOf(session)
    const isKnown = sql`${terminals.id} = ${terminal} and ${terminals.boot_id} is not null`
    await until(10_000, async () => (await db.$count(terminals, isKnown)) === 1)
    expect(standing.tasks).toEqual([])
    return { standing, id, session }
  }
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)
  const ordered = (session: string, reason = 'user_disabled', by = 'Administrator(admin)') => [
    { args: session, kwargs: { terminated_by: by, reason } },
  ]

  test('end at once when the person is disabled, by the name of who did it', async () => {
    const { standing, id, session } = await withSession('disabled')
    const asked = await admin.post('terminal/sessions/online-amount/', { users: [id] }, { org })
    expect(asked.body).toEqual({ count: 1 })
    expect((await admin.patch(`users/users/${id}/`, { is_active: false }, { org })).status).toBe(200)
    await until(10_000, () => standing.tasks.length > 1)
    // One after the other, in any order.
    expect(standing.tasks.toSorted(byName)).toMatchObject([
      { name: 'disconnect_user', args: id },
      ...ordered(session),
    ])
    await hangUp(standing)
  })

  test('end when an administrator sets another password, by that name, and with them the person’s connections', async () => {
    const { standing, id, session } = await withSession('forgetful')
    const gateway = await newGateway()
    const signIn = async (password: string) => {
      const answer = await gateway.post('authentication/tokens/', { username: 'forgetful', password })
      expect(answer.status).toBe(201)
      return answer.body['signed_in_ms']
    }
    const before = await signIn(personPassword)
    const change = { password: 'Set-by-admin-1' }
    expect((await admin.patch(`users/users/${id}/password/`, change, { org })).status).toBe(200)
    await until(10_000, () => standing.tasks.length > 1)
    expect(standing.tasks.toSorted(byName)).toMatchObject([
      { name: 'disconnect_user', args: id },
      { args: session, kwargs: { terminated_by: 'Administrator(admin)', reason: '' } },
    ])
    const [order] = standing.tasks.filter(({ name }) => name === 'disconnect_user')
    const endedMs = Number(order?.kwargs['before_ms'])
    // What comes with the new password comes after the order, whenever the gateway hears of it.
    await db.execute(sql`update users set need_update_password = false where id = ${id}`)
    expect(Number(before)).toBeLessThan(endedMs)
    expect(Number(await signIn(change.password))).toBeGreaterThan(endedMs)
    await hangUp(standing)
  })

  test('end at once when the person is deleted, and with them the person’s connections', async () => {
    const { standing, id, session } = await withSession('deleted')
    expect((await admin.delete(`users/users/${id}/`, { org })).status).toBe(204)
    await until(10_000, () => standing.tasks.length > 1)
    expect(standing.tasks.toSorted(byName)).toMatchObject([
      { name: 'disconnect_user', args: id },
      ...ordered(session, 'user_deleted'),
    ])
    await hangUp(standing)
  })

  test('end at once where the person has left the organization', async () => {
    const { standing, id, session } = await withSession('leaving')
    expect((await admin.post(`users/users/${id}/remove/`, undefined, { org })).status).toBe(204)
    await until(10_000, () => standing.tasks.length > 0)
    expect(standing.tasks).toMatchObject(ordered(session, 'user_removed'))
    await hangUp(standing)
  })

  test('end within seconds when the account expires', async () => {
    const { standing, id, session } = await withSession('expired')
    await db.execute(sql`update users set date_expired = now() + interval '500 ms' where id = ${id}`)
    await until(10_000, () => standing.tasks.length > 0)
    expect(standing.tasks).toMatchObject(ordered(session, 'user_disabled', 'System'))
    await hangUp(standing)
  })

  test('go on when something else of the person changes', async () => {
    const { standing, id } = await withSession('renamed')
    expect((await admin.patch(`users/users/${id}/`, { comment: 'new' }, { org })).status).toBe(200)
    await sleep(300)
    expect(standing.tasks).toEqual([])
    await hangUp(standing)
  })
})

describe.concurrent('a gateway that falls silent', () => {
  test('loses its sessions within ten seconds, and gets them back when it reports them', async () => {
    const gateway = await newGateway()
    const silent = await link(gateway, here, 'boot-1')
    const session = await begin(gateway, { date_start: new Date(Date.now() - 60_000).toISOString() })
    const heardAfter = performance.now()
    silent.report([session])
    await putChunk(gateway, session, 1, chunkOf('x'))
    await until(10_000, async () => (await stored(session)).boot_id === 'boot-1')
    const heardBefore = performance.now()
    await until(11_000, isEnded(session))
    expect(performance.now() - heardAfter).toBeGreaterThan(silenceSeconds * 1000 - 500)
    expect(performance.now() - heardBefore).toBeLessThan(10_000)
    expect(await stored(session)).toMatchObject({ end_reason: 'gateway_lost', has_replay: true })
    silent.report([session])
    await until(10_000, async () => !(await stored(session)).is_finished)
    expect(await stored(session)).toMatchObject({ end_reason: null, date_end: null, has_replay: false })
    await hangUp(silent)
  })

  test('of the compatible system reports rarely, and is not lost for that', async () => {
    const gateway = await newGateway()
    const session = await begin(gateway, { date_start: new Date(Date.now() - 60_000).toISOString() })
    const status = { sessions: [session], session_online: 1, cpu_load: 0, memory_used: 0, disk_used: 0 }
    expect((await gateway.post('terminal/terminals/status/', status)).body).toEqual([])
    await db
      .update(terminals)
      .set({ date_reported: sql`now() - interval '40 seconds'` })
      .where(eq(terminals.id, await terminalOf(session)))
    await sleep(2500)
    expect((await stored(session)).is_finished).toBe(false)
  })

  test('keeps no session on the books that it does not speak of', async () => {
    const gateway = await newGateway()
    const standing = await link(gateway, here, 'boot-1')
    const forgotten = await begin(gateway)
    const stop = setInterval(() => standing.report([]), 1000)
    await until(11_000, isEnded(forgotten))
    clearInterval(stop)
    expect(await stored(forgotten)).toMatchObject({ end_reason: 'gateway_lost' })
    await hangUp(standing)
  })
})

describe('a terminal', () => {
  test('is deleted with its account when it carries nothing; its key is good for nothing then', async () => {
    const gateway = await newGateway()
    const standing = await link(gateway, here, 'boot-1')
    const session = await begin(gateway)
    const url = `terminal/terminals/${await terminalOf(session)}/`
    expect(await admin.delete(url, { org })).toMatchObject({
      status: 400,
      body: { code: 'have_online_session' },
    })
    await gateway.patch(`terminal/sessions/${session}/`, { is_finished: true, end_reason: 'client_left' })
    expect((await admin.delete(url, { org })).status).toBe(204)
    expect((await admin.get(url, { org })).status).toBe(404)
    expect((await gateway.get('users/profile/')).status).toBe(401)
    const closed = once(standing.socket, 'close')
    standing.report([session])
    expect(await closed).toContain(1008)
    // The books still say who carried it.
    expect((await admin.get(`terminal/sessions/${session}/`, { org })).body).toMatchObject({
      terminal: { name: expect.stringContaining('gateway-') as string },
    })
  })

  test('is asked for its own sessions', async () => {
    const [one, other] = [await newGateway(), await newGateway()]
    const mine = await begin(one)
    await begin(other)
    const path = `terminal/terminals/${await terminalOf(mine)}/sessions/`
    expect((await admin.get(path, { org })).body).toMatchObject([{ id: mine }])
    expect((await admin.get(`${path}?limit=1&is_finished=true`, { org })).body).toMatchObject({ count: 0 })
    const { client } = await person(system, admin, 'curious')
    expect((await client.get(path, { org })).status).toBe(403)
  })

  test('is told the settings it works by', async () => {
    const gateway = await newGateway()
    const config = (await gateway.get('terminal/terminals/config/')).body
    // Gateways of the compatible system have their host key from there: that of all gateways.
    const { keyObject } = parsePrivateKey(String(config['TERMINAL_HOST_KEY']))
    expect(config['TERMINAL_HOST_KEY']).toMatch(/^-----BEGIN RSA PRIVATE KEY-----/)
    const own = await gateway.post('terminal/host-keys/own/', { keys: ['-----BEGIN another'] })
    const shown = (own.body['keys'] as unknown as string[]).map((text) => parsePrivateKey(text).keyObject)
    expect(shown.some((key) => key.equals(keyObject))).toBe(true)
    expect(config).toMatchObject({
      TERMINAL_PASSWORD_AUTH: true,
      TERMINAL_MAX_SESSIONS_PER_USER: 50,
      SECURITY_MAX_IDLE_TIME: 30,
      SECURITY_MAX_SESSION_TIME: 24,
      TERMINAL_REPLAY_STORAGE: { TYPE: 'server' },
    })
    expect((await admin.get('terminal/terminals/config/', { org })).status).toBe(403)
  })

  test('that registered is in the books', async () => {
    await system.component('newcomer')
    const { body } = await admin.get('audits/operate-logs/?limit=5&search=newcomer', { org })
    expect(body['results']).toMatchObject([
      { user: 'System', action: { value: 'create' }, resource: 'newcomer', remote_addr: '127.0.0.1' },
    ])
  })

  test('is told its key when it registers, and when that was', async () => {
    const token = await readFile(join(system.ground.config.dataDir, 'keys', 'bootstrap_token'), 'utf8')
    const headers = { authorization: `BootstrapToken ${token.trim()}` }
    const body = { name: 'dated', type: 'koko' }
    expect(await system.client().post('terminal/terminal-registrations/', body, { headers })).toMatchObject({
      status: 201,
      body: { service_account: { access_key: { is_active: true, date_created: shownDate } } },
    })
  })

  test('registers with the secret only, and says what it lacks', async () => {
    const body = { name: 'evil', type: 'koko' }
    const wrong = { headers: { authorization: 'BootstrapToken wrong' } }
    expect((await system.client().post('terminal/terminal-registrations/', body, wrong)).status).toBe(401)
    await newGateway()
    await expect(system.component(`gateway-${gateways}`)).rejects.toThrow('not registered')
  })

  test('people learn how to connect, and where', async () => {
    const windows = { headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0)' } }
    expect((await admin.get('terminal/components/connect-methods/')).body).toMatchObject({
      ssh: [
        { component: 'koko', type: 'web', value: 'web_cli', endpoint_protocol: 'http', label: 'Web CLI' },
        { component: 'koko', type: 'native', value: 'ssh', endpoint_protocol: 'ssh', label: 'SSH' },
      ],
    })
    expect((await admin.get('terminal/components/connect-methods/', windows)).body).toMatchObject({
      ssh: [{ value: 'web_cli' }, { value: 'putty', label: 'PuTTY' }],
    })
    expect((await admin.get('terminal/endpoints/smart/?protocol=ssh')).body).toMatchObject({
      name: 'Default',
      ssh_port: 2222,
      created_by: 'System',
      date_created: shownDate,
      date_updated: shownDate,
    })
    expect((await admin.get('terminal/endpoints/smart/')).status).toBe(404)
    expect((await system.client().get('terminal/components/connect-methods/')).status).toBe(401)
  })
})
