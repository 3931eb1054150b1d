/** The answer to OPTIONS, derived from the declaration. */
import { choiceLabels, help, labels, models } from '../messages/resources.ts'
import { find, type Language } from '../messages/language.ts'
import { choiceKey, type ChoiceSet, type FlagSet, type FlagTree } from './choices.ts'
import {
  containedIn,
  type Field,
  type Fields,
  isFoundByParts,
  isSortable,
  type Kind,
  value,
} from './field.ts'
import { type Callable, type CallBody, type CallSpec, methodsOf } from './calls.ts'
import { modelOf, type Resource } from './resource.ts'
import { isSingleField } from './schema.ts'

type Named = Pick<Callable, 'app' | 'model'>

export interface FieldMetadata {
  type: string
  required: boolean
  read_only: boolean
  write_only: boolean
  label: string
  help_text?: string
  default?: unknown
  max_length?: number
  min_length?: number
  /** What it has to look like, where the type does not say it; ours. */
  pattern?: 'address' | 'word' | 'cron' | 'attributes'
  min_value?: number
  max_value?: number
  /** Of a file. */
  max_bytes?: number
  choices?: { value: string | number | boolean; label: string }[]
  tree?: TreeChoice[]
  child?: Partial<FieldMetadata> & { type: string }
  children?: Record<string, FieldMetadata>
  filter?: true
  /** The parameter that finds it by parts, where there is one; ours. */
  contained?: string
  order?: true
}
export interface TreeChoice {
  value: string
  label: string
  children?: TreeChoice[]
}
export interface ResourceMetadata {
  name: string
  description: string
  renders: string[]
  parses: string[]
  actions: Partial<Record<'GET' | 'POST' | 'PUT' | 'PATCH', Record<string, FieldMetadata>>>
}

export const labelOf = (of: { app: string; model: string }, name: string, field: Field, language: Language) =>
  (field.options.label && find(labels, language, field.options.label)) ??
  find(labels, language, `${modelOf(of)}.${name}`) ??
  find(labels, language, name) ??
  name
export const choiceLabel = (set: { name: string }, value: string | number | boolean, language: Language) =>
  find(choiceLabels, language, choiceKey(set, value)) ?? String(value)
export const modelLabel = (of: { app: string; model: string }, language: Language) =>
  find(models, language, modelOf(of)) ?? of.model

function typeOf(kind: Kind): string {
  switch (kind.kind) {
    case 'text':
      return kind.pattern === 'email' || kind.pattern === 'url' ? kind.pattern : 'string'
    case 'secret':
    case 'phone':
      return 'string'
    case 'integer':
    case 'float':
    case 'boolean':
    case 'datetime':
    case 'json':
    case 'list':
      return kind.kind
    case 'choice':
      return kind.plain ? 'choice' : 'labeled_choice'
    case 'flags':
      return 'tree'
    case 'attributes':
      return 'json'
    case 'one':
      return kind.plain ? 'field' : kind.nested ? 'nested object' : 'object_related_field'
    case 'many':
      return 'm2m_related_field'
    case 'object':
      return 'nested object'
    case 'file':
      return kind.isPicture ? 'image upload' : 'file upload'
    default:
      return 'field'
  }
}

function treeOf(set: FlagSet, node: FlagTree, language: Language): TreeChoice {
  const label = choiceLabel(set, node.group, language)
  return {
    value: label,
    label,
    children: node.children.map((child) =>
      typeof child === 'string'
        ? { value: child, label: choiceLabel(set, child, language) }
        : treeOf(set, child, language),
    ),
  }
}

const choicesOf = (set: ChoiceSet, language: Language) =>
  set.values.map((value) => ({ value, label: choiceLabel(set, value, language) }))

