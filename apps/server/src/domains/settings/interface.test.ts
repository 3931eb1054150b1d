import { ownPictures, themeColors } from '@sallyport/contract'
import { beforeEach, expect, test } from 'vitest'
import { startTestSystem } from '../../testing.ts'
import { addPerson } from '../../testing-people.ts'

const system = await startTestSystem()
const admin = await system.admin()
const page = 'xpack/interface/setting/'
const png = (more = 'a') =>
  Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from(more)])
const formOf = (fields: Record<string, string | Buffer<ArrayBuffer>>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    form.set(name, typeof value === 'string' ? value : new File([value], 'picture.svg'))
  return form
}
const told = async () => (await system.client().get('settings/public/open/')).body['INTERFACE']
const kept = async () =>
  (await system.database.pool.query<{ file: string }>('select file from pictures order by file')).rows

beforeEach(async () => {
  expect(await admin.put(`${page}restore/`)).toMatchObject({ status: 200 })
})

test('what is set is what anybody is told before signing in', async () => {
  const sent = formOf({
    login_title: 'Works gate',
    theme: 'classic_blue',
    logo_index: png(),
    favicon: png('b'),
  })
  const saved = await admin.put(page, sent)
  expect(saved.status).toBe(200)
  expect(await told()).toMatchObject({
    login_title: 'Works gate',
    theme: 'classic_blue',
    theme_info: { colors: themeColors.classic_blue },
    logo_index: saved.body['logo_index'],
    logo_logout: ownPictures.logo_logout,
  })
  const picture = await system.client().get(String(saved.body['logo_index']))
  expect(picture).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    },
  })
  expect(picture.bytes.equals(png())).toBe(true)
  // What is not sent stays, and what is no longer shown goes.
  await admin.patch(page, formOf({ logo_index: png('c') }))
  expect(await told()).toMatchObject({ login_title: 'Works gate', favicon: saved.body['favicon'] })
  expect((await system.client().get(String(saved.body['logo_index']))).status).toBe(404)
  expect(await kept()).toHaveLength(2)
  const log = (await admin.get('audits/operate-logs/?resource_type=xpack.interface&limit=5')).body['results']
  expect(log?.[0]?.['action']?.['value']).toBe('update')
})

test("the title is everybody's own language until one is set", async () => {
  const open = async (language: string) =>
    String(
      (await system.client().get('settings/public/open/', { language })).body['INTERFACE']?.['login_title'],
    )
  const title = (await admin.get(page)).body['login_title']
  await admin.patch(page, { login_title: title, theme: 'graphite' })
  expect(await open('zh')).toBe('Sallyport 特权访问')
  await admin.patch(page, { login_title: 'Works gate' })
  expect(await open('zh')).toBe('Works gate')
})

test.each<[string, Buffer<ArrayBuffer>]>([
  [
    'with a script in it',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  ],
  ['of HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['of text', Buffer.from('GIF')],
])('a picture %s is refused on its field, and nothing is another than before', async (_name, content) => {
  expect(
    await admin.put(page, formOf({ login_title: 'Lost', theme: 'graphite', favicon: content })),
  ).toMatchObject({
    status: 400,
    body: { favicon: ['Choose a picture: PNG, JPEG, GIF, WebP or ICO.'] },
  })
  expect(await told()).toMatchObject({ theme: 'classic_green', favicon: ownPictures.favicon })
  expect(await kept()).toEqual([])
})

test('a picture that is too large, a theme there is not and a title too long are told on their fields', async () => {
  const answer = await admin.patch(
    page,
    formOf({ login_title: 'x'.repeat(129), theme: 'pink', login_image: png('x'.repeat(1 << 20)) }),
  )
  expect(answer.status).toBe(400)
  expect(Object.keys(answer.body).toSorted()).toEqual(['login_image', 'login_title', 'theme'])
})

test('what caches keep for everybody gives nobody a cookie: pictures and the files of pages', async () => {
  const saved = await admin.patch(page, formOf({ favicon: png() }))
  const cookiesOf = async (path: string) => {
    const { headers } = await system.client().get(path)
    return headers['set-cookie']
  }
  for (const path of [String(saved.body['favicon']), '/ui/assets/index-1.js', '/ui/favicon.svg?v=1'])
    expect([path, await cookiesOf(path)]).toEqual([path, undefined])
  for (const path of ['/ui/', '/ui/console/users', '/core/auth/login/'])
    expect([path, await cookiesOf(path)]).toEqual([path, expect.anything()])
})

test('nothing else lies where the pictures are', async () => {
  for (const path of ['none.png', '..%2f..%2fetc%2fpasswd', '%00'])
    expect([path, (await system.client().get(`/media/interface/${path}`)).status]).toEqual([path, 404])
})

test('the themes are told with their colours; only who looks after the interface changes it, with a licence', async () => {
  expect((await admin.get(`${page}themes/`)).body).toContainEqual({
    name: 'graphite',
    colors: themeColors.graphite,
  })
  const person = await (await addPerson(system, admin)).signedIn()
  for (const answer of [
    await person.get(page),
    await person.patch(page, {}),
    await person.put(`${page}restore/`),
  ])
    expect(answer.status).toBe(403)
  await admin.delete('xpack/license/detail/')
  expect(await admin.patch(page, { theme: 'graphite' })).toMatchObject({
    status: 403,
    body: { code: 'license_required' },
  })
  expect((await admin.get(page)).status).toBe(200)
})
