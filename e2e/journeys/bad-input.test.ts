/** What no well-meaning program sends: each gets a clear answer in the caller's language, and nothing breaks or leaks. */
import { randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { roleIds } from '@sallyport/contract'
import { Api } from '../src/api.ts'
import { adminPassword, startSystem, type System } from '../src/system.ts'
import { WebClient } from '../src/web-client.ts'
import { addHost, addPerson, grant } from '../src/world.ts'

const groups = '/api/v1/users/groups/'
const hosts = '/api/v1/assets/hosts/'
const signIn = '/api/v1/authentication/auth/'

let system: System
const secrets = [adminPassword]

beforeAll(async () => {
  system = await startSystem({}, { withGateway: false })
})
afterAll(async () => {
  await system?.stop()
})

/** An answer to a body sent as it is, signed in or not, in a language. */
async function raw(
  method: string,
  path: string,
  given: { body?: string | Uint8Array<ArrayBuffer>; language?: string; as?: Api | undefined } = {},
): Promise<{ status: number; text: string }> {
  const { as = system.admin, language = 'en', body } = given
  const response = await fetch(`${system.origin}${path}`, {
    method,
    headers: {
      ...as.headers,
      'accept-language': language,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(20_000),
  })
  return { status: response.status, text: await response.text() }
}
const nobody = () => new Api(system.origin, {})

/** An address exactly as written: `fetch` would tidy it up. */
function exactly(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(system.origin)
    const sent = httpRequest({ hostname, port, path, headers, timeout: 10_000 }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe('what is too much', () => {
  it('50 MB are refused, before sign-in without being read', async () => {
    const body = new Uint8Array(50 << 20).fill(0x20)
    expect(await raw('POST', groups, { body, as: nobody() })).toMatchObject({ status: 401 })
    for (const [path, as] of [
      [groups, system.admin],
      [signIn, nobody()],
    ] as const) {
      const answer = await raw('POST', path, { body, as, language: 'ja' })
      expect(answer).toMatchObject({ status: 413 })
      expect(answer.text).toContain('大き')
      // Closed at once, the connection would often take the answer along.
      const kept = await fetch(`${system.origin}${path}`, {
        method: 'POST',
        headers: { ...as.headers, 'content-type': 'application/json' },
        body,
      })
      expect(kept.headers.get('connection')).not.toBe('close')
    }
  })

  it('a field of a million characters is named', async () => {
    const long = 'x'.repeat(1_000_000)
    expect(await raw('POST', groups, { body: JSON.stringify({ name: long }) })).toEqual({
      status: 400,
      text: '{"name":["Ensure this field has no more than 128 characters."]}',
    })
    const body = JSON.stringify({ username: 'admin', password: long })
    expect(await raw('POST', signIn, { body, as: nobody() })).toMatchObject({ status: 413 })
  })

  it('JSON nested hundreds of thousands deep', async () => {
    const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    for (const body of [
      deep(200_000),
      '['.repeat(240_000),
      `{"name":${deep(200_000)}}`,
      `{"name":"n","users":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
      `{"username":${deep(200_000)},"password":"x"}`,
    ]) {
      expect(await raw('POST', groups, { body })).toMatchObject({ status: 400 })
      // Where anybody may call, nothing that long is read.
      expect(await raw('POST', signIn, { body, as: nobody() })).toMatchObject({ status: 413 })
    }
    // More than any list has is refused before it is read.
    expect(await raw('POST', groups, { body: deep(400_000) })).toMatchObject({ status: 413 })
    const short = deep(10_000)
    expect(await raw('POST', signIn, { body: short, as: nobody() })).toMatchObject({ status: 413 })
  })
})

describe('what is no text', () => {
  it('NUL characters are refused wherever they stand', async () => {
    for (const [method, path, body] of [
      ['POST', groups, { name: 'a\0b' }],
      ['POST', groups, { name: 'ab', comment: 'a\0b' }],
      ['POST', signIn, { username: 'a\0b', password: 'x' }],
      ['POST', signIn, { username: 'ab', password: 'x\0' }],
      ['GET', `${groups}?search=a%00b`, undefined],
      ['GET', `${hosts}?name=a%00b`, undefined],
    ] as const) {
      const answer = await raw(method, path, {
        language: 'zh',
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      expect(answer).toMatchObject({ status: 400 })
      expect(answer.text).toMatch(/不允许包含(?:空字符|换行、制表符等控制字符)/)
    }
    expect(await raw('GET', `${groups}a%00b/`)).toMatchObject({ status: 404 })
  })

  it('invalid UTF-8 in a body is refused, in an address it finds nothing', async () => {
    const body = Buffer.concat([
      Buffer.from('{"name":"x'),
      Buffer.from([0xff, 0xfe, 0xc0]),
      Buffer.from('"}'),
    ])
    expect(await raw('POST', groups, { body })).toMatchObject({ status: 400 })
    expect(await raw('GET', `${groups}?search=%ff%fe`)).toMatchObject({ status: 200 })
    expect(await raw('GET', `${groups}%ff/`, { language: 'ja' })).toMatchObject({ status: 404 })
  })
})

describe('what the list does not know', () => {
  it.each(['nonsense', '-__proto__', 'constructor', 'name;drop%20table%20users'])(
    'order=%s is passed over',
    async (order) => {
      expect(await raw('GET', `${hosts}?order=${order}`)).toMatchObject({ status: 200 })
    },
  )

  it('an id that is none is refused by name', async () => {
    const answer = await raw('GET', `${hosts}?id=abc`)
    expect(answer).toMatchObject({ status: 400 })
    expect(Object.keys(JSON.parse(answer.text) as object)).toEqual(['id'])
  })

  it('an unknown value of a choice is named', async () => {
    const answer = await raw('GET', '/api/v1/terminal/sessions/?protocol=constructor')
    expect(answer).toEqual({ status: 400, text: '{"protocol":["\\"constructor\\" is not a valid choice."]}' })
  })

  it.each([
    'constructor=1',
    '__proto__=1',
    'toString=1',
    'bogus=1',
    'limit=-1',
    'limit=99999999999999999999',
  ])('%s changes nothing', async (query) => {
    expect(await raw('GET', `${groups}?${query}`)).toMatchObject({ status: 200 })
  })
})

describe('another organization’s things', () => {
  interface Row {
    id: string
  }
  it('are not found: reading, writing, relating, selecting', async () => {
    const org = await system.admin.post<Row>('/api/v1/orgs/orgs/', { name: 'Elsewhere' })
    const there = new Api(system.origin, { ...system.admin.headers, 'x-jms-org': org.id })
    const host = await addHost(there, { name: 'their-host', port: 22 })
    const group = await there.post<Row>(groups, { name: 'their-group' })
    const stranger = await addPerson(there)
    const manager = await addPerson(system.admin, { org_roles: [roleIds.orgAdmin] })
    secrets.push(manager.password, stranger.password)
    const here = await Api.signIn(system.origin, manager.username, manager.password)
    expect(await here.get(groups)).not.toEqual([])

    for (const url of [`${hosts}${host.id}/`, `${groups}${group.id}/`]) {
      for (const method of ['GET', 'DELETE'])
        expect(await here.send(method, url)).toMatchObject({ status: 404 })
      expect(await here.send('PATCH', url, { name: 'mine' })).toMatchObject({ status: 404 })
    }
    // Naming the other organization does not open it either.
    const reaching = new Api(system.origin, { ...here.headers, 'x-jms-org': org.id })
    const seen = await reaching.send('GET', hosts)
    expect(JSON.stringify(seen.body)).not.toContain('their-host')
    expect((await reaching.send('GET', `${hosts}${host.id}/`)).status).toBeGreaterThanOrEqual(403)

    await expect(grant(here, { users: [manager.id], assets: [host.id] })).rejects.toThrow(
      /answered 400.*assets/,
    )
    await expect(grant(here, { users: [stranger.id], assets: [] })).rejects.toThrow(/answered 400.*users/)
    expect(await here.send('POST', groups, { name: 'g', users: [stranger.id] })).toMatchObject({
      status: 400,
      body: { users: [expect.stringContaining(stranger.id)] },
    })

    const { spm } = await here.post<{ spm: string }>('/api/v1/common/resources/cache/', {
      resources: [host.id, group.id],
    })
    expect(await here.get(`${hosts}?spm=${spm}`)).toEqual([])
    const other = await here.post<{ spm: string }>('/api/v1/common/resources/cache/', {
      resources: [group.id],
    })
    await here.send('DELETE', `${groups}?spm=${other.spm}`)
    expect(await there.get(`${groups}${group.id}/`)).toMatchObject({ name: 'their-group' })
    // A selection is its maker's own.
    const mine = await there.post<{ spm: string }>('/api/v1/common/resources/cache/', {
      resources: [group.id],
    })
    expect(await reaching.send('GET', `${groups}?spm=${mine.spm}`)).not.toMatchObject({
      body: [expect.anything()],
    })
  })
})

describe('what comes from another site', () => {
  it('a form without its token, and one from a foreign page, are refused', async () => {
    const browser = await WebClient.signIn(system.origin, 'admin', adminPassword)
    secrets.push(...[...browser.cookies.values()].filter((value) => value.length > 20))
    const name = `csrf-${randomBytes(3).toString('hex')}`
    const forged: Record<string, string>[] = [
      { 'x-csrftoken': '' },
      { 'x-csrftoken': 'guess' },
      { origin: 'https://evil.example' },
    ]
    for (const headers of forged)
      expect(await browser.send('POST', groups, { name }, headers)).toMatchObject({ status: 403 })
    expect(await system.admin.get(`${groups}?search=${name}`)).toEqual([])
    expect(await browser.send('POST', groups, { name })).toMatchObject({ status: 201 })
    const socket = browser.open(
      'token=11111111-2222-4333-8444-555555555555',
      undefined,
      'https://evil.example',
    )
    expect(await socket.refused).toBe(403)
  })

  it('nobody is led to another site', async () => {
    for (const next of [
      '//evil.example',
      '/.//evil.example',
      '/\\evil.example',
      'https://evil.example/',
      'javascript:x',
    ]) {
      const out = await fetch(`${system.origin}/core/auth/logout/?next=${encodeURIComponent(next)}`, {
        redirect: 'manual',
      })
      expect(out.headers.get('location')).toBe('/core/auth/login/')
      const browser = new WebClient(system.origin)
      await browser.send('GET', '/core/auth/login/')
      const answer = await browser.send('POST', `/core/auth/login/?next=${encodeURIComponent(next)}`, {
        username: 'admin',
        password: adminPassword,
      })
      expect(answer.json).toEqual({ next: '/' })
    }
    expect(await exactly('//evil.example/%2e%2e')).toMatchObject({ status: 404 })
  })

  it('an address a caller made up before the proxy’s own does not count', async () => {
    const { username } = await addPerson(system.admin)
    for (const forwarded of ['203.0.113.66, 198.51.100.7', '203.0.113.66, <b>', 'x'.repeat(5000)])
      await new Api(system.origin, { 'x-forwarded-for': forwarded }).send('POST', signIn, {
        username,
        password: 'x',
      })
    const rows = await system.admin.get<{ ip: string; status: { value: boolean } }[]>(
      `/api/v1/audits/login-logs/?username=${username}&order=datetime`,
    )
    const failed = rows.filter(({ status }) => !status.value)
    expect(failed.map(({ ip }) => ip)).toEqual(['198.51.100.7', '127.0.0.1', '127.0.0.1'])
  })
})

describe('paths that climb', () => {
  it.each([
    '/ui/../../package.json',
    '/ui/..%2f..%2fpackage.json',
    '/ui/%2e%2e/%2e%2e/package.json',
    '/ui/..%5c..%5cpackage.json',
    '/ui/....//....//package.json',
    '/ui/assets/..%2f..%2f..%2fpackage.json',
    '/ui/%2fetc%2fpasswd',
    '/ui//etc/passwd',
    '/ui/%00',
    '/ui/%c0%ae%c0%ae/',
    '/luna/..%2f..%2fpackage.json',
    '/luna/%2e%2e%2f%2e%2e%2fetc/passwd',
    '/luna/../../etc/passwd',
    '/luna/%00',
  ])('%s shows no file of ours', async (path) => {
    const { status, text } = await exactly(path)
    expect(status).toBeLessThan(500)
    expect(text).not.toMatch(/"name":|root:|workspaces/)
    if (status === 200) expect(text).toMatch(/^<!doctype html>/)
  })
})

it('nothing of this was an error of the server, and none of it left a secret in the log', () => {
  const log = system.server.output()
  expect(log.split('\n').filter((line) => /"level":[56]0/.test(line))).toEqual([])
  const token = (system.admin.headers['authorization'] ?? '').replace('Bearer ', '')
  for (const secret of [...secrets, token]) expect(log).not.toContain(secret)
})
