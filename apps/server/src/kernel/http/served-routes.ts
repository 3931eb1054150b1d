/** Which routes there are: what the domains declare, bind and serve by hand, what describes it, and what refuses all else there. */
import { listUrl, modelOf } from '@sallyport/contract'
import type { Domain } from '../domain.ts'
import { ApiError } from '../errors.ts'
import { callRoutes, type Serving } from '../resource/calls.ts'
import { selectionRoute } from '../resource/selection.ts'
import { routesOf } from '../resource/serve.ts'
import { routesOfOne } from '../resource/singleton.ts'
import type { Services } from '../services.ts'
import { healthRoute, type Parts } from './health.ts'
import { bareMetadata, declaredBy, type MetadataRoute, metadataRoutes } from './metadata.ts'
import { openApiRoute } from './openapi.ts'
import type { Route } from './route.ts'

/** @throws Error where one writes and does not say what it leaves in the books */
export function servedRoutes(
  domains: readonly Domain[],
  services: Services,
  health: (() => Promise<Parts>) | undefined,
): { own: readonly Route[]; others: readonly (Route | MetadataRoute)[] } {
  const own: Route[] = [
    healthRoute(services.database, health, domains, '/api/health/'),
    healthRoute(services.database, health, domains, '/api/v1/health/'),
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
  for (const route of own) checkRecords(route)
  const described = metadataRoutes(domains)
  const shapes = new Set(described.map(({ path }) => shapeOf(path)))
  const undescribed = own.filter(({ path }) => path.startsWith('/api/') && !shapes.has(shapeOf(path)))
  return { own, others: [...refusalsOf(domains, own), ...described, ...bareMetadata(undescribed)] }
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
function refusalsOf(domains: readonly Domain[], own: readonly Route[]): Route[] {
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
  return [...paths].flatMap(([shape, path]) => {
    const here = byShape.get(shape) ?? []
    const offered = new Set(here.flatMap((route) => methodsOf(route)))
    // RFC 9110, 15.5.6.
    const headers = { allow: [...offered].join(', ') }
    const refused = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter(
      (method) => !offered.has(method),
    )
    return refused.map((method) => ({
      method,
      path,
      access: here.some(({ access }) => access === 'public') ? ('public' as const) : ('valid_user' as const),
      raw: true,
      handler: () => Promise.reject(new ApiError(405, 'method_not_allowed', { params: { method }, headers })),
    }))
  })
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
