/** Serves the built console: hashed files for a year, pages always fresh, addresses of the application by its page. */
import { downloadsPage, signInPages } from '@sallyport/contract/addresses'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

export const consoleDir = fileURLToPath(new URL('../../../../console/dist/', import.meta.url))

/** Only our own scripts; styles inline because the component library writes them at run time. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "object-src 'none'",
].join('; ')

export const sendPage = (reply: FastifyReply, file: 'index.html' | 'luna.html') =>
  reply.header('Content-Security-Policy', contentSecurityPolicy).sendFile(file, { cacheControl: false })

/** Everything a person meets before being signed in is one page. */
const pagesOfSignIn = [
  ...['', 'mfa/', 'wait-confirm/'].map((step) => `${signInPages.signIn}${step}`),
  signInPages.forgotten,
  signInPages.resetPassword,
]

const pagesElsewhere = {
  [downloadsPage]: '/ui/downloads',
  '/core/auth/profile/mfa/': '/ui/profile/login-security',
  '/core/auth/profile/otp/enable/start/': '/ui/profile/login-security',
  '/core/auth/profile/otp/disable/': '/ui/profile/login-security',
  // A link makes no key: that takes a press on the page.
  '/core/auth/profile/pubkey/generate/': '/ui/profile/setting?activeTab=SSHUpdate',
}

/** @returns whether there is a built console to serve */
export async function serveConsole(app: FastifyInstance, root: string): Promise<boolean> {
  if (!existsSync(root)) {
    app.log.warn('the console is not built; only the API is served (npm run build)')
    return false
  }
  await app.register(fastifyStatic, {
    root,
    prefix: '/ui/',
    wildcard: true,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/')
      void reply.header('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  for (const path of ['/ui/', ...pagesOfSignIn])
    app.get(path, (_request, reply) => sendPage(reply, 'index.html'))
  for (const path of ['/luna/', '/luna/*']) app.get(path, (_request, reply) => sendPage(reply, 'luna.html'))
  // Where the compatible system shows the log of a task.
  app.get<{ Params: { type: string; id: string } }>(
    '/core/ops/:type(^(?:celery|ansible|task)$)/task/:id(^[\\w-]{1,64}$)/log/',
    ({ params }, reply) => reply.redirect(`/ui/ops/${params.type}/task/${params.id}/log/`),
  )
  // Pages of its own in the compatible system; here they are the console's.
  for (const [path, page] of Object.entries(pagesElsewhere))
    app.get(path, (_request, reply) => reply.redirect(page))
  app.get('/', (_request, reply) => reply.redirect('/ui/'))
  return true
}

/** Whether an unknown address is one of the console's own pages rather than a missing file. */
export const isConsolePage = (method: string, url: string) =>
  method === 'GET' && url.startsWith('/ui/') && !url.startsWith('/ui/assets/')

/** Whether an address is that of a picture or file anybody may keep, rather than of a page: it gives no cookie, which a cache would hand on. */
export const isFile = (url: string) => /^\/(?:media\/|ui\/[^?]*\.\w+(?:\?|$))/.test(url)
