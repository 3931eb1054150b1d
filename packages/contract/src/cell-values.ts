/** Between the text of a cell of a table and a value as clients send it: of a file, and of what is corrected before it is sent. */
import type { Field } from './index.ts'

/** What stands in a cell for a value that is none. */
export const noValue = '-'

/** How the cells of a column are read. Plain data: it goes to another thread, and to the console. */
export interface Reading {
  kind: 'text' | 'plain' | 'boolean' | 'number' | 'related' | 'relatedList' | 'list' | 'structure'
  isNullable: boolean
  /** What is kept there is never shown: `-` says nothing of it. */
  isHidden: boolean
  /** The parts of an item, where it is written with slashes between them. */
  notation: readonly string[] | undefined
}

const kindOf = ({ kind, options }: Field): Reading['kind'] => {
  switch (kind.kind) {
    case 'text':
    case 'secret':
      return 'text'
    case 'boolean':
      return 'boolean'
    case 'float':
      return 'number'
    case 'one':
      return kind.plain ? 'plain' : 'related'
    case 'many':
      return 'relatedList'
    case 'objects':
      return 'id' in kind.fields && !options.notation ? 'relatedList' : 'list'
    case 'flags':
    case 'list':
    case 'ids':
      return 'list'
    case 'json':
    case 'attributes':
    case 'object':
    case 'phone':
      return 'structure'
    default:
      return 'plain'
  }
}

export const readingOf = (field: Field): Reading => ({
  kind: kindOf(field),
  isNullable: field.options.nullable === true,
  isHidden: field.options.writeOnly === true,
  notation: field.options.notation,
})

/** `name(id)`, an id alone, or a name alone, which the server looks up; ids of numbers are shorter than others. */
function related(text: unknown): unknown {
  if (typeof text !== 'string') return text
  const [, name, id] = /^(.+)\(([a-f0-9-]{36}|\d{1,9})\)$/is.exec(text) ?? []
  if (name !== undefined && id !== undefined) return { pk: id.length < 36 ? Number(id) : id, name }
  return /^([0-9a-f-]{36}|\d+)$/i.test(text) ? text : { name: text }
}

function parted(item: unknown, notation: readonly string[] | undefined): unknown {
  if (notation === undefined || typeof item !== 'string') return item
  const parts = item.split('/')
  return Object.fromEntries(notation.flatMap((name, at) => (parts[at] ? [[name, parts[at].trim()]] : [])))
}

/** JSON, also with the quotes that spreadsheets and keyboards make of plain ones. */
function structured(text: string): unknown {
  if (!/^(\[[^]*\]|\{[^]*\})$/.test(text)) return text
  for (const attempt of [text, text.replaceAll(/[“”‘’']/g, '"')]) {
    try {
      return JSON.parse(attempt) as unknown
    } catch {
      continue
    }
  }
  return text
}

/** @returns undefined where the cell says nothing of the field */
export function readCell(text: string, { kind, isNullable, isHidden, notation }: Reading): unknown {
  const trimmed = text.trim()
  if (isHidden && (trimmed === noValue || trimmed === '')) return undefined
  if (isNullable && trimmed === noValue) return null
  if (kind === 'text') return text
  if (trimmed === '' || trimmed === noValue) return undefined
  switch (kind) {
    case 'boolean':
      return ['true', '1', 'yes'].includes(trimmed.toLowerCase())
    case 'number':
      return Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed
    case 'related':
      return related(structured(trimmed))
    case 'relatedList':
      return itemsOf(trimmed)
        .flatMap((item) => (typeof item === 'string' && item === trimmed ? namesIn(item) : [item]))
        .map((item) => related(item))
    case 'list':
      return itemsOf(trimmed).map((item) => parted(item, notation))
    case 'structure':
      return structured(trimmed)
    default:
      return trimmed
  }
}

/** A list without brackets: a comma is a part of a name only where the name stands before its id. */
const namesIn = (text: string) =>
  /\([a-z0-9-]{1,36}\)$/i.test(text)
    ? text.split(/(?<=\([a-z0-9-]{1,36}\))\s*,\s*/)
    : text.split(/\s*[,，、]\s*/).filter((name) => name !== '')

/** A single item need not be written as a list. */
function itemsOf(text: string): unknown[] {
  const value = structured(text)
  return Array.isArray(value) ? (value as unknown[]) : [value]
}

/** The text that is read as this value again. */
export function writeCell(value: unknown, { kind, notation }: Pick<Reading, 'kind' | 'notation'>): string {
  if (value === undefined) return ''
  if (value === null) return noValue
  switch (kind) {
    case 'boolean':
      return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : plainText(value)
    case 'related':
      return told(value)
    case 'relatedList':
      return listText(value, told)
    case 'list':
      return listText(value, (item) => joined(item, notation))
    default:
      return plainText(value)
  }
}

/** What a value that somebody took away is: nothing of it is left. */
export const emptyOf = ({ kind }: Pick<Reading, 'kind'>): unknown =>
  kind === 'text' ? '' : kind === 'list' || kind === 'relatedList' ? [] : null

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const plainText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function told(value: unknown): string {
  if (!isRecord(value) || typeof value['name'] !== 'string') return plainText(value)
  const id = value['pk'] ?? value['id']
  return id === undefined ? value['name'] : `${value['name']}(${plainText(id)})`
}

function joined(item: unknown, notation: readonly string[] | undefined): unknown {
  if (notation === undefined || !isRecord(item)) return item
  const parts = notation.map((name) => item[name] ?? '')
  const isWhole = Object.keys(item).every((name) => notation.includes(name))
  return isWhole && parts.every((part) => typeof part !== 'object')
    ? parts.map((part) => plainText(part)).join('/')
    : item
}

const listText = (value: unknown, write: (item: unknown) => unknown): string =>
  JSON.stringify((Array.isArray(value) ? value : [value]).map((item: unknown) => write(item)))
