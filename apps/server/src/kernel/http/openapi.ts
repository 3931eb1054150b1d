/** The OpenAPI 3.1 document, derived from the declarations and the schemas of the other routes. */
import { readFilePath } from '@sallyport/contract/addresses'
import {
  type Action,
  type Answer,
  type Callable,
  callLabels,
  callPath,
  type CallSpec,
  containedIn,
  isFoundByParts,
  detailUrl,
  type Field,
  type Fields,
  find,
  isSingleField,
  labelOf,
  type Language,
  listUrl,
  methodsOf,
  modelLabel,
  modelOf,
  permissionFor,
  type Resource,
  type Singleton,
  takesFiles,
} from '@sallyport/contract'
import { z } from 'zod'
import type { Domain } from '../domain.ts'
import { type Access, accessOf, type Route } from './route.ts'

type Schema = Record<string, unknown>
type Named = Pick<Callable, 'app' | 'model'>

const labeledOf = (values: readonly (string | number | boolean)[]): Schema => ({
  type: 'object',
  properties: { value: { enum: values }, label: { type: 'string' } },
})
const related = (shows: readonly string[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(shows.map((name) => [name, { type: 'string' }])),
})

/** How a field is read; `written` how it is sent. */
function schemaOf(of: Named, field: Field, written: boolean): Schema {
  const { kind } = field
  switch (kind.kind) {
    case 'uuid':
      return { type: 'string', format: 'uuid' }
    case 'text':
      return {
        type: 'string',
        ...(kind.max ? { maxLength: kind.max } : {}),
        ...(kind.pattern === 'email' ? { format: 'email' } : {}),
      }
    case 'secret':
      return { type: 'string', maxLength: kind.max, writeOnly: true }
    case 'integer':
      return {
        type: 'integer',
        ...(kind.min === undefined ? {} : { minimum: kind.min }),
        ...(kind.max === undefined ? {} : { maximum: kind.max }),
      }
    case 'float':
      return { type: 'number' }
    case 'boolean':
      return { type: 'boolean' }
    case 'datetime':
      return { type: 'string', examples: ['2026/03/20 10:11:12 +0800'] }
    case 'choice':
      return kind.plain || written ? { enum: kind.choices.values } : labeledOf(kind.choices.values)
    case 'flags': {
      const names = Object.keys(kind.flags.bits)
      return { type: 'array', items: written ? { enum: [...names, 'all'] } : labeledOf(names) }
    }
    case 'one':
      return written ? { type: kind.integerId ? 'integer' : 'string' } : related(kind.shows)
    case 'many':
      return {
        type: 'array',
        items: written ? { type: kind.integerId ? 'integer' : 'string' } : related(kind.shows),
      }
    case 'object':
      return objectOf(of, kind.fields, written)
    case 'objects':
      return { type: 'array', items: objectOf(of, kind.fields, written) }
    case 'ids':
      return { type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: kind.maxItems }
    case 'list':
      return { type: 'array', items: { type: 'string', maxLength: kind.max }, maxItems: kind.maxItems }
    case 'file':
      return written ? { type: 'string', format: 'binary' } : { type: 'string' }
    case 'phone':
      return written ? { type: 'string' } : { type: ['object', 'string'] }
    default:
      return {}
  }
}

function objectOf(of: Named, fields: Fields, written: boolean, language: Language = 'en'): Schema {
  const shown = Object.entries(fields).filter(([, { options }]) =>
    written ? !options.readOnly : !options.writeOnly,
  )
  const required = shown.filter(([, { options }]) => written && options.required).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(
      shown.map(([name, field]) => [
        name,
        { ...nullable(schemaOf(of, field, written), field), title: labelOf(of, name, field, language) },
      ]),
    ),
    ...(required.length > 0 ? { required } : {}),
  }
}
const nullable = (schema: Schema, field: Field): Schema =>
  field.options.nullable ? { anyOf: [schema, { type: 'null' }] } : schema

