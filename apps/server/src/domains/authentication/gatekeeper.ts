import { cookies, headers, rootOrgId } from '@sallyport/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Identity } from '../../kernel/context.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { Ground } from '../../kernel/ground.ts'
import type { Gatekeeper } from '../../kernel/http/access.ts'
import type { Orgs } from '../orgs/index.ts'
import type { Rbac } from '../rbac/index.ts'
import type { Licensing } from '../license/index.ts'
import type { Settings } from '../settings/index.ts'
import { expectedCsrf, greet, sessionToken } from './cookies.ts'
import type { Identities } from './identities.ts'
import { failed } from './refusals.ts'
import { verifySignature } from './tokens/signature.ts'
import { isSame } from './tokens/tokens.ts'

export interface GatekeeperParts extends Pick<Ground, 'database' | 'live' | 'secrets'> {
  orgs: Orgs
  rbac: Rbac
  identities: Identities
  settings: Settings
  licensing: Licensing
  bootstrapToken: string
  checkConfirmed: Gatekeeper['checkConfirmed']
}

const maxToken = 256

/** How often a server that hears nothing looks for itself. */
const deafEveryMs = 5000

/** Between the nodes: whose sign-ins have ended. */
export const endedChannel = 'sign_ins_ended'
const endedSchema = z.object({
  user_id: z.string(),
  kept_session_id: z.string().optional(),
  session_ids: z.array(z.string()).optional(),
})

/** Whether an unsafe request repeats the token that only pages of this site can read. */
export function hasCsrfToken(request: FastifyRequest, formToken?: unknown): boolean {
  const expected = expectedCsrf(request)
  const header = request.headers[headers.csrf]
  const given = typeof header === 'string' ? header : formToken
  return expected !== undefined && typeof given === 'string' && isSame(given, expected)
}

/** Where a browser says the request comes from; other clients say nothing. */
export function isFromElsewhere(request: FastifyRequest): boolean {
  const { origin } = request.headers
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== request.host)
}

export function createGatekeeper({
  orgs,
  rbac,
  identities,
  database,
  live,
  secrets,
  settings,
  licensing,
  bootstrapToken,
  checkConfirmed,
}: GatekeeperParts): Gatekeeper {
  async function authenticate(request: FastifyRequest): Promise<Identity | undefined> {
    const { authorization } = request.headers
    if (authorization !== undefined) {
      const [scheme = '', credentials = ''] = authorization.split(/\s+(.*)/s)
      switch (scheme.toLowerCase()) {
        case 'bearer': {
          const identity = credentials.length <= maxToken ? await identities.byBearer(credentials) : undefined
          if (identity === undefined) throw failed('invalid_token')
          return identity
        }
        case 'signature':
          return await verifySignature({ identities, db: database.db }, request, credentials)
        case 'token':
          throw failed('invalid_token')
        default:
          // Not ours to judge (a proxy's own scheme, the bootstrap token).
          break
      }
    }
    const token = sessionToken(request)
    return token === undefined || token.length > maxToken ? undefined : await identities.bySession(token)
  }

  return {
    authenticate,
    checkCsrf(request) {
      if (isFromElsewhere(request)) throw new ApiError(403, 'origin_refused')
      if (!hasCsrfToken(request)) throw new ApiError(403, 'csrf_failed', { knownAs: 'permission_denied' })
    },
    async organization(request) {
      const query = request.query as Readonly<Record<string, unknown>> | undefined
      const named = [query?.['oid'], request.headers[headers.org], request.cookies[cookies.org]].find(
        (value): value is string => typeof value === 'string' && value !== '',
      )
      return await orgs.resolve(named?.slice(0, 256))
    },
    permissions: (identity, org) => rbac.permissions(identity.id, org.is_root ? rootOrgId : org.id),
    checkConfirmed,
    settings: () => settings.all(),
    hasLicence: (values) => licensing.valid(values) !== undefined,
    onSignInsEnded: (listener, missed) => {
      const deaf = setInterval(() => {
        if (!live.isHearing()) missed()
      }, deafEveryMs).unref()
      const ends = [
        live.subscribe(endedChannel, (payload) => {
          const { user_id, kept_session_id, session_ids } = endedSchema.parse(payload)
          listener(({ id, sessionId = '' }) => {
            if (id !== user_id) return false
            return session_ids ? session_ids.includes(sessionId) : sessionId !== kept_session_id
          })
        }),
        live.onGap(missed),
        () => clearInterval(deaf),
      ]
      return () => {
        for (const end of ends) end()
      }
    },
    holdsBootstrapToken(request) {
      const given = request.headers.authorization?.split(/\s+/).at(-1) ?? ''
      return given !== '' && isSame(given, bootstrapToken)
    },
    orgName: (id, language) => orgs.nameOf(id, language),
    greet: (request: FastifyRequest, reply: FastifyReply) => greet(request, reply, secrets.publicKey),
  }
}
