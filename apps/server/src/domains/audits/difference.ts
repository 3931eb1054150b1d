/** What differs between two stored rows: compared as they are stored, shortened only where it is shown. */
import type { Field, Resource } from '@sallyport/contract'
import type { Changed, StoredRow } from '../../kernel/events.ts'
import { shownOf } from '../../kernel/resource/nested.ts'

/** Longest text kept of one side of a change, and most fields of one change. */
export const maxSide = 1024
const maxFields = 64
const masked = '******'
/** What stands for the part of a side that is left out. */
const more = '…'
/** How much of what is the same is shown before the first difference of two long texts. */
const leadIn = 64

export type Diff = Record<string, [string, string]>
type Compared = Pick<Changed, 'resource' | 'before' | 'after'> & { secrets?: readonly string[] }

/** What every write stamps, and what a row is found by. */
const stamps = ['id', 'date_created', 'date_updated', 'created_by', 'updated_by', 'org_id', 'org_name']
const isCounted = (name: string, field: Field) =>
  !field.options.writeOnly && field.kind.kind !== 'value' && !stamps.includes(name)

/** The fields that are counted, by resource: a thousand rows ask for the same. */
const counted = new WeakMap<Resource, readonly (readonly [string, Field])[]>()
function countedFields(resource: Resource) {
  const known = counted.get(resource)
  if (known) return known
  const fields = Object.entries(resource.fields).filter(([name, field]) => isCounted(name, field))
  counted.set(resource, fields)
  return fields
}

/** The first characters; never half of a character that takes two units. */
export const cut = (text: string, max: number) => text.slice(0, max).toWellFormed()

/** A value as the books keep it: names of related objects, Yes and No, dates as ISO-8601. */
export function asText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map((item) => asText(item)).join(',')
  if (typeof value === 'object') {
    const named = value as { name?: unknown; display_name?: unknown }
    const name = named.name ?? named.display_name
    return typeof name === 'string' ? name : JSON.stringify(value)
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const isRecord = (value: unknown): value is StoredRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

/** What makes a value that value: of related objects their id, of all else the whole of it. */
function identityOf(field: Field | undefined, value: unknown): string {
  if (isEmpty(value)) return ''
  const kind = field?.kind.kind
  // They are read in the order of their names, of which several may be equal.
  if (kind === 'many' && Array.isArray(value))
    return JSON.stringify(value.map((item: unknown) => itemIdentity(field, item)).toSorted())
  return kind === 'one' ? itemIdentity(field, value) : JSON.stringify(value)
}
/** What is nothing is told without a look at the other side: of a new row there is only one. */
const isSame = (field: Field | undefined, old: unknown, now: unknown) =>
  isEmpty(old) || isEmpty(now)
    ? isEmpty(old) && isEmpty(now)
    : identityOf(field, old) === identityOf(field, now)
function itemIdentity(field: Field | undefined, item: unknown): string {
  const isRelated = field?.kind.kind === 'many' || field?.kind.kind === 'one'
  return JSON.stringify(isRelated && isRecord(item) ? (item['id'] ?? item) : item)
}

/**
 * Whether a change changed anything but the stamps of every write, in fields or in columns that are none. Of secrets the change itself
 * says which are others than before.
 */
export function differs({ resource, before, after, secrets }: Compared): boolean {
  if ((secrets ?? []).length > 0) return true
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].some((name) => {
    const field = resource.fields[name]
    if (stamps.includes(name) || (field && !isCounted(name, field))) return false
    const shown = (row: StoredRow | undefined) => (field ? shownOf(field, row?.[name]) : row?.[name])
    return !isSame(field, shown(before), shown(after))
  })
}

/** What differs between the two rows, field by field, secrets as stars. */
export function diffOf({ resource, before, after, secrets }: Compared): Diff {
  const diff: Diff = {}
  let amount = 0
  for (const [name, field] of countedFields(resource)) {
    if (amount >= maxFields) break
    const [old, now] = [before, after].map((row) => row && shownOf(field, row[name]))
    if (isSame(field, old, now)) continue
    diff[name] = sidesOf(field, old, now)
    amount += 1
  }
  for (const name of secrets ?? []) diff[name] = [before === undefined ? '' : masked, masked]
  return diff
}

