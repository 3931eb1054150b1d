/** A link that switches the language, as pages of the compatible system have it. */
import { cookies, languageCookieSeconds, languageOf, languageTags } from '@sallyport/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'

export function serveLanguages(app: FastifyInstance): void {
  app.get<{ Params: { language: string } }>('/core/i18n/:language/', (request, reply) => {
    const language = languageOf(request.params.language)
    if (language !== undefined)
      reply.setCookie(cookies.language, languageTags[language], {
        path: '/',
        sameSite: 'lax',
        secure: request.protocol === 'https',
        maxAge: languageCookieSeconds,
      })
    return reply.redirect(whereFrom(request))
  })
}

/** The page of this site the link stood on; the first page for a link on another. */
function whereFrom({ headers, host }: FastifyRequest): string {
  const from = URL.parse(headers.referer ?? '')
  // A path that begins with two slashes would be another site.
  return from?.host === host && !from.pathname.startsWith('//') ? `${from.pathname}${from.search}` : '/'
}
