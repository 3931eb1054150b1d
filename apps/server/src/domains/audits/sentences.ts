/** What the books hold, in the words of the reader: operations as sentences, changes by the labels of their fields. */
import {
  callLabels,
  choiceLabel,
  choiceLabels,
  type Field,
  find,
  formatDatetime,
  isSingleton,
  type Language,
  labelOf,
  labels,
  models,
  namesOf,
  type Resource,
  translate,
} from '@sallyport/contract'
import * as resources from '@sallyport/contract/resources/index'
import { texts } from '@sallyport/contract/messages/apps/audits'
import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { callKey } from './recording.ts'
import { operateLogs } from './tables.ts'

const declared = new Map(
  (Object.values(resources) as unknown[])
    .filter((value): value is Resource => typeof value === 'object' && value !== null && 'fields' in value)
    .map((resource) => [`${resource.app}.${resource.model}`, resource]),
)

/** What a resource is called in the middle of a sentence; what begins with an abbreviation stays as it is. */
function nounOf(resourceType: string, language: Language): string {
  const label = find(models, language, resourceType) ?? resourceType
  return /^\p{Lu}\p{Ll}/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
}

/** What of a change decides how its sentence reads: the call it was, what became of `is_active`, and the fields it changed. */
export interface Deed {
  call: string | null
  active: string | null
  fields: readonly string[]
}
export const deedOf = (diff: Readonly<Record<string, readonly [string, string]>> | null): Deed => ({
  call: diff?.[callKey]?.[1] ?? null,
  active: diff?.['is_active']?.[1] ?? null,
  fields: Object.keys(diff ?? {}),
})
/** The same of a row that is read, with what else its sentence is made of, whichever fields were asked for. */
export const operatedDeed: SQL = sql`jsonb_build_object('user', ${operateLogs.user}, 'action', ${operateLogs.action},
  'resource_type', ${operateLogs.resource_type}, 'resource', ${operateLogs.resource},
  'call', ${operateLogs.diff} -> ${callKey}::text ->> 1, 'active', ${operateLogs.diff} -> 'is_active' ->> 1,
  'fields', array(select jsonb_object_keys(${operateLogs.diff})))`

export interface Operated {
  user: string
  action: string
  resource_type: string
  resource: string
}

const switched: Readonly<Record<string, 'did_enable' | 'did_disable'>> = {
  Yes: 'did_enable',
  No: 'did_disable',
}
const isKnown = (key: string): key is keyof typeof texts.en => key in texts.en

const isOne = (resourceType: string) => {
  const resource = declared.get(resourceType)
  return resource !== undefined && isSingleton(resource)
}

/** `Ann(ann) disabled the user bob`. */
export function sentenceOf(operated: Operated, { call, active, fields }: Deed, language: Language): string {
  const words = {
    user: operated.user,
    type: nounOf(operated.resource_type, language),
    name: operated.resource,
  }
  if (call !== null) {
    const label = find(callLabels, language, `${operated.resource_type}.${call}`) ?? call
    return translate(texts, language, 'did_call', { ...words, call: label })
  }
  const state = operated.action === 'update' ? switched[active ?? ''] : undefined
  // Whoever reads that somebody was disabled is not to miss what else was changed with it.
  if (state && fields.length > 1) {
    const named = fields.map((name) => fieldLabel(operated.resource_type, name, language)).join(', ')
    return translate(texts, language, 'did_update_fields', { ...words, fields: named })
  }
  const key = state ?? `did_${operated.action}`
  // What there is one of, without a name, is in the books with the names of its fields: what changed is told beside the sentence.
  if (operated.resource.startsWith('[') && isOne(operated.resource_type)) words.name = ''
  return isKnown(key) ? translate(texts, language, key, words).trimEnd() : Object.values(words).join(' ')
}

/** A stored field name as the reader calls it. */
function fieldLabel(resourceType: string, name: string, language: Language): string {
  const resource = declared.get(resourceType)
  const field = resource?.fields[name]
  return resource && field ? labelOf(resource, name, field, language) : (find(labels, language, name) ?? name)
}

/** One side of a change as the reader would have chosen or typed it; times in the reader's zone. */
function sideOf(field: Field | undefined, stored: string, ctx: Context): string {
  const { language } = ctx
  if (stored === '') return translate(texts, language, 'empty')
  const { kind } = field ?? {}
  switch (kind?.kind) {
    case 'boolean':
      return translate(texts, language, stored === 'Yes' ? 'yes' : 'no')
    case 'choice':
      return choiceLabel(kind.choices, stored, language)
    case 'flags': {
      const names = namesOf(kind.flags, Number(stored))
      return (
        names.map((name) => choiceLabel(kind.flags, name, language)).join(', ') ||
        translate(texts, language, 'empty')
      )
    }
    case 'datetime': {
      const date = new Date(stored)
      return Number.isNaN(date.getTime()) ? stored : formatDatetime(date, ctx.zone)
    }
    case 'many':
    case 'list':
    case 'objects':
      return stored.replaceAll(',', ', ')
    default:
      return stored
  }
}

/** The database keeps keys in an order of its own; people know the order of the form. */
function inDeclaredOrder<V>(resourceType: string, diff: Readonly<Record<string, V>>): [string, V][] {
  const order = Object.keys(declared.get(resourceType)?.fields ?? {})
  return Object.entries(diff).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
}

export interface ShownChange {
  field: string
  before: string
  after: string
}

/** What an operation changed, field by field. */
export function changesOf(
  ctx: Context,
  resourceType: string,
  diff: Readonly<Record<string, readonly [string, string]>>,
): ShownChange[] {
  const fields = declared.get(resourceType)?.fields
  // What people prove themselves with is no field of theirs: what became of it is told by a code.
  const factorWord = (code: string) => find(choiceLabels, ctx.language, `mfa_change.${code}`) ?? code
  return inDeclaredOrder(resourceType, diff).map(([name, [before, after]]) =>
    name === callKey
      ? {
          field: translate(texts, ctx.language, 'call'),
          before: '',
          after: find(callLabels, ctx.language, `${resourceType}.${after}`) ?? after,
        }
      : {
          field: fieldLabel(resourceType, name, ctx.language),
          before: sideOf(fields?.[name], before, ctx),
          after: sideOf(fields?.[name], name === 'mfa' ? factorWord(after) : after, ctx),
        },
  )
}

/** A code in words; what is no known code is shown as it was stored. */
export const known = (set: string, value: unknown, language: Language) =>
  find(choiceLabels, language, `${set}.${String(value)}`) ?? value
