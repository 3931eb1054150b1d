/** Parsing: from a declaration to the zod schema of its payloads. */
import { z } from 'zod'
import { isCron } from '../cron.ts'
import { parseDatetime } from '../dates.ts'
import type { ErrorKey } from '../messages/errors.ts'
import type { Params } from '../messages/language.ts'
import { addressShape, wordShape } from '../text-shapes.ts'
import { allBits } from './choices.ts'
import type { BodyParsed, CallBody } from './calls.ts'
import type { Field, Fields, Kind } from './field.ts'
import type { Resource } from './resource.ts'

/** What is wrong with one value; becomes a text in the caller's language. */
export interface Problem {
  key: ErrorKey
  params?: Params
}
export class Invalid {
  readonly problem: Problem
  constructor(key: ErrorKey, params?: Params) {
    this.problem = params === undefined ? { key } : { key, params }
  }
}

const longText = 65_536
const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const isUuid = (text: string) => guid.test(text)
/** As it is stored; the wire takes ids without dashes, too. Undefined: it is none. */
export function uuidIn(text: string): string | undefined {
  const dashed = text.replace(/^(\w{8})(\w{4})(\w{4})(\w{4})(\w{12})$/u, '$1-$2-$3-$4-$5')
  return isUuid(dashed) ? dashed.toLowerCase() : undefined
}

export type Mode = 'create' | 'replace' | 'patch'

/** What a value is called in errors, as the compatible system does. */
export const typeName = (value: unknown) =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'list'
      : typeof value === 'object'
        ? 'dict'
        : typeof value === 'string'
          ? 'str'
          : typeof value === 'number'
            ? Number.isInteger(value)
              ? 'int'
              : 'float'
            : typeof value === 'boolean'
              ? 'bool'
              : typeof value
const shown = (value: unknown) =>
  (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : typeName(value)
  ).slice(0, 100)
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** `{value: x}` and `x` mean the same wherever a choice is written. */
const bare = (value: unknown) => (isRecord(value) && 'value' in value ? value['value'] : value)

/** Rules for one value that is neither absent nor null. Answers the parsed value or what is wrong. */
type Read = (input: unknown, field: Field) => unknown

/** What no keyboard types into a text: it would hide in a list, or be carried out by the terminal it is shown on. */
const control = /\p{Cc}/u
const controlOfLines = /[^\P{Cc}\t\n\r]/u
const isOneLine = ({ max, multiline }: Extract<Kind, { kind: 'text' }>) => max !== undefined && !multiline

/** Of what can be followed, no script among it. */
const isWebAddress = (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text)

function readText(kind: Extract<Kind, { kind: 'text' }>): Read {
  return (input, field) => {
    if (typeof input !== 'string' && typeof input !== 'number') return new Invalid('not_text')
    const text = kind.verbatim ? String(input).replaceAll('\u0000', '') : String(input).trim()
    if (!kind.verbatim && (isOneLine(kind) ? control : controlOfLines).test(text))
      return new Invalid('control_characters')
    const { required, blank } = field.options
    if (text === '') return required && !blank ? new Invalid('blank') : text
    const max = kind.max ?? longText
    if (text.length > max) return new Invalid('max_length', { max })
    if (kind.min !== undefined && text.length < kind.min) return new Invalid('min_length', { min: kind.min })
    if (kind.pattern === 'email' && !z.email().safeParse(text).success) return new Invalid('not_email')
    if (kind.pattern === 'url' && !isWebAddress(text)) return new Invalid('not_url')
    if (kind.pattern === 'slug' && !/^[\p{L}\p{N}_+-]+$/u.test(text)) return new Invalid('not_slug')
    if (kind.pattern === 'address' && !addressShape.test(text)) return new Invalid('not_address')
    if (kind.pattern === 'word' && !wordShape.test(text)) return new Invalid('not_word')
    if (kind.pattern === 'cron' && !isCron(text)) return new Invalid('not_cron')
    return text
  }
}
const readSecret =
  (max: number): Read =>
  (input, field) => {
    if (typeof input !== 'string') return new Invalid('not_text')
    if (input.includes('\u0000')) return new Invalid('null_characters')
    if (input === '' && field.options.required) return new Invalid('blank')
    return input.length > max ? new Invalid('max_length', { max }) : input
  }
