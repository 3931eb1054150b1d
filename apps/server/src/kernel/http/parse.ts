/** The boundary: what a caller sent becomes what a handler trusts. */
import { Readable } from 'node:stream'
import { problemsOf, type Problems, typeName, withGoodItems } from '@sallyport/contract'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { ApiError, invalid, ValidationError } from '../errors.ts'
import { tableTypes } from '../transfer/formats.ts'
import type { Route } from './route.ts'

type Schemas = Pick<Route, 'body' | 'query' | 'params' | 'raw' | 'lists' | 'takesSeveral'>

/** PostgreSQL has no text with this character. */
const nul = '\u0000'
const maxQueryLength = 100_000

const maxRepeated = 1000

/** Of parameters that were not given exactly once, all values: none for one that was empty. Goes along where a query is copied. */
const given: unique symbol = Symbol('given')
interface Given {
  readonly [given]?: ReadonlyMap<string, readonly string[]>
}

/**
 * Strings by name. Search terms add up; parameters the route takes several of (`valuesOf`) hold the last; any other that is given with two
 * values is refused. An empty value is as good as none.
 */
export function queryOf(route: Schemas, request: FastifyRequest): unknown {
  const flat: Record<string, string> = {}
  const others = new Map<string, readonly string[]>()
  for (const [name, value] of Object.entries((request.query ?? {}) as Record<string, string | string[]>)) {
    const values = [...new Set(Array.isArray(value) ? value : [value])].filter((one) => one !== '')
    // Not left out: without its condition a list would show, or lose, more than was asked for.
    if (values.some((text) => text.includes(nul))) throw invalid(name, 'null_characters')
    if (values.some((text) => text.length > maxQueryLength))
      throw invalid(name, 'max_length', { max: maxQueryLength })
    if (values.length > maxRepeated) throw invalid(name, 'too_many_items', { max: maxRepeated })
    if (values.length > 1 && name !== 'search' && route.takesSeveral?.(name) !== true)
      throw invalid(name, 'given_twice')
    const one = name === 'search' ? values.join(' ') : values.at(-1)
    if (one !== undefined && one !== '') flat[name] = one
    if (values.length !== 1 && name !== 'search') others.set(name, values)
  }
  const tables = route.lists && isRead(request.method) ? tableTypes : new Map<string, string>()
  const format = flat['format'] ?? preferred(tables, request.headers.accept)
  // What a client would read as a table must not be JSON instead.
  if (format !== 'json' && !tables.has(format)) throw new ApiError(404, 'not_found')
  if (format !== 'json') flat['format'] = format
  if (others.size > 0) Object.assign(flat, { [given]: others })
  return route.query ? checked(route.query, flat) : flat
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD'
/** JSON is for whoever takes it by its name, and for everybody who names none of these tables. */
function preferred(tables: ReadonlyMap<string, string>, accept = ''): string {
  const named = new Set(
    accept.split(',', maxAccepted).map((range) => range.split(';', 1)[0]?.trim().toLowerCase()),
  )
  if (named.has('application/json')) return 'json'
  return [...tables].find(([, type]) => named.has(type))?.[0] ?? 'json'
}
const maxAccepted = 100

type Query = Readonly<Record<string, string>> & Given
/** All values of a parameter of a query as `queryOf` read it. */
export function valuesOf(query: Query, name: string): readonly string[] {
  const one = query[name]
  if (one === undefined) return []
  const all = query[given]?.get(name)
  return all?.at(-1) === one ? all : [one]
}
/** The parameters that were sent with nothing in them. */
export const emptiedIn = (query: Query): readonly string[] =>
  [...(query[given] ?? [])].filter(([, values]) => values.length === 0).map(([name]) => name)

export function paramsOf(route: Schemas, request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>
  if (Object.values(params).some((value) => value.includes(nul))) throw new ApiError(404, 'not_found')
  return route.params ? (checked(route.params, params) as Record<string, string>) : params
}

/** @param sent what was read of the body already, where it was a stream */
export function bodyOf(route: Schemas, request: FastifyRequest, sent: unknown = request.body): unknown {
  if (route.raw) return sent
  if (sent instanceof Readable)
    throw new ApiError(415, 'unsupported_media_type', { params: { type: typeOf(request) } })
  // Resources parse theirs by their declaration.
  // A request without a body and without a type says as little as one with an empty object.
  if (!route.body) return sent === undefined ? {} : sent
  const body = checked(route.body, sent ?? {})
  refuseNul(body)
  return body
}

/** @throws ValidationError naming the outermost field that holds a NUL. Bodies may be nested deeper than the stack. */
function refuseNul(body: unknown): void {
  const waiting: [field: string, value: unknown][] = [['non_field_errors', body]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [field, value] = next
    if (typeof value === 'string') {
      if (value.includes(nul)) throw invalid(field, 'null_characters')
    } else if (Array.isArray(value)) for (const item of value) waiting.push([field, item])
    else if (typeof value === 'object' && value !== null)
      for (const [name, item] of Object.entries(value)) waiting.push([value === body ? name : field, item])
  }
}

const typeOf = (request: FastifyRequest) => (request.headers['content-type'] ?? '').slice(0, 100)

/** @throws ValidationError with the problems of each field. */
export function checked(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value, { reportInput: true })
  if (parsed.success) return parsed.data
  throw new ValidationError(withGoodItems(problems(parsed.error.issues), value))
}

/** Plain zod issues of route schemas in the words of the catalogue; problems of declared fields as they are. */
function problems(issues: readonly z.core.$ZodIssue[]): Problems {
  return problemsOf(
    issues.map((issue) => {
      if (issue.code === 'custom' && issue.params?.['key']) return issue
      return {
        code: 'custom',
        path: issue.path,
        message: issue.message,
        params: problemOf(issue),
      }
    }),
  )
}

function problemOf(issue: z.core.$ZodIssue): { key: string; params?: Record<string, number | string> } {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message.includes('undefined')) return { key: 'required' }
      return (
        (
          {
            string: { key: 'not_text' },
            number: { key: 'not_number' },
            int: { key: 'not_integer' },
            boolean: { key: 'not_boolean' },
            array: { key: 'not_list', params: { type: typeName(issue.input) } },
            object: { key: 'not_object', params: { type: typeName(issue.input) } },
          } as Record<string, { key: string; params?: Record<string, string> }>
        )[issue.expected] ?? { key: 'error' }
      )
    case 'invalid_union': {
      // What it is meant to be stands first.
      const first = issue.errors[0]?.[0]
      return first ? problemOf(first) : { key: 'error' }
    }
    case 'too_big':
      return {
        key:
          issue.origin === 'string'
            ? 'max_length'
            : issue.origin === 'array'
              ? 'too_many_items'
              : 'max_value',
        params: { max: Number(issue.maximum) },
      }
    case 'too_small':
      return issue.origin === 'string' && Number(issue.minimum) === 1
        ? { key: 'blank' }
        : {
            key: issue.origin === 'string' ? 'min_length' : 'min_value',
            params: { min: Number(issue.minimum) },
          }
    case 'invalid_format':
      return {
        key:
          issue.format === 'uuid' || issue.format === 'guid'
            ? 'not_uuid'
            : issue.format === 'email'
              ? 'not_email'
              : 'error',
      }
    case 'invalid_value':
      return {
        key: 'not_choice',
        params: { value: issue.input === undefined ? '' : JSON.stringify(issue.input).slice(0, 100) },
      }
    default:
      return { key: 'error' }
  }
}
