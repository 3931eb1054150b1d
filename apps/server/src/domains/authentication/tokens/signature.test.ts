import { createHash, createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { defaultOrgId } from '@sallyport/contract'
import {
  digestHeader,
  digestValue,
  nonceHeader,
  signatureValue,
  signingText,
} from '@sallyport/contract/gateway/signature'
import { afterAll, describe, expect, test } from 'vitest'
import { adminPassword, startTestSystem } from '../../../testing.ts'

const system = await startTestSystem()
const admin = await system.admin()
await admin.post('authentication/confirm/', { confirm_type: 'password', secret_key: adminPassword })
const made = await admin.post('authentication/access-keys/')
const key = { id: String(made.body['id']), secret: String(made.body['secret']) }
const org = defaultOrgId
const nobody = system.client()

const listening = await system.anotherNode()
await listening.listen({ host: '127.0.0.1', port: 0 })
const { port } = listening.server.address() as AddressInfo
const uncaught: unknown[] = []
const note = (failure: unknown) => uncaught.push(failure)
process.on('uncaughtException', note)
afterAll(() => void process.off('uncaughtException', note))

const sha256 = (text: string) => digestValue(createHash('sha256').update(text).digest('base64'))

function signed(
  names: readonly string[],
  { method, path, headers = {} }: { method: string; path: string; headers?: Record<string, string> },
): Record<string, string> {
  const all: Record<string, string> = {
    accept: 'application/json',
    date: new Date().toUTCString(),
    ...headers,
  }
  const text = signingText(names, { method, target: `/api/v1/${path}`, headers: all }) ?? ''
  const signature = createHmac('sha256', key.secret).update(text).digest('base64')
  return { ...all, authorization: signatureValue(key.id, names, signature) }
}

const whole = ['(request-target)', 'date', digestHeader, nonceHeader]
const nonce = () => randomBytes(16).toString('base64url')
const group = (name: string) => JSON.stringify({ name })
const signedPost = (body: string) =>
  signed(whole, {
    method: 'POST',
    path: 'users/groups/',
    headers: { [digestHeader]: sha256(body), [nonceHeader]: nonce() },
  })

describe('a signature over body and nonce', () => {
  test('is good for one request', async () => {
    const headers = signedPost(group('once'))
    expect((await nobody.post('users/groups/', group('once'), { headers, org })).status).toBe(201)
    const again = await nobody.post('users/groups/', group('once'), { headers, org })
    expect(again).toMatchObject({ status: 401, body: { detail: 'This signature was already used.' } })
  })

  test('is good for one request on all servers together', async () => {
    const other = await system.anotherNode()
    const headers = signed(whole, {
      method: 'GET',
      path: 'users/profile/',
      headers: { [digestHeader]: sha256(''), [nonceHeader]: nonce() },
    })
    const there = () => other.inject({ method: 'GET', url: '/api/v1/users/profile/', headers })
    const answers = await Promise.all([nobody.get('users/profile/', { headers }), there(), there()])
    const statuses = answers.map((answer) => ('status' in answer ? answer.status : answer.statusCode))
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 401, 401])
  })

  test('is not good for another body, or for none', async () => {
    const exchanged = await nobody.post('users/groups/', group('evil'), {
      headers: signedPost(group('good')),
      org,
    })
    expect(exchanged).toMatchObject({ status: 401, body: { code: 'signed_body_differs' } })
    const taken = await nobody.post('users/groups/', undefined, { headers: signedPost(group('good')), org })
    expect(taken.status).toBe(401)
    expect((await admin.get('users/groups/?search=evil', { org })).body).toEqual([])
  })

  test.each([
    ['that is another', '2\r\nab\r\n0\r\n\r\n'],
    ['that cannot be read', 'zz\r\n'],
    ['that breaks off', '2\r\na'],
  ])('of a body %s, which nobody reads, does nothing to anybody else', async (_what, body) => {
    const headers = signed(whole, {
      method: 'GET',
      path: 'users/profile/',
      headers: { [digestHeader]: sha256('good'), [nonceHeader]: nonce() },
    })
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    const head = Object.entries({ ...headers, host: 'a', 'transfer-encoding': 'chunked' })
    socket.write(
      `GET /api/v1/users/profile/ HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
    )
    await Promise.race([once(socket, 'data'), once(socket, 'close')])
    socket.destroy()
    expect((await nobody.get('health/')).status).toBe(200)
    expect(uncaught).toEqual([])
  })
})

describe('a signature in the compatible form', () => {
  test('covers target and date, and goes on working for people’s programs', async () => {
    const names = ['(request-target)', 'accept', 'date']
    const profile = { method: 'GET', path: 'users/profile/' }
    expect((await nobody.get('users/profile/', { headers: signed(names, profile) })).body).toMatchObject({
      username: 'admin',
    })
    const posted = signed(names, { method: 'POST', path: 'users/groups/' })
    expect((await nobody.post('users/groups/', { name: 'script' }, { headers: posted, org })).status).toBe(
      201,
    )
    // For another address it is not good.
    expect((await nobody.get('users/groups/', { headers: signed(names, profile), org })).status).toBe(401)
    const old = { ...profile, headers: { date: new Date(Date.now() - 20 * 60_000).toUTCString() } }
    expect((await nobody.get('users/profile/', { headers: signed(names, old) })).status).toBe(401)
    expect((await nobody.get('users/profile/', { headers: signed(['date'], profile) })).status).toBe(401)
  })
})
