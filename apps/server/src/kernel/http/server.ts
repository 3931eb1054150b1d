/**
 * The way of a request: authenticate → CSRF → organization → permission → parse → handler (in a transaction when it writes) → answer.
 * Deny is the default at every step: a route without declared access cannot be registered.
 */
import { isIP } from 'node:net'
import { parse as parseQuery } from 'node:querystring'
import { Readable } from 'node:stream'
import cookie from '@fastify/cookie'
import {
  cookies,
  defaultSettings,
  headers,
  languageOf,
  listUrl,
  modelOf,
  rootOrgId,
  timeZoneOf,
} from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { type Context, createContext } from '../context.ts'
import {
  type Executor,
  readStatementMs,
  type Transaction,
  workFor,
  workForCaller,
} from '../database/index.ts'
import type { Domain } from '../domain.ts'
import { ApiError } from '../errors.ts'
import { codeOf } from '../failure.ts'
import { callRoutes, type Serving } from '../resource/calls.ts'
import { routesOf } from '../resource/serve.ts'
import { selectionRoute } from '../resource/selection.ts'
import { routesOfOne } from '../resource/singleton.ts'
import type { Services } from '../services.ts'
import { sendsTable } from '../transfer/import.ts'
import { admit } from './access.ts'
import { bodyOf, queryOf, paramsOf } from './parse.ts'
import { checkedBody } from './signed-body.ts'
import { bodyBounds, type BodyBounds, watchBodies } from './bodies.ts'
import { compressed } from './compression.ts'
import { boundedServer, connectionBounds, type ConnectionBounds } from './connections.ts'
import { isConsolePage, isFile, sendPage, serveConsole } from './console.ts'
import { answerFailure } from './failures.ts'
import { asSent } from './json.ts'
import { type File, FileAnswer, Reply, type Route } from './route.ts'
import { bareMetadata, declaredBy, type MetadataRoute, metadataRoutes } from './metadata.ts'
import { healthRoute, type Parts } from './health.ts'
import { serveLanguages } from './language.ts'
import { messageBounds, type MessageBounds, Messages } from './messages.ts'
import { openApiRoute } from './openapi.ts'
import { readInTurn } from './reading.ts'
import { formBytesOf, formOf, formRead, sendsForm, sendsTexts, textsBytes, textsOf } from './forms.ts'
import { answerUnreadable, methods, noSuchMethod, securityHeaders } from './unreadable.ts'
import { addSocket, allowSockets, checkOrigin } from './sockets.ts'
import { aheadOfWrite, type WriteBounds, writeBounds, writeForCaller } from './writing.ts'

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