/** Both sides in words that tell them apart. */
export function sidesOf(field: Field | undefined, before: unknown, after: unknown): [string, string] {
  const sides = [before, after]
  if (field?.kind.kind === 'json' && sides.some((side) => isRecord(side)) && sides.every(isMap))
    return mapSides(isRecord(before) ? before : {}, isRecord(after) ? after : {})
  const isListed = sides.some((value) => Array.isArray(value) || isRecord(value))
  return isListed
    ? listSides(field, itemsOf(before), itemsOf(after))
    : shortSides(asText(before), asText(after))
}
const itemsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : isEmpty(value) ? [] : [value])

const isMap = (value: unknown) => isEmpty(value) || isRecord(value)
/** Of what is no row, but names with a value each: those whose value is another. */
function mapSides(before: StoredRow, after: StoredRow): [string, string] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const side = (map: StoredRow) =>
    names
      .filter((name) => name in map)
      .map((name) => `${name} ${asText(map[name])}`)
      .join('; ')
  return shortSides(side(before), side(after))
}

/** Whole lists while they are short, else what was taken away and what was added. */
function listSides(field: Field | undefined, before: unknown[], after: unknown[]): [string, string] {
  const isOther = othersAmong(field, before, after)
  const telling = tellingOf([...before, ...after])
  const word = (item: unknown) => {
    const text = asText(item)
    return isOther(item) && isRecord(item) ? text + apart(item, telling.get(text) ?? new Set()) : text
  }
  const whole = [before.map(word).join(','), after.map(word).join(',')] as const
  const [gone, come] = [before.filter(isOther), after.filter(isOther)]
  if (whole.every((side) => side.length <= maxSide) || gone.length + come.length === 0)
    return shortSides(...whole)
  const part = (items: unknown[], all: unknown[]) =>
    [...(items.length < all.length ? [more] : []), ...items.map(word)].join(',')
  return [part(gone, before), part(come, after)].map(ending) as [string, string]
}

/** Whether an item of either list is not in both. */
function othersAmong(field: Field | undefined, before: unknown[], after: unknown[]) {
  if (before.length === 0 || after.length === 0) return () => true
  const identity = (item: unknown) => itemIdentity(field, item)
  const [old, now] = [new Set(before.map(identity)), new Set(after.map(identity))]
  return (item: unknown) => !(old.has(identity(item)) && now.has(identity(item)))
}

/** By the text of an object: the attributes in which objects of that text are not all equal. */
function tellingOf(items: readonly unknown[]): Map<string, ReadonlySet<string>> {
  if (items.length < 2) return new Map()
  const found = new Map<string, { first: StoredRow; telling: Set<string> }>()
  for (const item of items.filter(isRecord)) {
    const text = asText(item)
    const known = found.get(text)
    if (known === undefined) found.set(text, { first: item, telling: new Set() })
    else
      for (const name of Object.keys({ ...known.first, ...item }))
        if (JSON.stringify(known.first[name]) !== JSON.stringify(item[name])) known.telling.add(name)
  }
  return new Map([...found].map(([text, { telling }]) => [text, telling]))
}
/** `(port 2299)`, `(id 7d1c…)`. */
function apart(item: StoredRow, telling: ReadonlySet<string>): string {
  const words = [...telling].map((name) => `${name} ${asText(item[name])}`)
  return words.length > 0 ? ` (${words.join('; ')})` : ''
}

/** Of long texts the part that begins shortly before their first difference. */
function shortSides(before: string, after: string): [string, string] {
  if (before.length <= maxSide && after.length <= maxSide) return [before, after]
  let same = 0
  while (same < before.length && before[same] === after[same]) same += 1
  const from = same < maxSide - leadIn ? 0 : same - leadIn
  const side = (text: string) => ending(from > 0 ? more + text.slice(from).toWellFormed() : text)
  return [side(before), side(after)]
}
const ending = (text: string) => (text.length > maxSide ? cut(text, maxSide - 1) + more : text)
