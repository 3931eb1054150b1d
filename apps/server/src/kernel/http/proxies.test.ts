/** What is believed of a proxy on this machine. */
import { expect, test } from 'vitest'
import { startTestServer } from '../testing/http.ts'
import { createTestDatabase } from '../testing/index.ts'
import { route } from './route.ts'

const app = await startTestServer(await createTestDatabase(), [
  {
    name: 'tests',
    routes: [
      route({
        method: 'GET',
        path: '/api/v1/tests/origin/',
        access: 'public',
        byHand: 'it tells its origin',
        handler: (ctx) => Promise.resolve({ origin: ctx.origin }),
      }),
    ],
  },
])
const originTo = async (forwarded: string, remoteAddress = '127.0.0.1') => {
  const headers = { host: 'here.example:8080', 'x-forwarded-host': forwarded }
  const answer = await app.inject({ url: '/api/v1/tests/origin/', headers, remoteAddress })
  return answer.json<{ origin: string }>().origin
}

test.each(['bastion.example', 'bastion.example:8443', '[2001:db8::1]:443', '192.0.2.1'])(
  'addresses are made of the host a proxy says was asked for: %s',
  async (told) => {
    expect(await originTo(told)).toBe(`http://${told}`)
    expect(await originTo(told, '192.0.2.7')).toBe('http://here.example:8080')
  },
)

test.each(['', 'bastion.example/path', 'user@bastion.example', 'bastion example', '"><b>', 'a.example, b/c'])(
  'and of no host that is none: %s',
  async (told) => expect(await originTo(told)).toBe('http://here.example:8080'),
)

test.each([
  ['https', 'https://here.example:8080'],
  ['javascript', 'http://here.example:8080'],
  ['https://evil.example/', 'http://here.example:8080'],
])('and of no scheme that is none of the web: %s', async (told, origin) => {
  const headers = { host: 'here.example:8080', 'x-forwarded-proto': told }
  const answer = await app.inject({ url: '/api/v1/tests/origin/', headers, remoteAddress: '127.0.0.1' })
  expect(answer.json()).toEqual({ origin })
})

test.each(['/%61pi/v1/tests/origin/', 'http://here.example/api/v1/tests/origin/'])(
  'what is answered is kept by nobody, however its address is written: %s',
  async (url) => {
    const answer = await app.inject({ url })
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(answer.headers).not.toHaveProperty('set-cookie')
  },
)
