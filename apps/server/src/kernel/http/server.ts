/**
 * The server, put together. The way of a request: authenticate → CSRF → organization (`enter.ts`) → permission (`access.ts`) → parse →
 * handler (in a transaction when it writes) → answer (`carry-out.ts`). Deny is the default at every step: a route without declared access
 * cannot be registered.
 */
import cookie from '@fastify/cookie'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Context } from '../context.ts'
import type { Domain } from '../domain.ts'
import { codeOf } from '../failure.ts'
import type { Services } from '../services.ts'
import { admit } from './access.ts'
import { addRoute, publicBodyLimit } from './add-route.ts'
import { aliasesOf } from './aliases.ts'
import { bodyBounds, type BodyBounds, watchBodies } from './bodies.ts'
import { compressed } from './compression.ts'
import { boundedServer, connectionBounds, type ConnectionBounds } from './connections.ts'
import { isConsolePage, isFile, sendPage, serveConsole } from './console.ts'
import { readTypes, refuseEncoded } from './content-types.ts'
import { enter } from './enter.ts'
import { answerFailure } from './failures.ts'
import type { Parts } from './health.ts'
import { serveLanguages } from './language.ts'
import { messageBounds, type MessageBounds, Messages } from './messages.ts'
import type { Route } from './route.ts'
import { servedRoutes } from './served-routes.ts'
import { checkedBody } from './signed-body.ts'
import { addSocket, allowSockets, checkOrigin } from './sockets.ts'
import { answerUnreadable, methods, noSuchMethod, securityHeaders } from './unreadable.ts'
import type { WriteBounds } from './writing.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Route['access']
    isUnsafe?: Route['isUnsafe']
  }
  interface FastifyRequest {
    /** Set once the caller is admitted. */
    context: Context | undefined
  }
}

/** Of answers only those are logged that broke off after they had begun, by a fault of ours. */
class OnlyBroken extends LogController {
  override streamError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE')
      reply.log.error(
        { err: error, method: request.method, path: request.url.split('?')[0] },
        'an answer broke off',
      )
  }
}

/** The HTTP server with everything the domains serve; not listening yet. */
export async function buildServer(
  services: Services,
  domains: readonly Domain[],
  options: {
    consoleDir?: string | undefined
    health?: () => Promise<Parts>
    /** Others than usual, for tests. */
    bodies?: Partial<BodyBounds>
    writes?: WriteBounds
    connections?: Partial<ConnectionBounds>
    messages?: Partial<MessageBounds>
  } = {},
): Promise<FastifyInstance> {
  const log: FastifyBaseLogger = services.log
  const withoutAlias = aliasesOf(domains)
  const sockets = new Map(
    domains.flatMap((domain) => domain.sockets ?? []).map((socket) => [socket.path, socket]),
  )
  const isSocket = (url: string) => {
    const [path = ''] = url.split('?', 1)
    return sockets.has(path.endsWith('/') ? path : `${path}/`)
  }
  const app = Fastify({
    loggerInstance: log,
    logController: new OnlyBroken({ disableRequestLogging: true }),
    bodyLimit: publicBodyLimit,
    serverFactory: (answer) =>
      boundedServer(
        { ...connectionBounds(), ...options.connections },
        { log: services.log, isSocket },
        answer,
      ),
    // A proxy on this machine may tell who is behind it; nobody else may.
    trustProxy: 'loopback',
    rewriteUrl: ({ url = '' }) => withoutAlias(url),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 256 },
    // An address that cannot be decoded never reaches a route, nor the error handler.
    frameworkErrors: (error, request, reply) => void answerFailure(services, error, request, reply),
    clientErrorHandler: answerUnreadable,
  })
  await app.register(cookie)
  readTypes(app)
  app.decorateRequest('context', undefined)
  app.decorateRequest('signedDigest', undefined)
  app.setErrorHandler((error, request, reply) => answerFailure(services, error, request, reply))
  serveLanguages(app)
  await allowSockets(app)
  const hasConsole = options.consoleDir !== undefined && (await serveConsole(app, options.consoleDir))
  app.setNotFoundHandler((request, reply) => {
    if (!methods.includes(request.method))
      return answerFailure(services, noSuchMethod(request.method), request, reply)
    return hasConsole && isConsolePage(request.method, request.url)
      ? sendPage(reply, 'index.html')
      : reply.code(404).send({ error: 'Not found' })
  })
  app.addHook('onRequest', (request, reply, done) => {
    dropWhatIsNone(request)
    reply.headers(securityHeaders)
    // As the router understood it, whatever is encoded in it.
    const address = request.routeOptions.url ?? request.url
    // What the API answers is one caller's, as of now, and may be a secret.
    if (/^\/(api|core)\//.test(address)) reply.header('Cache-Control', 'no-store')
    if (request.method === 'GET' && !address.startsWith('/api/') && !isFile(request.url))
      services.gatekeeper.greet(request, reply)
    done()
  })
  app.addHook('onSend', compressed)
  const watched = watchBodies({ ...bodyBounds, ...options.bodies })
  app.addHook('preParsing', async (request, reply, payload) => {
    refuseEncoded(request)
    const body = watched(request, reply, payload)
    return request.signedDigest === undefined ? body : checkedBody(request, body)
  })
  app.addHook('onRoute', (options) => {
    if (options.url.startsWith('/api') && options.config?.access === undefined)
      throw new Error(`${String(options.method)} ${options.url} declares no access`)
  })

  for (const domain of domains) {
    if (domain.onRecord) services.events.onRecord(domain.onRecord)
    if (domain.onCommitted) services.events.onCommitted(domain.onCommitted)
  }
  const { own, others } = servedRoutes(domains, services, options.health)
  for (const route of own) addRoute(app, services, route, options.writes)
  for (const route of others) addRoute(app, services, route)
  const messages = new Messages({ ...messageBounds, ...options.messages })
  for (const socket of sockets.values())
    addSocket(
      app,
      socket,
      async (request) => {
        const context = await enter(services, request)
        admit(socket.access, context, `GET ${socket.path}`, () => false)
        checkOrigin(socket, request, context)
        return context
      },
      { gatekeeper: services.gatekeeper, messages },
    )
  // The older form of an address.
  app.all('/api/:app/v1/*', { config: { access: 'public' } }, (request, reply) => {
    // As it was sent, with its closing slash.
    return reply.redirect(request.url.replace(/^\/api\/([^/]*)\/v1\//, '/api/v1/$1/'), 307)
  })
  return app
}

const host = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i
/** What a proxy says clients asked for, and how, where that is no host and no scheme of the web: addresses are made of it. */
function dropWhatIsNone({ raw: { headers } }: FastifyRequest): void {
  const told = (name: string) => [headers[name] ?? ''].flat().join(',').split(',').at(-1)?.trim() ?? ''
  if (!host.test(told('x-forwarded-host'))) delete headers['x-forwarded-host']
  if (!/^https?$/.test(told('x-forwarded-proto'))) delete headers['x-forwarded-proto']
}
