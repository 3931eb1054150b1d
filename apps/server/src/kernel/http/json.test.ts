/** Long lists as JSON, on a server that listens. */
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer } from '../testing/http.ts'
import { createTestDatabase } from '../testing/index.ts'
import { longestTurnMs } from '../testing/turns.ts'
import { route } from './route.ts'

const row = { id: 1, name: 'Straße "7"', none: undefined, at: new Date(0), names: ['a', null] }
const long = { ...row, many: Array.from({ length: 20_000 }, (_none, n) => ({ id: n, name: `asset ${n}` })) }
const page = (results: unknown[]) => ({ count: results.length, left: undefined, next: null, results })
const bodies: Record<string, unknown> = {
  empty: [],
  rows: [row, undefined, 'text'],
  page: page([row, row]),
  'long-page': page(Array.from({ length: 60 }, () => long)),
}

const app = await startTestServer(await createTestDatabase(), [
  {
    name: 'tests',
    routes: Object.entries(bodies).map(([name, body]) =>
      route({
        method: 'GET',
        path: `/api/v1/tests/${name}/`,
        access: 'public',
        byHand: 'it answers lists',
        handler: () => Promise.resolve(body),
      }),
    ),
  },
])
let origin = ''
beforeAll(async () => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/v1/tests/`
})
afterAll(() => app.close())

test.each(Object.entries(bodies))('%s is the JSON it would be in one go', async (name, body) => {
  const answer = await fetch(`${origin}${name}/`)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await answer.text()).toBe(JSON.stringify(body))
})

test('others have turns while a page of many megabytes is written', async () => {
  const read = async () => {
    await (await fetch(`${origin}long-page/`)).body?.pipeTo(new WritableStream())
  }
  await read()
  expect(await longestTurnMs(read)).toBeLessThan(100)
})
