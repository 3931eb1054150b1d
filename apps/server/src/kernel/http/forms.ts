/** Forms: with files (multipart/form-data, RFC 7578), and of texts alone. */
import type { Field, Fields, Kind } from '@sallyport/contract'
import type { FastifyRequest } from 'fastify'
import { ApiError, invalid } from '../errors.ts'
import { readInTurn } from './reading.ts'
import { mediaTypeOf, received } from './received.ts'

/** Texts and files together: a list names each of its values by a part. */
const maxParts = 10_000

/** Beside the files as long as they may be: texts, and enough of one that is longer to say so on its field. */
export const textsBytes = 1 << 20

/** What stands in the place of bytes that are no UTF-8. */
const replacement = '\ufffd'

/** How long a form with these fields may be; undefined where none of them is a file. */
export function formBytesOf(fields: Fields): number | undefined {
  const files = Object.values(fields).flatMap(({ kind }) => (kind.kind === 'file' ? [kind.maxBytes] : []))
  return files.length === 0 ? undefined : files.reduce((sum, bytes) => sum + bytes, textsBytes)
}

export const sendsForm = (request: FastifyRequest): boolean => mediaTypeOf(request) === 'multipart/form-data'
export const sendsTexts = (request: FastifyRequest): boolean =>
  mediaTypeOf(request) === 'application/x-www-form-urlencoded'

/** Of the name of a part, behind that of its field. */
const maxPathLength = 200
/** … and of lists and objects in each other. */
const maxDepth = 16

const listKinds: ReadonlySet<Kind['kind']> = new Set(['many', 'list', 'ids', 'flags'])
/** Of these a blank is a value of its own, where they have no other default. */
const textKinds: ReadonlySet<Kind['kind']> = new Set(['text', 'secret', 'phone'])

/**
 * What a form says of these fields, as JSON says it. A list of one value is that value; an input that was left blank is an empty list, null
 * where its field may be that, and says nothing of any other field that is not required. Lists and objects are told by their parts:
 * `protocols[0]name`, `protocols[0].port`, `rules.users`.
 * @param isNew a blank text is its default: no row has another one yet
 * @throws ValidationError on a name that is none of a part, or whose field is told as a whole, too
 */
export const formRead = (fields: Fields, form: object, isNew: boolean): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(putTogether(fields, form)).flatMap(([name, value]: [string, unknown]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      const read = field ? valueRead(field, value, isNew) : value
      return read === undefined ? [] : [[name, read]]
    }),
  )

/** Undefined: nothing was said. */
function valueRead({ kind, options }: Field, value: unknown, isNew: boolean): unknown {
  if (listKinds.has(kind.kind)) {
    if (typeof value === 'string') return value === '' ? [] : [value]
    return Array.isArray(value) && kind.kind !== 'list' ? value.filter((one) => one !== '') : value
  }
  if (value === '') {
    if (textKinds.has(kind.kind)) return (isNew ? options.default : undefined) ?? ''
    if (options.nullable) return null
    if (kind.kind === 'objects') return []
    return options.required ? '' : undefined
  }
  if (kind.kind === 'objects') {
    return Array.isArray(value)
      ? value.map((item) => (isParts(item) ? formRead(kind.fields, item, isNew) : item))
      : value
  }
  return kind.kind === 'object' && isParts(value) ? formRead(kind.fields, value, isNew) : value
}

const isParts = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof File)

/** Parts of declared fields as the lists and objects they are parts of; everything else as it is. */
function putTogether(fields: Fields, form: object): Record<string, unknown> {
  const whole = new Map<string, unknown>()
  const parts = new Map<string, Map<string, unknown>>()
  for (const [name, value] of Object.entries(form) as [string, unknown][]) {
    const [head, rest] = headOf(name)
    if (rest === '' || Object.hasOwn(fields, name) || !Object.hasOwn(fields, head)) whole.set(name, value)
    else if (rest.length > maxPathLength) throw invalid(head, 'form_unreadable')
    else parts.set(head, (parts.get(head) ?? new Map<string, unknown>()).set(rest, value))
  }
  for (const [head, told] of parts) {
    if (whole.has(head)) throw invalid(head, 'given_twice')
    whole.set(head, madeOf(head, told, 1))
  }
  return Object.fromEntries(whole)
}