const defaultBodyLimit = 1 << 20
/** Of what anybody may send: it is read before anything is known of who sends it, and while it is parsed everybody waits. */
const publicBodyLimit = 32 << 10
const unsafe = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

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
  // Bodies of other types are handed over as streams, to routes that ask for them.
  app.removeContentTypeParser(['text/plain', 'application/json'])
  const parser = app.getDefaultJsonParser('error', 'error')
  const parsed = (request: FastifyRequest, text: string) =>
    new Promise<unknown>((resolve, reject) => {
      void parser(request, text, (error, value) => (error ? reject(error) : resolve(value)))
    })
  // Clients that always name a type send none with nothing in it, too.
  const readJson = async (request: FastifyRequest, body: Buffer): Promise<unknown> => {
    if (body.length === 0) return {}
    const text = textOf(body)
    if (text === undefined) throw new ApiError(400, 'parse_error')
    return await readInTurn(request, body.length, () => parsed(request, text))
  }
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, readJson)
  const readTexts = async (request: FastifyRequest, body: string) =>
    await readInTurn(request, body.length, () => parseQuery(body, '&', '=', { maxKeys: 0 }))
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, readTexts)
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
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
    dropNoHost(request)
    reply.headers(securityHeaders)
    // What the API answers is one caller's, as of now, and may be a secret.
    if (/^\/(api|core)\//.test(request.url)) reply.header('Cache-Control', 'no-store')
    if (request.method === 'GET' && !request.url.startsWith('/api/') && !isFile(request.url))
      services.gatekeeper.greet(request, reply)
    done()
  })
  app.addHook('onSend', compressed)
  const watched = watchBodies({ ...bodyBounds, ...options.bodies })
  app.addHook('preParsing', async (request, reply, payload) => {
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
  const add = (route: Route) => {
    checkRecords(route)
    addRoute(app, services, route, options.writes)
  }
  const own: Route[] = [
    healthRoute(services.database, options.health, domains, '/api/health/'),
    healthRoute(services.database, options.health, domains, '/api/v1/health/'),
    selectionRoute,
    openApiRoute(domains),
    ...domains.flatMap((domain) => domain.routes ?? []),
    ...declaredCalls(domains, services),
  ]
  const taken = new Set(own.flatMap((route) => keysOf(route)))
  for (const served of domains.flatMap((domain) => domain.resources ?? [])) {
    const standard = routesOf(served, services.secrets)
    own.push(...standard.filter((route) => !keysOf(route).some((key) => taken.has(key))))
  }
  for (const one of domains.flatMap((domain) => domain.singletons ?? []))
    own.push(...routesOfOne(one, services.secrets))
  for (const route of own) add(route)
  refuseOthers(app, services, domains, own)
  const described = metadataRoutes(domains)
  const shapes = new Set(described.map(({ path }) => shapeOf(path)))
  const undescribed = own.filter(({ path }) => path.startsWith('/api/') && !shapes.has(shapeOf(path)))
  for (const route of [...described, ...bareMetadata(undescribed)]) addRoute(app, services, route)
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
/** What a proxy says clients asked for, where that is no host: addresses are made of it. */
function dropNoHost({ raw }: FastifyRequest): void {
  const told = [raw.headers['x-forwarded-host'] ?? ''].flat().join(',').split(',').at(-1)?.trim() ?? ''
  if (!host.test(told)) delete raw.headers['x-forwarded-host']
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** Undefined for what is no UTF-8: with other characters in the place of its own it would be stored as something else. */
function textOf(body: Buffer | string): string | undefined {
  try {
    return typeof body === 'string' ? body : utf8.decode(body)
  } catch {
    return undefined
  }
}

/** What is asked for by a resource's other address is asked for by its own. */
function aliasesOf(domains: readonly Domain[]): (url: string) => string {
  const all = domains
    .flatMap(({ resources = [], singletons = [] }) => [...resources, ...singletons])
    .flatMap(({ resource }) => {
      if (resource.alias === undefined) return []
      const [path = '', told = ''] = resource.alias.split('?')
      return [{ prefix: `/api/v1/${path}/`.replace('//', '/'), told: told.split('='), to: listUrl(resource) }]
    })
  return (url) => {
    const here = all.filter(({ prefix }) => url.startsWith(prefix))
    const [{ prefix, told: [name = ''], to } = { prefix: '', told: [], to: '' }] = here
    if (name === '') return url.replace(prefix, to)
    const [path, ...rest] = url.split('?')
    const query = rest.join('?')
    const given = new URLSearchParams(query).get(name)
    const meant = here.find(({ told }) => !given || told[1] === given)
    return path === prefix && meant ? `${meant.to}?${query}` : url
  }
}

const methodsOf = (route: Pick<Route, 'method'>): readonly string[] =>
  typeof route.method === 'string' ? [route.method] : route.method
const keysOf = (route: Route) => methodsOf(route).map((method) => `${method} ${route.path}`)

function declaredCalls(domains: readonly Domain[], { secrets, gatekeeper }: Services): Route[] {
  const byModel = new Map(
    domains.flatMap(({ resources = [] }) => resources).map((served) => [modelOf(served.resource), served]),
  )
  const serving: Serving = {
    secrets,
    bound: (model) => byModel.get(model),
    confirmed: (ctx, needed) => gatekeeper.checkConfirmed(ctx, needed),
  }
  return declaredBy(domains).flatMap(({ of, implementations, served }) =>
    callRoutes(of, implementations, served, serving),
  )
}
/** An address, whatever its parameters are called. */
const shapeOf = (path: string) => path.replaceAll(/:\w+/g, ':')
/** What an address of the API does not offer is answered 405, not 404; where anybody may call, to anybody. Pages are the console's. */
function refuseOthers(
  app: FastifyInstance,
  services: Services,
  domains: readonly Domain[],
  own: readonly Route[],
) {
  const ofResources = domains.flatMap(({ resources = [], singletons = [] }) => [
    ...resources.flatMap(({ resource }) => [listUrl(resource), `${listUrl(resource)}:id/`]),
    ...singletons.map(({ resource }) => listUrl(resource)),
  ])
  const byShape = Map.groupBy(own, ({ path }) => shapeOf(path))
  const paths = new Map(
    [...ofResources, ...own.map(({ path }) => path)]
      .filter((path) => path.startsWith('/api/'))
      .map((path) => [shapeOf(path), path]),
  )
  for (const [shape, path] of paths) {
    const here = byShape.get(shape) ?? []
    const offered = new Set(here.flatMap((route) => methodsOf(route)))
    // RFC 9110, 15.5.6.
    const headers = { allow: [...offered].join(', ') }
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)
      if (!offered.has(method))
        addRoute(app, services, {
          method,
          path,
          access: here.some(({ access }) => access === 'public') ? 'public' : 'valid_user',
          raw: true,
          handler: () =>
            Promise.reject(new ApiError(405, 'method_not_allowed', { params: { method }, headers })),
        })
  }
}

/** No write without saying what it leaves in the books. */
function checkRecords(route: Route): void {
  const isUnsafe = methodsOf(route).some((method) => method !== 'GET')
  const writes = route.transaction === true || (isUnsafe && route.reads !== true)
  if (writes && route.records === undefined)
    throw new Error(
      `${methodsOf(route).join('|')} ${route.path} writes, but does not say what it leaves in the books`,
    )
}

function addRoute(
  app: FastifyInstance,
  services: Services,
  route: Route | MetadataRoute,
  writes: WriteBounds = writeBounds,
) {
  const methods = Array.isArray(route.method)
    ? [...(route.method as readonly string[])]
    : [route.method as string]
  app.route({
    method: methods,
    url: route.path,
    bodyLimit: route.bodyLimit ?? (route.access === 'public' ? publicBodyLimit : defaultBodyLimit),
    config: { access: route.access, isUnsafe: route.isUnsafe },
    // Admitted before the body is read: nobody uploads 50 MB to be told to sign in.
    onRequest: async (request) => {
      request.context = await enter(services, request, 'unasked' in route)
      admit(route.access, request.context, `${request.method} ${route.path}`, () =>
        services.gatekeeper.holdsBootstrapToken(request),
      )
      if (!route.raw && sendsUntyped(request)) request.raw.headers['content-type'] = 'application/json'
    },
    handler: (request, reply) => {
      const person = personBehind(route, request)
      const work = () => carryOut(services, route, request, reply, writes, person)
      const limit = route.transaction ? {} : { statementMs: readStatementMs }
      return workFor(person === undefined ? undefined : { share: 'people', id: person, ...limit }, work)
    },
  })
}

/** Whose share of the connections a request takes: nobody's where anybody may call, as to sign in anew, and where a component speaks for many. */
function personBehind({ access }: Pick<Route, 'access'>, { context }: FastifyRequest): string | undefined {
  const identity = context?.identity
  return access === 'public' || identity?.isComponent === true ? undefined : identity?.id
}

/** Who sends something without a word what it is means JSON. */
const sendsUntyped = ({ headers }: FastifyRequest) =>
  headers['content-type'] === undefined &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

/** What is in force for whoever calls, which the database knows. */
async function lookedUp({ gatekeeper }: Services, request: FastifyRequest) {
  const identity = await gatekeeper.authenticate(request)
  const isUnsafe = unsafe.has(request.method) || request.routeOptions.config.isUnsafe === true
  if (identity?.by === 'session' && isUnsafe) gatekeeper.checkCsrf(request, identity)
  const org = await gatekeeper.organization(request, identity)
  const permissions = identity ? await gatekeeper.permissions(identity, org) : new Set<string>()
  return { identity, org, permissions, settings: await gatekeeper.settings() }
}
const nobody: Awaited<ReturnType<typeof lookedUp>> = {
  identity: undefined,
  org: { id: rootOrgId, name: '', is_root: true, is_default: false },
  permissions: new Set(),
  settings: defaultSettings,
}

async function enter(services: Services, request: FastifyRequest, isUnasked = false): Promise<Context> {
  const { gatekeeper } = services
  const { identity, org, permissions, settings } = isUnasked ? nobody : await lookedUp(services, request)
  const zone = request.headers[headers.timeZone]
  return createContext(services.events, {
    db: services.database.db,
    identity,
    org,
    language:
      languageOf(request.cookies[cookies.language]) ?? languageOf(request.headers['accept-language']) ?? 'zh',
    zone: (typeof zone === 'string' ? timeZoneOf(zone) : undefined) ?? 'Asia/Shanghai',
    remoteAddr: addressOf(request),
    origin: `${request.protocol}://${request.host}`,
    can: (permission) => identity?.isSuperAdmin === true || permissions.has(permission),
    orgName: (id) => gatekeeper.orgName(id),
    settings,
    hasLicence: gatekeeper.hasLicence(settings),
  })
}
/** Of the caller; a proxy that tells something else than an address is what counts itself. */
const addressOf = (request: FastifyRequest) =>
  isIP(request.ip) > 0 ? request.ip : (request.socket.remoteAddress ?? '')

async function carryOut(
  services: Services,
  route: Route | MetadataRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  writes: WriteBounds,
  person: string | undefined,
): Promise<unknown> {
  const { context } = request
  if (context === undefined) throw new Error('a request reached its handler unadmitted')
  reply.header('Content-Language', context.language)
  const gone = whoGoes(reply)
  const body = await bodySent(route, context, request)
  const sent = {
    params: paramsOf(route, request),
    query: queryOf(route, request),
    body: route.opened ? await route.opened(body) : body,
    request,
    reply,
  }
  const ahead = async () => await route.ahead?.(context, sent)
  const { made, left } = route.isAheadTimed
    ? await aheadOfWrite(gone, writes, ahead)
    : { made: await ahead(), left: writes }
  const call = { ...sent, ahead: made }
  const isList = 'lists' in route && route.lists === true
  const write = async (tx: Transaction) => {
    const answered = await route.handler(context.within(tx), call)
    if (route.records === 'changes') await refuseUnrecorded(context, tx, route.path)
    return answered
  }
  const result = route.transaction
    ? await writeForCaller(services.database, person, gone, left, write, route.inTurn?.(context, call))
    : isList
      ? await workForCaller(gone, () => route.handler(context, call))
      : await route.handler(context, call)
  // A file that breaks off is answered, too: its headers are with the caller.
  if (reply.sent || reply.raw.headersSent) return reply
  if (result instanceof FileAnswer) {
    const content = request.method === 'HEAD' ? Readable.from([]) : await result.open(context)
    return asDownload(result.file, content, reply)
  }
  if (result instanceof Reply) return reply.code(result.status).send(await asSent(result.body, reply))
  return result === undefined ? reply.code(204).send() : await asSent(result, reply)
}

async function bodySent(
  route: Route | MetadataRoute,
  ctx: Context,
  request: FastifyRequest,
): Promise<unknown> {
  if (route.table && sendsTable(request)) return await route.table(ctx, request)
  const { fields = {} } = route
  const isNew = request.method === 'POST'
  // Sent in chunks it may be as long as any.
  const length = Number(request.headers['content-length'] ?? Infinity)
  const read = (form: object) => readInTurn(request, length, () => formRead(fields, form, isNew))
  if (!route.raw && sendsTexts(request)) return bodyOf(route, request, await read(request.body ?? {}))
  if (route.raw || !sendsForm(request)) return bodyOf(route, request)
  const formBytes = formBytesOf(fields)
  if (formBytes !== undefined) return await read(await formOf(request, formBytes))
  const maxBytes = Math.min(textsBytes, request.routeOptions.bodyLimit ?? textsBytes)
  return bodyOf(route, request, await read(await textsOf(request, maxBytes)))
}

/** Aborted when the caller closes the connection before there is an answer. */
function whoGoes({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}

/** No change without its record: what has written something the books know nothing of is undone. */
async function refuseUnrecorded({ told }: Context, tx: Executor, path: string): Promise<void> {
  if (told.booked > 0 || told.kept) return
  const found = await tx.execute<{ written: boolean }>(
    sql`select pg_current_xact_id_if_assigned() is not null as written`,
  )
  if (found.rows[0]?.written === true) throw new Error(`${path} changed something and left no record`)
}

/** Read as fast as it is taken. What breaks on the way breaks the connection: half a file must not pass for a whole one. */
function asDownload({ type, name }: File, content: Readable, reply: FastifyReply): FastifyReply {
  return reply.type(type).header('content-disposition', `attachment; filename="${name}"`).send(content)
}
