import type { Choice, FieldMetas } from '../api/metadata.ts'
import type { Filters } from './list-state.ts'

/** A field a list can be narrowed by. With choices one of them is picked, else a value is typed. */
export interface SearchOption<F extends string = string> {
  /** The parameter of the list. */
  name: F
  /** Found by parts where that is another name; an address may still ask for the whole of it. */
  field?: string
  label: string
  choices?: readonly Choice[]
}

export interface SearchTag {
  key: string
  /** Several free words each have a tag of their own under `search`. */
  value: string
  label: string
  shown: string
  /** Picked from choices: it cannot be edited by hand. */
  picked: boolean
}

/** Nobody types an id: where rows are found by what they name, a list offers that by its name (`searchFields`). */
const isFoundById = ({ type, choices }: FieldMetas[string]) =>
  choices === undefined && /related_field$|^nested object$/.test(type)

/** Fields to search by: those the server marks as filters, plus the screen's own. */
export function searchOptions(
  metas: FieldMetas,
  yesNo: readonly [string, string],
  extra: readonly SearchOption[] = [],
  exclude: readonly string[] = [],
): SearchOption[] {
  const fromServer = Object.entries(metas)
    .filter(([name, meta]) => meta.filter && !isFoundById(meta) && !exclude.includes(name))
    .map(([name, meta]): SearchOption => {
      const choices = meta.type === 'boolean' ? booleanChoices(yesNo) : meta.choices
      const label = name === 'id' ? 'ID' : (meta.label ?? name)
      return { name: meta.contained ?? name, field: name, label, choices }
    })
  const own = new Set<string | undefined>(extra.map((option) => option.name))
  return [...fromServer.filter((option) => !own.has(option.field)), ...extra]
}

function booleanChoices([yes, no]: readonly [string, string]): Choice[] {
  return [
    { value: 'true', label: yes },
    { value: 'false', label: no },
  ]
}

/** What a filter narrows by. */
export const optionOf = (options: readonly SearchOption[], key: string): SearchOption | undefined =>
  options.find(({ name }) => name === key) ?? options.find(({ field }) => field === key)

/** The tags that show the filters in force. Keys nobody knows are left out. */
export function searchTags(filters: Filters, options: readonly SearchOption[]): SearchTag[] {
  const tags: SearchTag[] = []
  for (const [key, value] of Object.entries(filters)) {
    if (key === 'search') {
      tags.push(...words(value).map((word) => ({ key, value: word, label: '', shown: word, picked: false })))
      continue
    }
    const option = optionOf(options, key)
    if (option) {
      const choice = option.choices?.find((known) => String(known.value) === value)
      tags.push({
        key,
        value,
        label: option.label,
        shown: choice?.label ?? value,
        picked: choice !== undefined,
      })
    }
  }
  return tags
}

/** The filters with one more: a word is added to the others, a field's value takes the place of its last one. */
export function withTag(filters: Filters, key: string, value: string): Filters {
  const text = value.trim()
  if (key !== 'search') {
    return text ? { ...filters, [key]: text } : without(filters, key)
  }
  const all = new Set([...words(filters['search'] ?? ''), ...words(text)])
  return all.size > 0 ? { ...filters, search: [...all].join(',') } : filters
}

/** The filters without a tag. */
export function withoutTag(filters: Filters, tag: Pick<SearchTag, 'key' | 'value'>): Filters {
  if (tag.key !== 'search') {
    return without(filters, tag.key)
  }
  const left = words(filters['search'] ?? '').filter((word) => word !== tag.value)
  return left.length > 0 ? { ...filters, search: left.join(',') } : without(filters, 'search')
}

/** The filters without any tag: what the list is narrowed to in another way, as by a tree beside it, stays. */
export const withoutTags = (filters: Filters, options: readonly SearchOption[]): Filters =>
  searchTags(filters, options).reduce<Filters>(withoutTag, filters)

function without(filters: Filters, key: string): Filters {
  return Object.fromEntries(Object.entries(filters).filter(([name]) => name !== key))
}

function words(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
}
