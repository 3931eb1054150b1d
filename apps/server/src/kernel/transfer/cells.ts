/** From a value as the API answers it to the text of a cell. */
import type { Field, Kind } from '@sallyport/contract'
import { noValue } from '@sallyport/contract/cell-values'

type Write = (value: unknown) => string
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `name(id)`. */
function named(value: unknown): string {
  if (!isRecord(value)) return plain(value)
  const name = value['name'] ?? value['display_name'] ?? ''
  return `${plain(name)}(${plain(value['id'])})`
}

/** JSON as the compatible system writes it: with a blank behind each comma. */
const listOf = (items: readonly string[]) => `[${items.map((item) => JSON.stringify(item)).join(', ')}]`

/** What has no notation of its own. */
function plain(value: unknown): string {
  if (value === null || value === undefined) return noValue
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (isRecord(value) && value['id'] && (value['name'] ?? value['display_name']) !== undefined)
    return named(value)
  return JSON.stringify(value)
}
const bare = (value: unknown) => (isRecord(value) && 'value' in value ? value['value'] : value)

const each =
  (write: Write): Write =>
  (value) =>
    Array.isArray(value) ? listOf(value.map((item: unknown) => write(item))) : plain(value)

function itemOf({ kind, options }: Field): Write {
  const { notation } = options
  if (notation)
    return (item) => (isRecord(item) ? notation.map((part) => plain(item[part])).join('/') : plain(item))
  return kind.kind === 'objects' && 'id' in kind.fields ? named : plain
}

function writerOf(field: Field): Write {
  const kind: Kind = field.kind
  switch (kind.kind) {
    case 'choice':
      return (value) => String(bare(value))
    case 'flags':
      return each((item) => String(bare(item)))
    case 'one':
      return kind.plain ? plain : named
    case 'many':
      return each(named)
    case 'objects':
      return field.options.notation || 'id' in kind.fields ? each(itemOf(field)) : plain
    case 'list':
    case 'ids':
      return each(plain)
    default:
      return plain
  }
}

/** How the values of a field are written; what is null or was not read is `-`. */
export function cellWriter(field: Field): Write {
  const write = writerOf(field)
  return (value) => (value === null || value === undefined ? noValue : write(value))
}

/** What spreadsheets would take for a formula. */
const formula = /^'*[=+\-@\t\r]/
/** A text no spreadsheet carries out; `-` alone is none. `withoutGuard` takes the quote away again. */
export const guarded = (text: string) => (text !== noValue && formula.test(text) ? `'${text}` : text)
export const withoutGuard = (text: string) =>
  text.startsWith("'") && formula.test(text) ? text.slice(1) : text
