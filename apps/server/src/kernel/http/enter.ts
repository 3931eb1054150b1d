/** The first half of a request's way: who calls, from where, and with which rights. */
import { isIP } from 'node:net'
import { cookies, defaultSettings, headers, languageOf, rootOrgId, timeZoneOf } from '@sallyport/contract'
import type { FastifyRequest } from 'fastify'
import { type Context, createContext } from '../context.ts'
import type { Services } from '../services.ts'

const unsafe = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

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

/** `isUnasked`: nobody looks who calls. @throws ApiError where a caller is not who they say, or may not be there */
export async function enter(
  services: Services,
  request: FastifyRequest,
  isUnasked = false,
): Promise<Context> {
  const { gatekeeper } = services
  const { identity, org, permissions, settings } = isUnasked ? nobody : await lookedUp(services, request)
  const zone = request.headers[headers.timeZone]
  const language =
    languageOf(request.cookies[cookies.language]) ?? languageOf(request.headers['accept-language']) ?? 'zh'
  return createContext(services.events, {
    db: services.database.db,
    identity,
    org,
    language,
    zone: (typeof zone === 'string' ? timeZoneOf(zone) : undefined) ?? 'Asia/Shanghai',
    remoteAddr: addressOf(request),
    origin: `${request.protocol}://${request.host}`,
    can: (permission) => identity?.isSuperAdmin === true || permissions.has(permission),
    orgName: (id) => gatekeeper.orgName(id, language),
    settings,
    hasLicence: gatekeeper.hasLicence(settings),
  })
}
/** Of the caller; a proxy that tells something else than an address is what counts itself. */
const addressOf = (request: FastifyRequest) =>
  isIP(request.ip) > 0 ? request.ip : (request.socket.remoteAddress ?? '')
