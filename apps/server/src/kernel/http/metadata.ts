/** Answers OPTIONS at every address of a resource and of a declared call. */
import { z } from 'zod'
import {
  addressMetadata,
  type Callable,
  callMetadata,
  callPath,
  type FieldMetadata,
  find,
  isWrite,
  labels,
  type Language,
  listUrl,
  metadataOf,
  modelOf,
} from '@sallyport/contract'
import type { Domain } from '../domain.ts'
import { shownBy, type Served } from '../resource/binding.ts'
import type { Provided } from '../resource/calls.ts'
import type { ServedOne } from '../resource/singleton.ts'
import type { Query } from '../resource/query.ts'
import { isThere } from '../resource/read.ts'
import { describe } from '../resource/serve.ts'
import type { Route } from './route.ts'

export type MetadataRoute = Omit<Route, 'method'> & { method: 'OPTIONS' }

export interface Declared {
  of: Callable
  implementations: Provided['implementations']
  served: Served | ServedOne | undefined
}
/** Everything that declares calls. */
export const declaredBy = (domains: readonly Domain[]): Declared[] =>
  domains.flatMap((domain) => [
    ...(domain.resources ?? []).map((served) => ({
      of: served.resource,
      implementations: served.binding.calls ?? {},
      served,
    })),
    ...(domain.singletons ?? []).map((one) => ({
      of: one.resource,
      implementations: one.binding.calls ?? {},
      served: one,
    })),
    ...(domain.services ?? []).map(({ service, implementations }) => ({
      of: service,
      implementations,
      served: undefined,
    })),
  ])

const servedOf = (domains: readonly Domain[]) => domains.flatMap((domain) => domain.resources ?? [])

export const metadataRoutes = (domains: readonly Domain[]): MetadataRoute[] => {
  const ofResources = [
    ...servedOf(domains).flatMap((served) => routesOfResource(served)),
    ...domains.flatMap(({ singletons = [] }) => singletons.map((one) => describedOne(one))),
  ]
  const taken = new Set(ofResources.map(({ path }) => path))
  // What stands at the address of a resource itself is described with it.
  return [...ofResources, ...routesOfCalls(domains).filter(({ path }) => !taken.has(path))]
}

/** At an address that is served by hand its methods are described, and what each takes; who may call it may ask. */
export const bareMetadata = (served: readonly Route[]): MetadataRoute[] =>
  [...Map.groupBy(served, ({ path }) => path)].map(([path, here]) => ({
    method: 'OPTIONS',
    path,
    access: here.some(({ access }) => access === 'public') ? 'public' : 'valid_user',
    handler: (ctx) => {
      const actions = here.flatMap((route) =>
        [route.method]
          .flat()
          .flatMap((method) =>
            method === 'DELETE' ? [] : [[method, fieldsTaken(route, ctx.language)] as const],
          ),
      )
      return Promise.resolve(addressMetadata(path, Object.fromEntries(actions)))
    },
  }))

interface BodySchema {
  properties?: Record<string, Told>
  required?: string[]
}
interface Told {
  type?: string
  maxLength?: number
  enum?: (string | number | boolean)[]
  anyOf?: Told[]
}
const typeNames: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'integer',
  number: 'float',
  boolean: 'boolean',
  array: 'list',
  object: 'nested object',
}
/** By the schema of its body, as nothing is declared. */
function fieldsTaken({ body }: Route, language: Language): Record<string, FieldMetadata> {
  if (body === undefined) return {}
  const schema = z.toJSONSchema(body, { unrepresentable: 'any', io: 'input' }) as BodySchema
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => {
      const told = property.anyOf?.find(({ type }) => type !== 'null') ?? property
      return [
        name,
        {
          type: told.enum ? 'choice' : (typeNames[told.type ?? ''] ?? 'field'),
          required: schema.required?.includes(name) ?? false,
          read_only: false,
          write_only: true,
          label: find(labels, language, name) ?? name,
          ...(told.maxLength === undefined ? {} : { max_length: told.maxLength }),
          ...(told.enum && { choices: told.enum.map((value) => ({ value, label: String(value) })) }),
        },
      ]
    }),
  )
}

function routesOfResource(served: Served): MetadataRoute[] {
  const list = listUrl(served.resource)
  return [described(list, served, 'list'), described(`${list}:id/`, served, 'detail')]
}
const describedOne = ({ resource, binding }: ServedOne): MetadataRoute => ({
  method: 'OPTIONS',
  path: listUrl(resource),
  access: 'valid_user',
  handler: async (ctx, { query }) => {
    const metadata = structuredClone(metadataOf(resource, ctx.language, 'detail'))
    await binding.describe?.(ctx, metadata, query as Query)
    return metadata
  },
})

const described = (path: string, served: Served, on: 'list' | 'detail'): MetadataRoute => {
  const { resource } = served
  const here = Object.values(resource.calls).filter((call) => routePath(callPath(resource, call)) === path)
  return {
    method: 'OPTIONS',
    path,
    access: 'valid_user',
    handler: async (ctx, call) => {
      const metadata = await describe(served, ctx, call.query as Query, on)
      if (on === 'detail' && !(await isThere(served, ctx, call.params['id'] ?? '')))
        delete metadata.actions.PUT
      Object.assign(metadata.actions, callMetadata(resource, here, ctx.language).actions)
      return metadata
    },
  }
}
const routePath = (address: string) => address.replaceAll(/\{(\w+)\}/g, ':$1')

/** Only the methods that are there: GET by the resource whose rows it shows, everything else by what it takes. */
function routesOfCalls(domains: readonly Domain[]): MetadataRoute[] {
  const byModel = new Map(servedOf(domains).map((served) => [modelOf(served.resource), served]))
  return declaredBy(domains).flatMap(({ of }) =>
    [...Map.groupBy(Object.values(of.calls), (call) => callPath(of, call))].map(([address, calls]) => {
      const path = routePath(address)
      const shown = calls.flatMap((call) =>
        call.answer?.kind === 'rows' || (call.answer?.kind === 'row' && !isWrite(call)) ? [call.answer] : [],
      )[0]
      const resource = shown && byModel.get(shown.of ?? modelOf(of))
      return {
        method: 'OPTIONS',
        path,
        access: 'valid_user',
        handler: async (ctx, { query }) => {
          const own = callMetadata(of, calls, ctx.language)
          if (resource === undefined) return own
          const on = shown?.kind === 'rows' ? 'list' : 'detail'
          const told = shown?.kind === 'rows' ? shownBy(resource, shown, ctx) : resource
          const { name, actions } = await describe(told, ctx, query as Query, on)
          return { ...own, name, actions: { ...(actions.GET ? { GET: actions.GET } : {}), ...own.actions } }
        },
      } satisfies MetadataRoute
    }),
  )
}