function readInteger(kind: { min: number | undefined; max: number | undefined }): Read {
  return (input) => {
    const number = typeof input === 'string' && /^\s*[+-]?\d{1,15}\s*$/.test(input) ? Number(input) : input
    if (typeof number !== 'number' || !Number.isSafeInteger(number)) return new Invalid('not_integer')
    // PostgreSQL's integer.
    const least = kind.min ?? -2_147_483_648
    const max = kind.max ?? 2_147_483_647
    if (number < least) return new Invalid('min_value', { min: least })
    return number > max ? new Invalid('max_value', { max }) : number
  }
}
const truths = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  ['1', true],
  [1, true],
  ['yes', true],
  ['on', true],
  [false, false],
  ['false', false],
  ['0', false],
  [0, false],
  ['no', false],
  ['off', false],
])
const readBoolean: Read = (input) =>
  truths.get(typeof input === 'string' ? input.toLowerCase() : input) ?? new Invalid('not_boolean')
const readDatetime: Read = (input) =>
  typeof input === 'string' && input.length <= 64 && parseDatetime(input, 'UTC') !== undefined
    ? input
    : new Invalid('not_datetime')
function readReference(kind: { shows: readonly string[]; integerId: boolean }): Read {
  return (input) => {
    const key = isRecord(input) ? (input['pk'] ?? input['id'] ?? input[kind.shows[0] ?? 'id']) : input
    // None of this name was found, or several.
    if (key === undefined && isNamed(input)) return new Invalid('no_such_name', { name: shown(input.name) })
    if (kind.integerId) {
      const number = typeof key === 'string' && /^\d{1,9}$/.test(key) ? Number(key) : key
      if (typeof number !== 'number' || !Number.isSafeInteger(number))
        return new Invalid('not_reference', { type: typeName(input) })
      return number >= 0 && number <= 2_147_483_647 ? number : new Invalid('does_not_exist', { pk: number })
    }
    if (typeof key !== 'string') return new Invalid('not_reference', { type: typeName(input) })
    return uuidIn(key) ?? new Invalid('does_not_exist', { pk: key.slice(0, 100) })
  }
}
function readFlags(kind: Extract<Kind, { kind: 'flags' }>): Read {
  return (input) => {
    if (!Array.isArray(input)) return new Invalid('flags_not_list')
    let bits = 0
    for (const item of input.slice(0, 100)) {
      const name = bare(item)
      const bit =
        name === 'all' ? allBits(kind.flags) : typeof name === 'string' ? kind.flags.bits[name] : undefined
      if (bit === undefined) return new Invalid('flag_unknown', { value: shown(name) })
      bits |= bit
    }
    return bits
  }
}
function readChoice(kind: Extract<Kind, { kind: 'choice' }>): Read {
  const byText = new Map(kind.choices.values.map((value) => [String(value), value]))
  return (input, field) => {
    const raw = bare(input)
    if (raw === '' && !field.options.required)
      return field.options.nullable ? null : new Invalid('not_choice', { value: '' })
    const found =
      typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean'
        ? byText.get(String(raw))
        : undefined
    return found === undefined ? new Invalid('not_choice', { value: shown(raw) }) : found
  }
}
/** Both as they are shown; undefined where one is missing or something else is there. */
function partsOfPhone({ code, phone, ...others }: Record<string, unknown>): string | undefined {
  const isTold = typeof code === 'string' && (typeof phone === 'string' || typeof phone === 'number')
  if (!isTold || Object.keys(others).length > 0) return undefined
  // Without a number the code of a country is none.
  return String(phone).trim() === '' ? '' : `${code}${phone}`
}
/** With the code of its country, as it is kept; undefined where it is none. */
export function phoneNumberOf(given: string): string | undefined {
  const digits = given.replaceAll(/[\s()-]/g, '')
  const international = /^1\d{10}$/.test(digits) ? `+86${digits}` : digits
  return /^\+\d{6,15}$/.test(international) ? international : undefined
}
const readPhone: Read = (input) => {
  const given = isRecord(input) ? partsOfPhone(input) : input
  if (typeof given !== 'string' && typeof given !== 'number') return new Invalid('not_phone')
  if (String(given).trim() === '') return ''
  return phoneNumberOf(String(given)) ?? new Invalid('not_phone')
}

