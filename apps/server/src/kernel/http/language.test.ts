import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { serveLanguages } from './language.ts'

const app = Fastify()
await app.register(cookie)
serveLanguages(app)
const follow = async (url: string, referer?: string) => {
  const { headers, cookies, statusCode } = await app.inject({
    url,
    headers: { host: 'bastion.example', ...(referer !== undefined && { referer }) },
  })
  return { statusCode, to: headers.location, cookie: cookies[0]?.value }
}

test('a link that switches the language leads back to the page it stood on, in that language', async () => {
  expect(await follow('/core/i18n/zh-hans/', 'http://bastion.example/ui/profile/info?a=b')).toEqual({
    statusCode: 302,
    to: '/ui/profile/info?a=b',
    cookie: 'zh-hans',
  })
  expect(await follow('/core/i18n/ja/')).toEqual({ statusCode: 302, to: '/', cookie: 'ja' })
})

test('it leads to no other site, and knows no other languages', async () => {
  for (const referer of ['http://evil.example/x', 'http://bastion.example//evil.example/', 'no address'])
    expect(await follow('/core/i18n/en/', referer)).toMatchObject({ to: '/', cookie: 'en' })
  expect(await follow('/core/i18n/tlh/')).toEqual({ statusCode: 302, to: '/', cookie: undefined })
})