/** `[0]name` of `protocols[0]name`; nothing where a name has no parts. */
function headOf(name: string): [head: string, rest: string] {
  const at = name.search(/[[.]/)
  return at < 1 ? [name, ''] : [name.slice(0, at), name.slice(at)]
}

const firstStep = /^(?:\[(\d{0,5})\]|\[(\w+)\]|\.?(\w+))/
/** A list where its parts are numbered, in the order of their numbers; else an object. `field`: whose parts they are. */
function madeOf(field: string, told: ReadonlyMap<string, unknown>, depth: number): unknown {
  if (depth > maxDepth) throw invalid(field, 'form_unreadable')
  const items = new Map<number, Map<string, unknown>>()
  const named = new Map<string, Map<string, unknown>>()
  for (const [path, value] of told) {
    const step = firstStep.exec(path)
    if (step === null) throw invalid(field, 'form_unreadable')
    const [taken, number, ...names] = step
    const rest = path.slice(taken.length)
    const name = names.find((one) => one !== undefined) ?? ''
    const group =
      number === undefined
        ? grouped(named, name)
        : grouped(items, number === '' ? items.size : Number(number))
    group.set(rest, value)
  }
  if (items.size > 0 && named.size > 0) throw invalid(field, 'form_unreadable')
  if (items.size > 0)
    return [...items]
      .toSorted(([one], [other]) => one - other)
      .flatMap(([, part]) => valueOf(field, part, depth))
  return Object.fromEntries([...named].map(([name, part]) => [name, valueOf(field, part, depth)]))
}
function grouped<Key>(groups: Map<Key, Map<string, unknown>>, key: Key): Map<string, unknown> {
  const group = groups.get(key) ?? new Map<string, unknown>()
  groups.set(key, group)
  return group
}
function valueOf(field: string, part: ReadonlyMap<string, unknown>, depth: number): unknown {
  if (!part.has('')) return madeOf(field, part, depth + 1)
  if (part.size > 1) throw invalid(field, 'given_twice')
  return part.get('')
}

/**
 * Texts as strings, several of one name as a list of them, files as `File`, by name; an input no file was chosen for is not there.
 * @throws ApiError 413 over `maxBytes`, 400 where it cannot be read, ValidationError on a file beside others of its name
 */
export async function formOf(request: FastifyRequest, maxBytes: number): Promise<Record<string, unknown>> {
  const body = await received(
    request,
    maxBytes,
    () => new ApiError(413, 'body_too_large', { params: { max: maxBytes } }),
  )
  const boundary = boundaryOf(request.headers['content-type'] ?? '')
  if (partsIn(body, boundary) > maxParts) throw formUnreadable()
  const entries = new Map<string, (string | File)[]>()
  const form = await readInTurn(request, body.length, () => parsed(body, boundary))
  // Texts that are no UTF-8 would be stored as something else.
  const hasReplacements = body.includes(replacement)
  for (const [name, value] of form) {
    if (!hasReplacements && typeof value === 'string' && value.includes(replacement)) throw formUnreadable()
    if (value instanceof File && value.name === '' && value.size === 0) continue
    const before = entries.get(name)
    if (before === undefined) entries.set(name, [value])
    else if (value instanceof File || before[0] instanceof File) throw invalid(name, 'given_twice')
    else before.push(value)
  }
  return Object.fromEntries(
    [...entries].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  )
}

const parameters = /;\s*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))\s*/gy
const boundaryForm = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/

/** What stands between the parts (RFC 2046, 5.1.1). */
function boundaryOf(type: string): string {
  const told = type.slice(type.indexOf(';'))
  const [boundary = '', ...others] = [...told.matchAll(parameters)].flatMap(([, name, quoted, bare = '']) =>
    name?.toLowerCase() === 'boundary' ? [quoted ?? bare] : [],
  )
  if (others.length > 0 || !boundaryForm.test(boundary)) throw formUnreadable()
  return boundary
}

/** Counted before they are read: thousands of empty ones would take long. */
function partsIn(body: Buffer, boundary: string): number {
  const delimiter = `--${boundary}`
  let parts = 0
  for (let at = body.indexOf(delimiter); at !== -1 && parts <= maxParts; at = body.indexOf(delimiter, at + 1))
    parts += 1
  return parts
}

/** By the boundary it was counted by, whatever else was said beside it. */
async function parsed(body: Buffer<ArrayBuffer>, boundary: string): Promise<FormData> {
  try {
    const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` }
    return await new Response(body, { headers }).formData()
  } catch (error) {
    throw formUnreadable(error)
  }
}

export const formUnreadable = (cause?: unknown) =>
  new ApiError(400, 'form_unreadable', { knownAs: 'parse_error', cause })

/** Of a form whose fields are texts alone. @throws ValidationError on a file */
export async function textsOf(request: FastifyRequest, maxBytes: number): Promise<Record<string, unknown>> {
  const form = await formOf(request, maxBytes)
  for (const [name, value] of Object.entries(form)) if (value instanceof File) throw invalid(name, 'not_text')
  return form
}