function describe(of: Named, name: string, field: Field, language: Language): FieldMetadata {
  const { kind, options } = field
  const described: FieldMetadata = {
    type: typeOf(kind),
    required: options.required === true,
    read_only: options.readOnly === true,
    write_only: options.writeOnly === true,
    label: labelOf(of, name, field, language),
  }
  const helpText = options.help && find(help, language, options.help)
  if (helpText) described.help_text = helpText
  if (options.default !== undefined && options.default !== '') described.default = options.default
  if (kind.kind === 'text' || kind.kind === 'secret') {
    if (kind.max !== undefined) described.max_length = kind.max
    if (kind.kind === 'text' && kind.min !== undefined) described.min_length = kind.min
    if (
      kind.kind === 'text' &&
      (kind.pattern === 'address' || kind.pattern === 'word' || kind.pattern === 'cron')
    )
      described.pattern = kind.pattern
  }
  if (kind.kind === 'attributes') described.pattern = 'attributes'
  if (kind.kind === 'integer') {
    if (kind.min !== undefined) described.min_value = kind.min
    if (kind.max !== undefined) described.max_value = kind.max
  }
  if (kind.kind === 'file') described.max_bytes = kind.maxBytes
  if (kind.kind === 'choice') described.choices = choicesOf(kind.choices, language)
  if (options.oneOf)
    Object.assign(described, {
      type: 'choice',
      required: true,
      choices: choicesOf(options.oneOf, language),
    })
  if (kind.kind === 'flags') described.tree = [treeOf(kind.flags, kind.flags.tree, language)]
  if (kind.kind === 'object') described.children = describeAll(of, kind.fields, language)
  if (kind.kind === 'one' && kind.nested)
    described.children = describeAll(
      of,
      Object.fromEntries(kind.shows.map((one) => [one, value()])),
      language,
    )
  if (kind.kind === 'objects')
    described.child = { type: 'nested object', children: describeAll(of, kind.fields, language) }
  return described
}
const describeAll = (of: Named, fields: Fields, language: Language) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, describe(of, name, field, language)]),
  )

/** A filter of the resource called as the field is: it finds the field by its own rule. */
const isFilter = ({ filters }: Resource, name: string) =>
  filters[name] !== undefined && filters[name].kind !== 'modifier'

function forGet(of: Resource, language: Language): Record<string, FieldMetadata> {
  const described = describeAll(of, of.fields, language)
  for (const [name, field] of Object.entries(of.fields)) {
    const entry = described[name]
    if (!entry) continue
    if (field.options.filter || isFilter(of, name)) entry.filter = true
    if (isFoundByParts(field)) entry.contained = containedIn(name)
    if (of.actions.includes('list') && isSortable(field)) entry.order = true
  }
  return described
}

const renders = ['application/json', 'text/csv', 'application/xlsx']
const parses = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/csv',
  'text/xlsx',
  '*/*',
]

/** `on` tells a list address from a detail address; PATCH never requires a field. */
export function metadataOf(of: Resource, language: Language, on: 'list' | 'detail'): ResourceMetadata {
  const written = () => describeAll(of, of.fields, language)
  const actions: ResourceMetadata['actions'] = {}
  if (of.actions.includes('list') || of.actions.includes('retrieve')) actions.GET = forGet(of, language)
  if (on === 'list' && of.actions.includes('create')) actions.POST = written()
  if (of.actions.includes('update') && (on === 'detail' || of.bulk)) {
    actions.PUT = written()
    actions.PATCH = Object.fromEntries(
      Object.entries(written()).map(([name, entry]) => [name, { ...entry, required: false }]),
    )
  }
  return {
    name: `${modelLabel(of, language)} ${on === 'list' ? 'List' : 'Instance'}`,
    description: '',
    renders,
    parses,
    actions,
  }
}

/** The same at an address that is served by hand, with what each of its methods takes. */
export const addressMetadata = (name: string, actions: ResourceMetadata['actions']): ResourceMetadata => ({
  name,
  description: '',
  renders,
  parses,
  actions,
})

/** The fields a call's answer shows by its own declaration; undefined where it shows rows as their resource does, or none. */
function shownBy({ answer }: CallSpec): Fields | undefined {
  switch (answer?.kind) {
    case 'list':
    case 'object':
      return answer.fields
    case 'rows':
    case 'json':
      return answer.shows
    default:
      return undefined
  }
}

/** By which fields a call sorts the list it answers. */
export const sortedBy = ({ answer, query }: CallSpec): string[] =>
  answer?.kind === 'list' && query !== undefined && 'order' in query
    ? Object.entries(answer.fields).flatMap(([name, field]) => (isSortable(field) ? [name] : []))
    : []

/** The fields of a body; of one that is a list, those of its items. */
const takenBy = (body: CallBody): Fields =>
  !isSingleField(body) ? body : body.kind.kind === 'objects' ? body.kind.fields : {}

/**
 * The answer to OPTIONS at the address of declared calls: for each method what it takes, and for GET the fields of what it shows where the
 * calls themselves declare them.
 */
export function callMetadata(of: Callable, calls: readonly CallSpec[], language: Language): ResourceMetadata {
  const taken = calls.flatMap((call) => {
    const { body } = call
    return methodsOf(call).flatMap((method) => {
      if (method === 'DELETE') return []
      const fields = body === undefined ? (method === 'GET' ? shownBy(call) : {}) : takenBy(body)
      if (fields === undefined) return []
      const described = describeAll(of, fields, language)
      for (const name of sortedBy(call)) Object.assign(described[name] ?? {}, { order: true })
      return [[method, described] as const]
    })
  })
  return {
    name: modelLabel(of, language),
    description: '',
    renders,
    parses,
    actions: Object.fromEntries(taken),
  }
}