const answer = (schema: Schema) => ({ description: 'OK', content: { 'application/json': { schema } } })
/** What is sent for these fields: files come in forms. */
const contentOf = (body: Fields | Field, schema: Schema): Schema => ({
  [!isSingleField(body) && takesFiles(body) ? 'multipart/form-data' : 'application/json']: { schema },
})
const failures = {
  400: { description: 'Problems by field, or a business rule with its code' },
  401: { description: 'Not signed in' },
  403: { description: 'Not permitted' },
}
const parameter = (name: string, description: string, where: 'query' | 'path' | 'header' = 'query') => ({
  name,
  in: where,
  description,
  schema: { type: 'string' },
  ...(where === 'path' ? { required: true } : {}),
})

const ifMatch = parameter(
  'If-Match',
  'The ETag of the version that is changed; without it, whichever it is',
  'header',
)
const outdated = { 409: { description: 'Somebody else has changed it: `current` is how it is now' } }

const pageParameters = [
  parameter('limit', 'Rows of a page, at most 100; without it the whole list as an array'),
  parameter('offset', 'Rows to skip'),
]
const listParameters = (of: Resource) => [
  ...pageParameters,
  parameter('search', 'Terms that must all be found'),
  parameter('order', 'Field names, - for descending'),
  parameter('fields', 'Only these fields'),
  parameter('fields_size', 'mini or small'),
  parameter('spm', 'A selection token'),
  parameter('format', 'csv or xlsx: the list as a file, all of it unless a page is asked for'),
  parameter('template', 'Of such a file: import or update, to be filled in'),
  ...Object.entries(of.fields).flatMap(([name, field]) =>
    field.options.filter
      ? [
          parameter(name, 'Exact'),
          ...(isFoundByParts(field) ? [parameter(containedIn(name), 'Contained, in any case')] : []),
        ]
      : [],
  ),
  ...Object.keys(of.filters).map((name) => parameter(name, 'Filter')),
]

/** A page, or the whole list. */
const pageOf = (row: Schema): Schema => ({
  anyOf: [
    {
      type: 'object',
      properties: {
        count: { type: 'integer' },
        next: { type: ['string', 'null'] },
        previous: { type: ['string', 'null'] },
        results: { type: 'array', items: row },
      },
    },
    { type: 'array', items: row },
  ],
})

/** What can be done to several rows at once, on the list; rows to update carry their ids. */
function bulkOf(of: Resource, operation: (action: Action, more: Schema) => Schema): Schema {
  const rowsOf = (schema: string): Schema => ({
    type: 'array',
    items: { $ref: `#/components/schemas/${schema}` },
  })
  const name = modelOf(of)
  const update = operation('update', {
    requestBody: { content: { 'application/json': { schema: rowsOf(`${name}.write`) } } },
    responses: { 200: answer(rowsOf(name)), ...failures },
  })
  const remove = operation('delete', { responses: { 204: { description: 'Removed' }, ...failures } })
  return {
    ...(of.actions.includes('update') ? { put: update, patch: update } : {}),
    ...(of.actions.includes('delete') ? { delete: remove } : {}),
  }
}

/** The rows of a file, to be looked at before they are sent one by one. */
const file = { schema: { type: 'string', format: 'binary' } }
const rendered: Schema = {
  requestBody: { content: { 'text/csv': file, 'text/xlsx': file } },
  responses: {
    200: answer({
      type: 'object',
      properties: {
        title: {
          type: 'array',
          items: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 },
        },
        data: { type: 'array', items: { type: 'object' } },
      },
    }),
    ...failures,
  },
}

