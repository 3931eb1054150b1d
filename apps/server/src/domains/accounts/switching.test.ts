/** Accounts that are signed in to as another one of their asset. */
import { beforeAll, expect, test } from 'vitest'
import { startTestSystem, type TestClient } from '../../testing.ts'

const system = await startTestSystem()
let admin: TestClient
let made = 0
beforeAll(async () => {
  admin = await system.admin()
})

const list = 'accounts/accounts/'
async function host(): Promise<string> {
  const name = `switching-${++made}`
  return String((await admin.post('assets/hosts/', { name, address: '192.0.2.1', platform: 1 })).body['id'])
}
async function account(asset: string, username: string, su_from?: string): Promise<string> {
  const body = { asset, name: username, username, secret_type: 'password', su_from }
  const answer = await admin.post(list, body)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
  return String(answer.body['id'])
}
const from = (id: string, su_from: string | null) => admin.patch(`${list}${id}/`, { su_from })
const refused = (sentence: string, field = 'su_from') => ({
  status: 400,
  body: { [field]: [expect.stringContaining(sentence)] },
})
const circle = refused('in a circle')

test('an account switches neither from itself, nor in a circle of two or more', async () => {
  const asset = await host()
  const [a, b, c] = [await account(asset, 'a'), await account(asset, 'b'), await account(asset, 'c')]
  expect(await from(a, a)).toMatchObject(circle)
  expect((await from(a, b)).status).toBe(200)
  expect(await from(b, a)).toMatchObject(circle)
  expect((await from(b, c)).status).toBe(200)
  expect(await from(c, a)).toMatchObject(circle)
  expect((await from(c, null)).status).toBe(200)
  expect((await admin.get(`${list}${a}/`)).body).toMatchObject({
    su_from: { id: b, name: 'b', username: 'b' },
  })
})

test('two changes at once that would close a circle between them do not both come to pass', async () => {
  const asset = await host()
  const [a, b, c, d] = [
    await account(asset, 'a'),
    await account(asset, 'b'),
    await account(asset, 'c'),
    await account(asset, 'd'),
  ]
  // b already comes from c, and d from a: each of the two is fine alone.
  await from(b, c)
  await from(d, a)
  const answers = await Promise.all([from(a, b), from(c, d)])
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400])
})

test('of many changes at once each that closes a circle is told, and none is kept', async () => {
  const asset = await host()
  const [a, b, c] = [await account(asset, 'a'), await account(asset, 'b'), await account(asset, 'c')]
  const answer = await admin.patch(list, [
    { id: a, su_from: b },
    { id: b, su_from: a },
    { id: c, su_from: a },
  ])
  const problem = { su_from: [expect.stringContaining('in a circle')] }
  expect(answer).toMatchObject({ status: 400, body: [problem, problem, {}] })
  expect((await admin.get(`${list}${a}/`)).body).toMatchObject({ su_from: null })
})

test('an account that goes to another asset leaves nobody behind, nor takes a source along', async () => {
  const [here, there] = [await host(), await host()]
  const source = await account(here, 'source')
  const root = await account(here, 'root', source)
  const move = (id: string) => admin.patch(`${list}${id}/`, { asset: there })
  expect(await move(source)).toMatchObject(refused('Other accounts', 'asset'))
  expect(await move(root)).toMatchObject(refused('same asset'))
  expect((await admin.patch(`${list}${root}/`, { asset: there, su_from: null })).status).toBe(200)
  expect((await move(source)).status).toBe(200)
})

test('accounts that switch from one that is deleted are signed in to directly', async () => {
  const asset = await host()
  const source = await account(asset, 'source')
  const root = await account(asset, 'root', source)
  expect((await admin.delete(`${list}${source}/`)).status).toBe(204)
  expect((await admin.get(`${list}${root}/`)).body).toMatchObject({ username: 'root', su_from: null })
})
