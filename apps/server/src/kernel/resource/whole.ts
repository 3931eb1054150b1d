/**
 * Objects inside rows are whole before anybody works with them: of an object that is there, what is not sent stays as it is; of a new one,
 * and of every item of a list, it takes its default.
 */
import { addProblem, type Field, type Fields, type Problems } from '@sallyport/contract'
import { ValidationError } from '../errors.ts'
import type { Input } from './binding.ts'
import { innerOf, isRecord, parsedFrom, type Row } from './nested.ts'

/** One's own; most are no objects. */
const copyOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? structuredClone(value) : value

/** Input nobody else has. */
export const copiedInput = (input: Input): Input =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, copyOf(value)]))

/** What fields that are not sent begin with. */
export const defaultsOf = (fields: Fields): Input =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { options }]) =>
      options.default === undefined || options.readOnly ? [] : [[name, copyOf(options.default)]],
    ),
  )

interface Place {
  path: readonly string[]
  problems: Problems
  /** In a list nothing stays that could have been sent. */
  isItem: boolean
}

/**
 * A parsed payload with its objects whole; `before` is the row as it was read, where there is one.
 * @throws ValidationError where what is required is neither sent nor there
 */
export function wholeInput(fields: Fields, input: Input, before: Row | undefined): Input {
  const problems: Problems = {}
  const whole = { ...input }
  for (const [name, field] of Object.entries(fields))
    if (innerOf(field) && isRecordOrList(input[name]))
      whole[name] = wholeValue(field, input[name], before?.[name], { path: [name], problems, isItem: false })
  if (Object.keys(problems).length > 0) throw new ValidationError(problems)
  return whole
}
const isRecordOrList = (value: unknown) => isRecord(value) || Array.isArray(value)

function wholeValue(field: Field, value: unknown, before: unknown, place: Place): unknown {
  const inner = innerOf(field)
  if (inner === undefined) return value
  if (isRecord(value)) return wholeRow(inner, value, isRecord(before) ? before : undefined, place)
  if (!Array.isArray(value)) return value
  const olds = Array.isArray(before) ? before.filter((item) => isRecord(item)) : []
  return value.map((item: Row, at) => {
    const old = item['id'] === undefined ? undefined : olds.find(({ id }) => id === item['id'])
    return wholeRow(inner, item, old, { ...place, path: [...place.path, String(at)], isItem: true })
  })
}

function wholeRow(
  fields: Fields,
  sent: Row,
  before: Row | undefined,
  { path, problems, isItem }: Place,
): Row {
  const whole: Record<string, unknown> = { ...sent }
  for (const [name, field] of Object.entries(fields)) {
    const { options } = field
    const place = { path: [...path, name], problems, isItem }
    const old = before?.[name]
    // What is never shown stays where it is stored.
    const isHidden = options.writeOnly === true && old !== undefined && old !== null
    const stays = !isHidden && old !== undefined && (options.readOnly === true || !isItem)
    const start = isHidden || options.readOnly ? undefined : options.default
    const value = sent[name] ?? (name in sent ? null : stays ? parsedFrom(field, old) : copyOf(start))
    if (value !== undefined) whole[name] = wholeValue(field, value, old, place)
    else if (options.required && !options.readOnly && !isHidden)
      addProblem(problems, place.path, { key: 'required' })
  }
  return whole
}