function pathsOf(of: Resource): Record<string, Schema> {
  const name = modelOf(of)
  const row = { $ref: `#/components/schemas/${name}` }
  const payload = {
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}.write` } } },
  }
  const operation = (action: Parameters<typeof permissionFor>[1], more: Schema) => ({
    tags: [of.app],
    summary: `${action} ${modelLabel(of, 'en')}`,
    description: of.scope === 'own' ? 'Own rows only.' : `Needs ${permissionFor(of, action)}.`,
    ...more,
  })
  const has = (action: Parameters<typeof permissionFor>[1]) => of.actions.includes(action)
  const list: Schema = {}
  const detail: Schema = { parameters: [parameter('id', 'The id', 'path')] }
  if (has('list'))
    list['get'] = operation('list', {
      parameters: listParameters(of),
      responses: { 200: answer(pageOf(row)), ...failures },
    })
  if (has('create'))
    list['post'] = operation('create', {
      parameters: Object.entries(of.fromQuery).map(([field, name]) =>
        parameter(name, `The ${field} of what is made without saying so`),
      ),
      requestBody: payload,
      responses: { 201: answer(row), ...failures },
    })
  if (has('retrieve')) detail['get'] = operation('retrieve', { responses: { 200: answer(row), ...failures } })
  if (has('update')) {
    const update = operation('update', {
      parameters: [ifMatch],
      requestBody: payload,
      responses: { 200: answer(row), ...failures, ...outdated },
    })
    detail['put'] = update
    detail['patch'] = update
  }
  if (has('delete'))
    detail['delete'] = operation('delete', {
      parameters: [ifMatch],
      responses: { 204: { description: 'Removed' }, ...failures, ...outdated },
    })
  if (of.bulk) Object.assign(list, bulkOf(of, operation))
  return {
    [listUrl(of)]: list,
    ...(has('create') || has('update')
      ? {
          [readFilePath(listUrl(of))]: {
            post: operation(has('create') ? 'create' : 'update', rendered),
          },
        }
      : {}),
    [decodeURIComponent(detailUrl(of, '{id}'))]: detail,
  }
}

function pathOfOne(of: Singleton): Record<string, Schema> {
  const { read, update } = of.access
  const row = { $ref: `#/components/schemas/${modelOf(of)}` }
  const responses = { 200: answer(row), ...failures }
  const write = (access: CallSpec['access']) => ({
    tags: [of.app],
    summary: `update ${modelLabel(of, 'en')}`,
    description: accessText(accessOf(access)),
    parameters: [ifMatch],
    requestBody: { content: contentOf(of.fields, { $ref: `${row.$ref}.write` }) },
    responses: { ...responses, ...outdated },
  })
  return {
    [listUrl(of)]: {
      get: {
        tags: [of.app],
        summary: `retrieve ${modelLabel(of, 'en')}`,
        description: accessText(accessOf(read)),
        responses,
      },
      ...(update === undefined ? {} : { put: write(update), patch: write(update) }),
    },
  }
}

const answerSchema = (of: Callable, answer: Answer | undefined): Schema => {
  switch (answer?.kind) {
    case 'row':
      return { $ref: `#/components/schemas/${answer.of ?? modelOf(of)}` }
    case 'rows':
      return pageOf(
        answer.shows === undefined
          ? { $ref: `#/components/schemas/${answer.of ?? modelOf(of)}` }
          : objectOf(of, answer.shows, false),
      )
    case 'list':
      return pageOf(objectOf(of, answer.fields, false))
    case 'object':
      return objectOf(of, answer.fields, false)
    default:
      return {}
  }
}

function callPaths(of: Callable, byModel: ReadonlyMap<string, Resource>): Record<string, Schema> {
  const paths: Record<string, Schema> = {}
  for (const [name, call] of Object.entries(of.calls)) {
    const path = callPath(of, call)
    const entry = (paths[path] ??= {})
    const status = call.status ?? (call.answer ? 200 : 204)
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameterName]) => parameterName ?? '')
    const operation = {
      tags: [of.app],
      operationId: `${of.app}_${of.model}_${name}`,
      ...(callLabel(of, name) === undefined ? {} : { summary: callLabel(of, name) }),
      description: accessText(accessOf(call.access)),
      parameters: [
        ...inPath.map((one) => parameter(one, one, 'path')),
        ...Object.keys(call.query ?? {}).map((one) => parameter(one, 'Parameter')),
        ...parametersOfList(of, call, byModel),
      ],
      ...(call.body === undefined
        ? {}
        : { requestBody: { content: contentOf(call.body, bodyOf(of, call.body)) } }),
      responses: {
        [status]: call.answer ? answer(answerSchema(of, call.answer)) : { description: 'Done' },
        ...failures,
      },
    }
    for (const method of methodsOf(call))
      entry[method.toLowerCase()] =
        method === methodsOf(call)[0]
          ? operation
          : { ...operation, operationId: `${operation.operationId}_${method.toLowerCase()}` }
  }
  return paths
}
/** What a list is asked with, besides what its call declares. */
function parametersOfList(
  of: Callable,
  { answer, query = {} }: CallSpec,
  byModel: ReadonlyMap<string, Resource>,
) {
  if (answer?.kind === 'list') return pageParameters
  const listed = answer?.kind === 'rows' ? byModel.get(answer.of ?? modelOf(of)) : undefined
  if (listed === undefined) return []
  const { fields, unless } = (answer?.kind === 'rows' && answer.only) || {}
  const isTold = ([name]: [string, unknown]) => !fields || unless !== undefined || fields.includes(name)
  const told = <Value>(all: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(all).filter(isTold))
  const asked = listParameters({ ...listed, fields: told(listed.fields), filters: told(listed.filters) })
  return asked.filter(({ name }) => !Object.hasOwn(query, name))
}
const bodyOf = (of: Callable, body: Fields | Field): Schema =>
  isSingleField(body) ? schemaOf(of, body, true) : objectOf(of, body, true)