const readFile =
  (maxBytes: number): Read =>
  (input) => {
    if (!(input instanceof File)) return new Invalid('not_file')
    if (input.size === 0) return new Invalid('file_empty')
    return input.size > maxBytes ? new Invalid('file_too_large', { max: maxBytes }) : input
  }

const maxJsonDepth = 32
/** What PostgreSQL can keep: no NUL in any text or name. Looked through without calls, for it may be nested deeper than the stack. */
const readJson: Read = (input) => {
  const waiting: [value: unknown, depth: number][] = [[input, 1]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, depth] = next
    if (typeof value === 'string' && value.includes('\u0000')) return new Invalid('null_characters')
    if (typeof value !== 'object' || value === null) continue
    if (depth > maxJsonDepth) return new Invalid('too_deep', { max: maxJsonDepth })
    for (const [name, item] of Object.entries(value)) {
      if (name.includes('\u0000')) return new Invalid('null_characters')
      waiting.push([item, depth + 1])
    }
  }
  return JSON.stringify(input).length > longText ? new Invalid('max_length', { max: longText }) : input
}

function readAttributes(kind: Extract<Kind, { kind: 'attributes' }>): Read {
  return (input) => {
    if (!isRecord(input)) return new Invalid('not_object', { type: typeName(input) })
    const entries = Object.entries(input)
    if (entries.length > kind.maxItems) return new Invalid('too_many_items', { max: kind.maxItems })
    for (const text of entries.flat()) {
      if (typeof text !== 'string') return new Invalid('not_text')
      if (text.includes('\u0000')) return new Invalid('null_characters')
      if (text.length > kind.max) return new Invalid('max_length', { max: kind.max })
    }
    return entries.some(([, mapped]) => mapped === 'username') ? input : new Invalid('username_not_mapped')
  }
}

function readerOf(kind: Kind): Read {
  switch (kind.kind) {
    case 'text':
      return readText(kind)
    case 'secret':
      return readSecret(kind.max)
    case 'integer':
      return readInteger(kind)
    case 'float':
      return (input) =>
        typeof input === 'number' && Number.isFinite(input) ? input : new Invalid('not_number')
    case 'boolean':
      return readBoolean
    case 'datetime':
      return readDatetime
    case 'uuid':
      return (input) => (typeof input === 'string' ? uuidIn(input) : undefined) ?? new Invalid('not_uuid')
    case 'choice':
      return readChoice(kind)
    case 'flags':
      return readFlags(kind)
    case 'one':
      return readReference(kind)
    case 'phone':
      return readPhone
    case 'json':
      return readJson
    case 'file':
      return readFile(kind.maxBytes)
    case 'attributes':
      return readAttributes(kind)
    default:
      return (input) => input
  }
}

/** A list is bounded before its items are looked at. */
function listOf(item: z.ZodType, field: Field, maxItems: number) {
  return z
    .unknown()
    .superRefine((input, context) => {
      if (!Array.isArray(input)) add(context, new Invalid('not_list', { type: typeName(input) }))
      else if (input.length > maxItems) add(context, new Invalid('too_many_items', { max: maxItems }))
      else if (input.length === 0 && field.options.required) add(context, new Invalid('empty_list'))
    })
    .pipe(z.array(item))
}
const add = (context: z.RefinementCtx, invalid: Invalid) =>
  context.addIssue({ code: 'custom', params: { ...invalid.problem } })

function single(field: Field, read: Read): z.ZodType {
  return z.unknown().transform((input, context) => {
    const parsed = read(input, field)
    if (!(parsed instanceof Invalid)) return parsed
    add(context, parsed)
    return z.NEVER
  })
}

/** Something that is to be made, by its name. */
const isNamed = (item: unknown): item is { name: unknown } =>
  isRecord(item) && 'name' in item && item['id'] === undefined && item['pk'] === undefined
