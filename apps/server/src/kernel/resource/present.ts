/** From stored rows to the wire: choices with labels, dates in the caller's zone, flags by name. */
import {
  choiceLabel,
  type Field,
  formatDatetime,
  type Labeled,
  type Language,
  namesOf,
  rootOrgId,
} from '@sallyport/contract'
import type { Context } from '../context.ts'
import type { Served } from './binding.ts'

type Presenter = (value: unknown, ctx: Context) => unknown

const labelCaches = new Map<object, Map<string, Labeled<string | number | boolean>>>()
function labeled(set: { name: string }, value: string | number | boolean, language: Language) {
  const cache = labelCaches.get(set) ?? new Map<string, Labeled<string | number | boolean>>()
  labelCaches.set(set, cache)
  const key = `${language}.${String(value)}`
  const known = cache.get(key)
  if (known) return known
  const made = { value, label: choiceLabel(set, value, language) }
  // Stored values outside the set (older data) are few, but must not grow the cache without end.
  if (cache.size < 1000) cache.set(key, made)
  return made
}

/** PostgreSQL's texts, of whose years below 100 Date makes those of this century unless they are written as ISO-8601. */
const asDate = (value: unknown) => {
  if (value instanceof Date) return value
  const text = String(value)
  return new Date(text.startsWith('00') ? text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00') : text)
}

function presenterOf(field: Field): Presenter | undefined {
  const { kind } = field
  switch (kind.kind) {
    case 'choice':
      if (kind.plain) return undefined
      return (value, ctx) => labeled(kind.choices, value as string, ctx.language)
    case 'flags':
      return (value, ctx) =>
        namesOf(kind.flags, Number(value)).map((name) => labeled(kind.flags, name, ctx.language))
    case 'datetime':
      return kind.raw
        ? (value) => asDate(value).toISOString()
        : (value, ctx) => formatDatetime(asDate(value), ctx.zone)
    case 'phone':
      return (value) => phoneParts(String(value))
    case 'object':
    case 'objects': {
      const shown = Object.entries(kind.fields).map(([name, child]) => [name, presenterOf(child)] as const)
      const hidesNothing = Object.values(kind.fields).every(({ options }) => !options.writeOnly)
      if (hidesNothing && shown.every(([, present]) => present === undefined)) return undefined
      const one = (value: unknown, ctx: Context) => {
        const row: Record<string, unknown> = { ...(value as object) }
        for (const [name, present] of shown)
          if (kind.fields[name]?.options.writeOnly) delete row[name]
          else if (present && row[name] !== null && row[name] !== undefined)
            row[name] = present(row[name], ctx)
        return row
      }
      return kind.kind === 'object' ? one : (value, ctx) => (value as unknown[]).map((item) => one(item, ctx))
    }
    default:
      return undefined
  }
}

const callingCodes = ['+852', '+853', '+886', '+86', '+33', '+44', '+49', '+81', '+82', '+91', '+1', '+7']
function phoneParts(text: string) {
  if (text === '') return ''
  const code = callingCodes.find((known) => text.startsWith(known)) ?? '+86'
  return { code, phone: Number(text.slice(text.startsWith(code) ? code.length : 0).replaceAll(/\D/g, '')) }
}

const compiled = new WeakMap<Field, { present: Presenter | undefined }>()
function presenterFor(field: Field) {
  const known = compiled.get(field)
  if (known) return known.present
  const present = presenterOf(field)
  compiled.set(field, { present })
  return present
}

/** Presents a row that was read with `selectList` for the same fields. */
export function presentRow(
  { binding }: { binding: Pick<Served['binding'], 'present'> },
  fields: readonly [string, Field][],
  row: Readonly<Record<string, unknown>>,
  ctx: Context,
): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const [name, field] of fields) {
    const value = row[name]
    if (value === undefined) continue
    // Rows of all organizations are in the one that stands for all of them.
    if (name === 'org_name' || name === 'org_id') {
      const id = (value ?? rootOrgId) as string
      shown[name] = name === 'org_id' ? id : ctx.orgName(id)
      continue
    }
    const present = value === null ? undefined : presenterFor(field)
    shown[name] = present ? present(value, ctx) : value
  }
  return binding.present ? binding.present(ctx, shown) : shown
}