const callLabel = (of: Callable, name: string) => find(callLabels, 'en', `${modelOf(of)}.${name}`)

const accessText = (access: Access) =>
  typeof access === 'string' ? `For: ${access.replace('_', ' ')}.` : `Needs ${access.oneOf.join(' or ')}.`

function otherPaths(routes: readonly Route[]): Record<string, Schema> {
  const paths: Record<string, Schema> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    const entry = (paths[path] ??= {})
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
    for (const method of typeof route.method === 'string' ? [route.method] : route.method)
      entry[method.toLowerCase()] = {
        tags: [path.split('/')[3] ?? 'core'],
        description: accessText(route.access),
        parameters: names.map((name) => parameter(name, name, 'path')),
        ...(route.body
          ? {
              requestBody: {
                content: {
                  'application/json': {
                    schema: z.toJSONSchema(route.body, { unrepresentable: 'any', io: 'input' }),
                  },
                },
              },
            }
          : {}),
        responses: { 200: { description: 'OK' }, ...failures },
      }
  }
  return paths
}

export function openApiDocument(domains: readonly Domain[]): Schema {
  const resources = domains.flatMap((domain) => (domain.resources ?? []).map((served) => served.resource))
  const singletons = domains.flatMap((domain) => (domain.singletons ?? []).map((one) => one.resource))
  const routes = domains.flatMap((domain) => domain.routes ?? [])
  const byModel = new Map(resources.map((of) => [modelOf(of), of]))
  const callables = [
    ...resources,
    ...singletons,
    ...domains.flatMap((domain) => (domain.services ?? []).map(({ service }) => service)),
  ]
  return {
    openapi: '3.1.0',
    info: { title: 'Sallyport API', version: 'v1', license: { name: 'Apache-2.0' } },
    paths: merged([
      otherPaths(routes),
      ...resources.map((of) => pathsOf(of)),
      ...singletons.map((of) => pathOfOne(of)),
      ...callables.map((of) => callPaths(of, byModel)),
    ]),
    components: {
      schemas: Object.fromEntries(
        [...resources, ...singletons].flatMap((of) => [
          [modelOf(of), objectOf(of, of.fields, false)],
          [`${modelOf(of)}.write`, objectOf(of, of.fields, true)],
        ]),
      ),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
    security: [{ bearer: [] }],
  }
}

/** Methods of one path may come from several places. */
function merged(parts: readonly Record<string, Schema>[]): Record<string, Schema> {
  const paths: Record<string, Schema> = {}
  for (const part of parts)
    for (const [path, operations] of Object.entries(part)) paths[path] = { ...paths[path], ...operations }
  return paths
}

/** `/api/swagger.json`, made when first asked for. */
export function openApiRoute(domains: readonly Domain[]): Route {
  let document: Schema | undefined
  return {
    method: 'GET',
    path: '/api/swagger.json',
    access: 'valid_user',
    handler: () => Promise.resolve((document ??= openApiDocument(domains))),
  }
}
