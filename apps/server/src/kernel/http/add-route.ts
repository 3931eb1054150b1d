/** How a route is registered: whoever calls is admitted before their body is read. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readStatementMs, workFor } from '../database/index.ts'
import type { Services } from '../services.ts'
import { admit } from './access.ts'
import { carryOut } from './carry-out.ts'
import { enter } from './enter.ts'
import type { MetadataRoute } from './metadata.ts'
import type { Route } from './route.ts'
import { type WriteBounds, writeBounds } from './writing.ts'

const defaultBodyLimit = 1 << 20
/** Of what anybody may send: it is read before anything is known of who sends it, and while it is parsed everybody waits. */
export const publicBodyLimit = 32 << 10

export function addRoute(
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
