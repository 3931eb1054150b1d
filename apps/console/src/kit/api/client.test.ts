import { expect, onTestFinished, test, vi } from 'vitest'
import { api, apiAddress } from './client.ts'
import { csrfToken, readCookie } from './cookies.ts'
import { detailPath, listPath } from './resource.ts'

test('addresses: relative paths lie under /api/v1/, empty values are dropped and texts trimmed', () => {
  expect(apiAddress('users/users/', { search: ' ann ', order: '', limit: 15, oid: undefined })).toBe(
    '/api/v1/users/users/?search=ann&limit=15',
  )
  expect(apiAddress('/core/auth/login/', {})).toBe('/core/auth/login/')
  expect(apiAddress('assets/platforms/?category=host', { ids: [1, 2] })).toBe(
    '/api/v1/assets/platforms/?category=host&ids=1%2C2',
  )
})

test('detail paths keep the query of the list they belong to', () => {
  expect(listPath('users/users')).toBe('users/users/')
  expect(detailPath('acls/login-acls/?user=7', 'a b')).toBe('acls/login-acls/a%20b/?user=7')
})

test('the CSRF token is found under the prefix the server names', () => {
  const cookies =
    'SESSION_COOKIE_NAME_PREFIX="x_"; x_csrftoken=abc; jms_csrftoken=old; jms_public_key="TEVZ=="'
  expect(csrfToken(cookies)).toBe('abc')
  expect(csrfToken('jms_csrftoken=old')).toBe('old')
  expect(readCookie('jms_public_key', cookies)).toBe('TEVZ==')
})

test('every call tells the time zone and is given up after a minute; it answers what the body holds, or the whole answer', async () => {
  const sent: RequestInit[] = []
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('fetch', (_address: string, options: RequestInit) => {
    sent.push(options)
    return Promise.resolve(Response.json({ name: 'Ann' }))
  })
  const given = vi.spyOn(AbortSignal, 'timeout')
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
  expect(await api.get('users/profile/')).toEqual({ name: 'Ann' })
  expect(given).toHaveBeenCalledWith(60_000)
  expect(new Headers(sent[0]?.headers).get('x-tz')).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
  const whole = await api.raw('users/profile/')
  expect(whole).toBeInstanceOf(Response)
  await whole.text()
})
