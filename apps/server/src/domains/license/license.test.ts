import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { maxLicenceBytes } from '@sallyport/contract'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startTestSystem } from '../../testing.ts'
import { addPerson } from '../../testing-people.ts'

const script = join(import.meta.dirname, '../../../../../scripts/sign-licence.mjs')
const folder = mkdtempSync(join(tmpdir(), 'sallyport-licence-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const run = (...args: string[]) => execFileSync(process.execPath, [script, ...args], { encoding: 'utf8' })

/** Somebody who issues licences, as docs/licences.md tells. */
function issuer(name: string) {
  const key = join(folder, `${name}.pem`)
  const [, publicKey = ''] = run('key', key).trim().split('KEY=')
  return {
    publicKey,
    licence: (fields: Record<string, unknown> = {}) => {
      const file = join(folder, 'licence.json')
      writeFileSync(
        file,
        JSON.stringify({ corporation: 'Example Works', date_expired: '2100-01-01', ...fields }),
      )
      return run('sign', key, file)
    },
  }
}
const ours = issuer('ours')

const system = await startTestSystem({ env: { SALLYPORT_LICENSE_KEY: ours.publicKey } })
const admin = await system.admin()
const detail = 'xpack/license/detail/'
const imported = (content: string | Uint8Array<ArrayBuffer>, by = admin) => {
  const form = new FormData()
  form.set('file', new File([content], 'works.lic'))
  return by.post('xpack/license/import', form)
}
const publicSettings = async () => (await admin.get('settings/public/')).body
const operations = async () =>
  (await admin.get('audits/operate-logs/?resource_type=xpack.license&limit=20')).body['results']?.map(
    ({ action, user }) => [action?.['value'], user],
  )

beforeEach(async () => {
  await system.database.pool.query(`delete from settings where name = 'LICENSE_FILE'`)
  await admin.patch('settings/setting/?category=basic', {
    GLOBAL_ORG_DISPLAY_NAME: `All ${Math.random()}`,
  })
})

test('the licence for test is called so in every language', async () => {
  for (const [language, corporation, edition] of [
    ['en', 'license for test', 'Test'],
    ['zh', '测试许可证', '测试版'],
    ['ja', 'テスト用ライセンス', 'テスト版'],
  ] as const) {
    const asked = { headers: { 'accept-language': language } }
    expect((await admin.get('xpack/license/detail', asked)).body).toMatchObject({ corporation, edition })
    const { body } = await admin.get('settings/public/', asked)
    expect(body['XPACK_LICENSE_INFO']).toEqual({ corporation })
  }
})

test('a fresh install holds a licence for test, so that everything works', async () => {
  expect(await publicSettings()).toMatchObject({
    XPACK_LICENSE_IS_VALID: true,
    XPACK_LICENSE_INFO: { corporation: 'license for test' },
  })
  const { body } = await admin.get('xpack/license/detail')
  expect(body).toMatchObject({ corporation: 'license for test', date_expired: '', edition: 'Test' })
  expect(Number(body['asset_count'])).toBeGreaterThan(Number(body['current_asset_count']))
})

test('a licence that the issuer signed is imported from a file, and is in the books', async () => {
  const file = ours.licence({ asset_count: 500, subscription_id: 'S-1', serial_no: '7', remark: 'Two sites' })
  expect(await imported(file)).toMatchObject({
    status: 200,
    body: { status: true, msg: 'The licence was imported.' },
  })
  expect((await admin.get(detail)).body).toEqual({
    subscription_id: 'S-1',
    corporation: 'Example Works',
    date_expired: '2100-01-01',
    asset_count: 500,
    current_asset_count: 0,
    edition: 'Enterprise',
    serial_no: '7',
    remark: 'Two sites',
  })
  expect(await publicSettings()).toMatchObject({
    XPACK_LICENSE_IS_VALID: true,
    XPACK_LICENSE_INFO: { corporation: 'Example Works' },
  })
  expect(await operations()).toContainEqual(['update', 'Administrator(admin)'])
})

test.each<[string, () => string | Uint8Array<ArrayBuffer>, string]>([
  ['signed by somebody else', () => issuer('theirs').licence(), 'signature'],
  [
    'changed after it was signed',
    () => {
      const [head, , signature] = ours.licence().split('.')
      const claims = Buffer.from(JSON.stringify({ corporation: 'Thieves', date_expired: '2100-01-01' }))
      return [head, claims.toString('base64url'), signature].join('.')
    },
    'signature',
  ],
  [
    'that names no signature',
    () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.e30`,
    'no licence file',
  ],
  ['expired', () => ours.licence({ date_expired: '2020-02-29' }), 'expired on 2020-02-29'],
  ['for a number of assets there is not', () => ours.licence({ asset_count: -1 }), 'no licence file'],
  ['of another kind', () => new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255, 254]), 'no licence file'],
  ['that is empty', () => '', 'empty'],
  ['that is far too long', () => 'a'.repeat(maxLicenceBytes + 1), 'too large'],
])('a file %s is refused on its field, and nothing is another than before', async (name, made, said) => {
  const file = made()
  if (name === 'signed by somebody else') rmSync(join(folder, 'theirs.pem'))
  const answer = await imported(file)
  expect(answer.status).toBe(400)
  expect(Object.keys(answer.body)).toEqual(['file'])
  expect(String(answer.body['file']?.[0])).toContain(said)
  expect((await admin.get(detail)).body).toMatchObject({ corporation: 'license for test' })
})

test('what is no form with a file is refused', async () => {
  expect(await admin.post('xpack/license/import/', { file: 'text' })).toMatchObject({
    status: 400,
    body: { file: ['Choose a file.'] },
  })
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const asked = (body: string) => admin.post('xpack/license/import/', body, { headers })
  expect(await asked('--x\r\nnonsense')).toMatchObject({ status: 400, body: { code: 'parse_error' } })
  const part = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\na\r\n'
  expect(await asked(`${part}${part}--x--\r\n`)).toMatchObject({
    status: 400,
    body: { file: ['Give this only once.'] },
  })
  expect(await asked(`${part.repeat(10_001)}--x--\r\n`)).toMatchObject({
    status: 400,
    body: { code: 'parse_error' },
  })
  expect((await imported('a'.repeat(2_000_000))).status).toBe(413)
})

test('without a licence it is the community edition: what is licensed is read, and not written', async () => {
  const role = (await admin.post('rbac/system-roles/', { name: 'Watchers', scope: 'system' })).body['id']
  expect((await admin.delete(detail)).status).toBe(204)
  expect(await publicSettings()).toMatchObject({
    XPACK_LICENSE_IS_VALID: false,
    XPACK_LICENSE_INFO: { corporation: 'Sallyport' },
  })
  expect((await admin.get(detail)).body).toMatchObject({ corporation: '', asset_count: null })
  const refused = { status: 403, body: { code: 'license_required' } }
  expect(await admin.post('orgs/orgs/', { name: 'Branch' })).toMatchObject(refused)
  expect(await admin.post('rbac/org-roles/', { name: 'Helpers' })).toMatchObject(refused)
  expect(await admin.patch(`rbac/system-roles/${String(role)}/`, { name: 'x' })).toMatchObject(refused)
  expect(await admin.delete(`rbac/system-roles/${String(role)}/`)).toMatchObject(refused)
  for (const path of ['orgs/orgs/', 'rbac/system-roles/', 'audits/operate-logs/', 'terminal/sessions/'])
    expect([path, (await admin.get(path)).status]).toEqual([path, 200])
  expect(await operations()).toContainEqual(['delete', 'Administrator(admin)'])
  expect((await imported(ours.licence())).status).toBe(200)
  expect((await admin.delete(`rbac/system-roles/${String(role)}/`)).status).toBe(204)
})

test('without a licence no sign-in is put before reviewers by a new rule, and one that is there is not changed', async () => {
  const person = await addPerson(system, admin)
  const reviewer = await addPerson(system, admin)
  const rule = { name: 'Ask', user: person.id, reviewers: [reviewer.id], rules: {} }
  const offered = async () =>
    (await admin.options('acls/login-acls/')).body['actions']?.['POST']?.['action']?.['choices']?.map(
      ({ value }) => value,
    )
  expect(await offered()).toContain('review')
  const there = await admin.post('acls/login-acls/', { ...rule, name: 'There', action: 'review' })
  expect(there.status).toBe(201)
  const path = `acls/login-acls/${String(there.body['id'])}/`
  await admin.delete(detail)
  expect(await offered()).toEqual(['reject', 'accept', 'notice'])
  expect(await admin.post('acls/login-acls/', { ...rule, action: 'review' })).toMatchObject({
    status: 400,
    body: { action: ['"review" is not a valid choice.'] },
  })
  expect((await admin.post('acls/login-acls/', { ...rule, action: 'notice' })).status).toBe(201)
  // The one that is there goes on asking, can be read and taken away, and is not changed.
  const refused = { status: 403, body: { code: 'license_required' } }
  for (const change of [{ name: 'Another' }, { is_active: false }, { action: 'accept' }])
    expect(await admin.patch(path, change)).toMatchObject(refused)
  expect(await admin.put(path, { ...rule, action: 'review' })).toMatchObject({ status: 400 })
  expect((await admin.get(path)).body).toMatchObject({ name: 'There', action: { value: 'review' } })
  expect((await admin.delete(path)).status).toBe(204)
})

test('a licence ends on its day: it is still shown, and allows nothing', async () => {
  const file = ours.licence({ date_expired: '2020-01-01' }).trim()
  await system.database.pool.query(
    `insert into settings (name, value, category) values ('LICENSE_FILE', to_jsonb($1::text), 'internal')`,
    [file],
  )
  await admin.patch('settings/setting/?category=basic', { GLOBAL_ORG_DISPLAY_NAME: 'All that is' })
  expect(await publicSettings()).toMatchObject({ XPACK_LICENSE_IS_VALID: false })
  expect((await admin.get(detail)).body).toMatchObject({
    corporation: 'Example Works',
    date_expired: '2020-01-01',
  })
  expect((await admin.post('orgs/orgs/', { name: 'Branch' })).status).toBe(403)
})

test('only who looks after the licence sees it, brings one and takes it away', async () => {
  const person = await (await addPerson(system, admin)).signedIn()
  for (const answer of [
    await person.get(detail),
    await person.delete(detail),
    await imported(ours.licence(), person),
  ])
    expect(answer.status).toBe(403)
})

test('where no issuer is known no licence is taken', async () => {
  const other = await startTestSystem()
  const form = new FormData()
  form.set('file', new File([ours.licence()], 'works.lic'))
  const answer = await (await other.admin()).post('xpack/license/import/', form)
  expect(answer.status).toBe(400)
  expect(String(answer.body['file']?.[0])).toContain('SALLYPORT_LICENSE_KEY')
})
