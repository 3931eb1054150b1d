import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { startTestSystem } from '../../testing.ts'

const system = await startTestSystem()
const admin = await system.admin()

const ask = (path: string, encodings: string) =>
  admin.get(path, { headers: { 'accept-encoding': encodings } })
/** The permissions there are, as a tree: some hundred nodes. */
const long = 'rbac/permissions/tree/?scope=system'

test('a long answer goes compressed to whoever takes it so, and as it is to everybody else', async () => {
  const plain = await ask(long, 'identity')
  expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding' })
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.bytes.length).toBeGreaterThan(16_384)
  const short = await ask(long, 'br, gzip;q=0.9')
  expect(short.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
  expect(short.bytes.length).toBeLessThan(plain.bytes.length / 3)
  expect(gunzipSync(short.bytes)).toEqual(plain.bytes)
  expect((await ask(long, 'gzip;q=0')).headers['content-encoding']).toBeUndefined()
})

test('what is short, as one object that may hold a secret, does not', async () => {
  expect((await ask('users/profile/', 'gzip')).headers['content-encoding']).toBeUndefined()
})