const longestNewName = 128
function readNewName(input: unknown) {
  if (typeof input !== 'string') return new Invalid('not_text')
  const name = input.trim()
  if (control.test(name)) return new Invalid('control_characters')
  if (name === '') return new Invalid('blank')
  return name.length > longestNewName ? new Invalid('max_length', { max: longestNewName }) : { name }
}

const maxRelated = 10_000
const maxToldInvalid = 10
/** Of one list of objects in a row. */
export const maxObjects = 1000
function valueSchema(field: Field, mode: Mode): z.ZodType {
  const { kind } = field
  if (kind.kind === 'many')
    return listOf(z.unknown(), field, maxRelated).transform((items, context) => {
      const read = readReference(kind)
      const keys = items.map((item) =>
        kind.named && isNamed(item) ? readNewName(item.name) : read(item, field),
      )
      const invalid = keys.filter((key) => key instanceof Invalid)
      // All of the list, without saying at which place, as one that names rows nobody has.
      for (const problem of invalid.slice(0, maxToldInvalid)) add(context, problem)
      return invalid.length === 0 ? keys : z.NEVER
    })
  if (kind.kind === 'object') return record(kind.fields, mode, true)
  if (kind.kind === 'objects') {
    // Of a list nothing stays as it was: its items are whole whatever is sent of the row.
    const item = record(kind.fields, mode === 'create' ? 'create' : 'replace', true)
    return listOf(z.preprocess(identified(kind.fields), item), field, maxObjects)
  }
  if (kind.kind === 'ids')
    return listOf(single({ ...field, options: {} }, readerOf({ kind: 'uuid' })), field, kind.maxItems)
  if (kind.kind === 'list') {
    const item = readText({
      kind: 'text',
      max: kind.max,
      min: undefined,
      pattern: undefined,
      multiline: false,
      verbatim: kind.verbatim,
    })
    // Nothing is named by a blank; what is taken to the letter may be one.
    return listOf(single({ ...field, options: { required: !kind.verbatim } }, item), field, kind.maxItems)
  }
  return single(field, readerOf(kind))
}

/** An item that has an id may be named by it alone, as text or as `{pk}`, like any related object. */
const identified =
  (fields: Fields) =>
  (item: unknown): unknown => {
    if (!('id' in fields)) return item
    if (typeof item === 'string' || typeof item === 'number') return { id: item }
    return isRecord(item) && item['id'] === undefined && 'pk' in item ? { ...item, id: item['pk'] } : item
  }

/** Inside an object what is never shown cannot be sent back: the server sees whether it has it. */
const needed = ({ options }: Field, mode: Mode, isInside: boolean) =>
  options.required === true && (mode === 'create' || (mode === 'replace' && !(isInside && options.writeOnly)))

function record(fields: Fields, mode: Mode, isInside = false): z.ZodType<Record<string, unknown>> {
  const shape: Record<string, z.ZodType> = {}
  for (const [name, field] of Object.entries(fields)) {
    if (field.options.readOnly) continue
    if (field.options.createOnly && mode !== 'create') continue
    shape[name] = entry(field, mode, isInside)
  }
  const object = z.object(shape)
  const names = Object.keys(shape)
  return z.unknown().transform((input, context) => {
    if (!isRecord(input)) {
      add(context, new Invalid('not_object', { type: typeName(input) }))
      return z.NEVER
    }
    const parsed = object.safeParse(Object.fromEntries(names.map((name) => [name, input[name]])))
    if (parsed.success)
      return Object.fromEntries(Object.entries(parsed.data).filter(([, value]) => value !== undefined))
    for (const issue of parsed.error.issues) context.addIssue({ ...issue, path: [...issue.path] })
    return z.NEVER
  })
}

function entry(field: Field, mode: Mode, isInside = false): z.ZodType {
  const inner = valueSchema(field, mode)
  return z.unknown().transform((input, context) => {
    if (input === undefined) {
      if (needed(field, mode, isInside)) add(context, new Invalid('required'))
      return undefined
    }
    if (input === null) {
      if (!field.options.nullable) add(context, new Invalid('null'))
      return null
    }
    const parsed = inner.safeParse(input)
    if (parsed.success) return parsed.data
    for (const issue of parsed.error.issues) context.addIssue({ ...issue, path: [...issue.path] })
    return z.NEVER
  })
}

