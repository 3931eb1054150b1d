/** What a browser shows of a captcha, and plays of it. */
import { signInPages } from '@sallyport/contract/addresses'
import { z } from 'zod'
import { ApiError } from '../../../kernel/errors.ts'
import { route, type RouteByHand } from '../../../kernel/http/route.ts'
import type { Secrets } from '../../../kernel/secrets/index.ts'
import { digitsOf, newCaptcha } from './captcha.ts'
import { drawDigits } from './picture.ts'
import { playDigits } from './sound.ts'

const shown = [
  { name: 'image', type: 'image/png', make: drawDigits },
  { name: 'audio', type: 'audio/wav', make: playDigits },
] as const
const addressOf = (name: 'image' | 'audio', key: string) => `/core/auth/captcha/${name}/${key}/`

export const captchaRoutes = (secrets: Secrets): RouteByHand[] => [
  route({
    method: 'GET',
    path: signInPages.newCaptcha,
    access: 'public',
    byHand: 'captchas: an address of the sign-in pages',
    handler: (_ctx, { request, reply }) => {
      // A page of another site cannot send it.
      if (request.headers['x-requested-with'] !== 'XMLHttpRequest') throw new ApiError(404, 'not_found')
      const key = newCaptcha(secrets, request)
      reply.header('Cache-Control', 'no-store')
      return Promise.resolve({ key, image_url: addressOf('image', key), audio_url: addressOf('audio', key) })
    },
  }),
  ...shown.map(({ name, type, make }) =>
    route({
      method: 'GET',
      path: addressOf(name, ':key'),
      access: 'public',
      byHand: 'captchas: a file',
      params: z.object({ key: z.string().max(256) }),
      handler: (_ctx, { params, reply }) => {
        const told = digitsOf(secrets, params.key)
        if (told === undefined) throw new ApiError(404, 'not_found')
        reply.type(type).header('Cache-Control', 'no-store')
        return Promise.resolve(make(told.digits))
      },
    }),
  ),
]
