/** Accounts in files: filled in, sent back, and exported with their secrets by who has just said who they are. */
import { rootOrgId } from '@sallyport/contract'
import { beforeAll, expect, test } from 'vitest'
import { confirm } from '../../testing-people.ts'
import { adminPassword, startTestSystem, type TestClient } from '../../testing.ts'

const system = await startTestSystem()
let admin: TestClient
let asset = ''
beforeAll(async () => {
  admin = await system.admin()
  const host = { name: 'web', address: '192.0.2.1', platform: 1 }
  asset = String((await admin.post('assets/hosts/', host)).body['id'])
})

const list = 'accounts/accounts/'
const headOf = ({ bytes }: { bytes: Buffer }) => bytes.toString('utf8').replace('\uFEFF', '').split('\r\n')[0]
/** The rows of a file as the console sends them, one by one. */
async function rowsOf(file: Buffer | string) {
  const answer = await admin.post(`${list}render-to-json/`, Buffer.from(file), {
    headers: { 'content-type': 'text/csv' },
  })
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  return answer.body['data'] ?? []
}

test('accounts are made from a filled-in file, and changed by one, which leaves secrets that are not in it', async () => {
  const template = headOf(await admin.get(`${list}?format=csv&template=import`))
  for (const column of ['Name', 'Username', 'Secret type', 'Secret', 'Passphrase', 'Asset', 'Privileged'])
    expect(template).toContain(column)
  const file = `*Name,Username,*Secret type,Secret,*Asset,Privileged\r\nroot,root,password,Root-secret-1,web(${asset}),Yes`
  const [row] = await rowsOf(file)
  const made = await admin.post(list, row)
  expect(made, JSON.stringify(made.body)).toMatchObject({
    status: 201,
    body: { name: 'root', has_secret: true, privileged: true, asset: { id: asset } },
  })
  const id = String(made.body['id'])
  const update = await admin.get(`${list}?format=csv&template=update&id=${id}`)
  expect(update.bytes.toString('utf8')).not.toContain('Root-secret-1')
  const text = update.bytes.toString('utf8').replace(',root,', ',superuser,')
  const [changed] = await rowsOf(text)
  const answer = await admin.put(`${list}${id}/`, changed)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({
    status: 200,
    body: { name: 'superuser', username: 'root', has_secret: true, privileged: true },
  })
})

test('an export of accounts without secrets says nothing of them, and one with them waits for a confirmation', async () => {
  const body = { name: 'told', username: 'told', secret_type: 'password', secret: 'Told-secret-1', asset }
  expect((await admin.post(list, body)).status).toBe(201)
  expect((await admin.get(`${list}?format=csv`)).bytes.toString('utf8')).not.toContain('Told-secret-1')
  admin = await system.admin()
  const secrets = 'accounts/account-secrets/?format=csv&username=told'
  expect(await admin.get(secrets)).toMatchObject({ status: 400, body: { code: 'mfa' } })
  await confirm(admin, adminPassword)
  const file = (await admin.get(secrets)).bytes.toString('utf8')
  expect(file).toContain('Told-secret-1')
  expect(file).toContain(`web(${asset})`)
  const books = await admin.get('audits/operate-logs/?action=view&search=Export', { org: rootOrgId })
  expect(books.body.map(({ resource }) => resource)).toContain('Export filtered: username=told')
})