const schemas = new WeakMap<Resource, Map<Mode, z.ZodType<Record<string, unknown>>>>()
/** The schema of a payload: read-only and unknown keys are dropped, references become ids, flags become bits, choices their values. */
export function payloadSchema(of: Resource, mode: Mode): z.ZodType<Record<string, unknown>> {
  const known = schemas.get(of) ?? new Map<Mode, z.ZodType<Record<string, unknown>>>()
  schemas.set(of, known)
  const made = known.get(mode) ?? record(of.fields, mode)
  known.set(mode, made)
  return made
}

const bodySchemas = new WeakMap<object, z.ZodType>()
/** The schema of a declared call's body: fields of an object, or one field that is all of it. */
export function bodySchema<const B extends CallBody>(body: B): z.ZodType<BodyParsed<B>> {
  const known = bodySchemas.get(body)
  if (known) return known as z.ZodType<BodyParsed<B>>
  const made = isSingleField(body) ? entry(body, 'create') : record(body, 'create')
  bodySchemas.set(body, made)
  return made as z.ZodType<BodyParsed<B>>
}
/** The schema of declared query parameters; each may be left out, an empty or blank one counts as left out. */
export function querySchema(fields: Fields): z.ZodType {
  const known = bodySchemas.get(fields)
  if (known) return known
  const parsed = record(fields, 'patch')
  const made = z
    .unknown()
    .transform((sent) =>
      Object.fromEntries(
        Object.entries(isRecord(sent) ? sent : {}).filter(
          ([, value]) => typeof value !== 'string' || value.trim() !== '',
        ),
      ),
    )
    .pipe(parsed as z.ZodType<Record<string, unknown>, Record<string, unknown>>)
  bodySchemas.set(fields, made)
  return made
}
/** Tells a single field from fields by name (one of which may be called `kind`). */
export const isSingleField = (of: Fields | Field): of is Field =>
  typeof of.kind === 'object' && 'kind' in of.kind && typeof of.kind.kind === 'string'

/** Problems by field, nested as the payload is; lists of objects become arrays with `{}` for the good ones. */
export type Problems = { [name: string]: Problem[] | Problems | (Problems | Problem[])[] }

export function problemsOf(issues: readonly z.core.$ZodIssue[]): Problems {
  const root: Problems = {}
  for (const issue of issues) {
    const problem = problemOf(issue)
    addProblem(
      root,
      issue.path.length === 0 ? ['non_field_errors'] : issue.path.map((part) => String(part)),
      problem,
    )
  }
  return root
}
/** Of lists of objects the good items are told, too, as `{}`: there are as many as were sent. */
export function withGoodItems(problems: Problems, sent: unknown): Problems {
  if (typeof sent !== 'object' || sent === null) return problems
  return Object.fromEntries(
    Object.entries(problems).map(([name, told]) => {
      if (Array.isArray(told)) return [name, told]
      const given = (sent as Readonly<Record<string, unknown>>)[name]
      const inside = withGoodItems(told, given)
      const isItems = Array.isArray(given) && Object.values(inside).every((one) => !Array.isArray(one))
      return [
        name,
        isItems ? Object.fromEntries(given.map((_item, at) => [at, inside[String(at)] ?? {}])) : inside,
      ]
    }),
  )
}
function problemOf(issue: z.core.$ZodIssue): Problem {
  const params = issue.code === 'custom' ? (issue.params as Problem | undefined) : undefined
  return params?.key ? params : { key: 'error' }
}
/** Tells of a problem at its place: `['steps', '2', 'port']`. */
export function addProblem(into: Problems, path: readonly string[], problem: Problem): void {
  const [name = 'non_field_errors', ...rest] = path
  const present = into[name]
  if (rest.length === 0) {
    if (Array.isArray(present)) (present as Problem[]).push(problem)
    else if (present === undefined) into[name] = [problem]
    return
  }
  if (present === undefined) into[name] = {}
  const next = into[name]
  if (next !== undefined && !Array.isArray(next)) addProblem(next, rest, problem)
}
