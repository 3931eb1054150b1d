/** The real HTTP server on a test database, with callers the test describes instead of stored people. */
import { defaultOrgId, defaultSettings, rootOrgId } from '@sallyport/contract'
import type { FastifyInstance } from 'fastify'
import type { Identity } from '../context.ts'
import type { Database } from '../database/index.ts'
import type { Domain } from '../domain.ts'
import { ApiError } from '../errors.ts'
import { Events } from '../events.ts'
import type { Gatekeeper } from '../http/access.ts'
import { buildServer } from '../http/server.ts'
import type { BodyBounds } from '../http/bodies.ts'
import type { ConnectionBounds } from '../http/connections.ts'
import type { MessageBounds } from '../http/messages.ts'
import type { WriteBounds } from '../http/writing.ts'
import type { Secrets } from '../secrets/index.ts'
import { testLog } from './index.ts'

export const otherOrgId = '00000000-0000-4000-8000-00000000000a'

/** `Authorization: Test <username> permission permission …`; super admin with the permission `*`; `<username>#2` is somebody else. */
const gatekeeper: Gatekeeper = {
  authenticate: (request) => {
    const [scheme, who, ...permissions] = (request.headers.authorization ?? '').split(' ')
    if (scheme !== 'Test' || who === undefined) return Promise.resolve(undefined)
    const [username = '', number = '1'] = who.split('#')
    return Promise.resolve({
      id: `7d1c0000-0000-4000-8000-${number.padStart(12, '0')}`,
      name: username,
      username,
      isComponent: false,
      isSuperAdmin: permissions.includes('*'),
      by: 'bearer',
      sessionId: undefined,
    } satisfies Identity)
  },
  checkCsrf: () => {
    throw new ApiError(403, 'csrf_failed')
  },
  organization: (request) => {
    const id = String(request.headers['x-jms-org'] ?? defaultOrgId)
    return Promise.resolve({ id, name: 'TEST', is_root: id === rootOrgId, is_default: id === defaultOrgId })
  },
  permissions: (_identity, _org) => Promise.resolve(new Set()),
  checkConfirmed: (_ctx, needed) =>
    Promise.reject(new ApiError(400, 'confirm_required', { params: { needed } })),
  settings: () => Promise.resolve(defaultSettings),
  hasLicence: () => true,
  onSignInsEnded: () => () => {},
  holdsBootstrapToken: () => false,
  orgName: (id) => `org ${id.slice(-1)}`,
  greet: () => {},
}

/** Reversible and visibly not the plain text: what the real one does is tested beside it. */
export const testSecrets: Secrets = {
  publicKey: '',
  seal: (plain) => `sealed:${Buffer.from(plain).toString('base64')}`,
  unseal: (sealed) => Buffer.from(sealed.slice(7), 'base64').toString(),
  isEnvelope: (text) => text.startsWith('envelope:'),
  openEnvelopes: (texts) =>
    Promise.resolve(texts.map((text) => (text.startsWith('envelope:') ? text.slice(9) : text))),
}

export async function startTestServer(
  database: Database,
  domains: readonly Domain[],
  given: Partial<Gatekeeper> = {},
  bounds: {
    bodies?: Partial<BodyBounds>
    writes?: WriteBounds
    connections?: Partial<ConnectionBounds>
    messages?: Partial<MessageBounds>
  } = {},
): Promise<FastifyInstance> {
  const events = new Events({ database, log: testLog, settings: () => gatekeeper.settings() })
  // Where the books themselves are not under test, whatever is told counts as written down.
  if (!domains.some(({ name }) => name === 'audits'))
    events.onRecord((ctx, told) => {
      ctx.told.booked += told.length
      return Promise.resolve()
    })
  return await buildServer(
    {
      log: testLog,
      database,
      secrets: testSecrets,
      events,
      gatekeeper: { ...grantingHeaders(gatekeeper), ...given },
    },
    domains,
    bounds,
  )
}

/** Permissions come from the same header as the name. */
function grantingHeaders(base: Gatekeeper): Gatekeeper {
  const granted = new WeakMap<Identity, ReadonlySet<string>>()
  return {
    ...base,
    authenticate: async (request) => {
      const identity = await base.authenticate(request)
      if (identity) granted.set(identity, new Set(request.headers.authorization?.split(' ').slice(2)))
      return identity
    },
    permissions: (identity) => Promise.resolve(granted.get(identity) ?? new Set()),
  }
}
