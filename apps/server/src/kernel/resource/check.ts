/** At start-up: a declaration and its binding say the same. What one of them has alone would be ignored without a word. */
import { type Field, type FieldOptions, type Fields, modelOf } from '@sallyport/contract'
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { RelatedTable, Served } from './binding.ts'
import { columnOf, isThrough, storedIn } from './fields.ts'
import { innerOf } from './nested.ts'
import { checkRows } from './rows.ts'

/**
 * `shown`: fields that are worked out when a row is presented.
 * @throws Error naming the resource and what of its declaration nothing carries out, or of its binding nothing declares
 */
export function checkServed(served: Served, shown: readonly string[] = []): void {
  checkRows(served)
  const faults = [
    ...Object.entries(served.resource.fields).flatMap(([name, field]) =>
      shown.includes(name) ? [] : fieldFaults(served, name, field),
    ),
    ...filterFaults(served),
    ...unknownNames(served),
    ...countFaults(served),
  ]
  if (faults.length > 0) throw new Error(`${modelOf(served.resource)}: ${faults.join('; ')}`)
}

function fieldFaults(served: Served, name: string, field: Field): string[] {
  const { kind, options } = field
  const table = getTableName(served.binding.table)
  if (!isKept(served, name, field) && !isWorkedOut(served, name, field))
    return [
      kind.kind === 'many'
        ? `the field ${name} has no link table`
        : `the field ${name} is no column of ${table} (${kind.kind === 'one' ? `${name}_id` : name}), and nothing computes it`,
    ]
  const [lacking] = lackingAttributes(served, name, field)
  if (lacking !== undefined) return [`what the field ${name} shows has no ${lacking}`]
  if (isMissed(served, name, field))
    return [`a new row without the field ${name} cannot be kept: require it, or say its default`]
  if (options.filter && !isNarrowed(served, name, field)) return [`nothing filters by the field ${name}`]
  if (
    options.filter === 'contained' &&
    (kind.kind !== 'text' || columnOf(served.binding.table, name) === undefined)
  )
    return [`the field ${name} is found by parts, and is no text of ${table}`]
  if (options.search && columnOf(served.binding.table, name) === undefined)
    return [`the field ${name} is searched, and is no column of ${table}`]
  if (options.search && !searchable.has(kind.kind)) return [`the field ${name} cannot be searched`]
  return insideFaults(served, [name], field)
}
/** What is text, or has so few values that they are compared with what is typed. */
const searchable: ReadonlySet<Field['kind']['kind']> = new Set(['text', 'choice', 'boolean', 'uuid'])

/** What can be said of a field of a row, and nothing carries out for one inside an object. */
const ofRowsOnly = [
  'filter',
  'search',
  'show',
  'readPermission',
  'writePermission',
  'exported',
  'notation',
] as const satisfies readonly (keyof FieldOptions)[]

/** Of an object, or of what lists hold: what its fields say and nobody carries out. */
function insideFaults(served: Served, path: readonly string[], field: Field, isItem = false): string[] {
  const inner = innerOf(field)
  if (inner === undefined) return []
  const isList = isItem || field.kind.kind === 'objects'
  const defaults = Object.entries(inner).filter(([, { options }]) => options.default !== undefined)
  const { required, nullable, readOnly, default: own } = field.options
  const isForgotten = field.kind.kind === 'object' && !required && !nullable && !readOnly && own === undefined
  const [forgotten] = isForgotten ? defaults : []
  return [
    ...(forgotten
      ? [
          `nothing takes the default of ${[...path, forgotten[0]].join('.')} when ${path.join('.')} is not sent: it needs one, too`,
        ]
      : []),
    ...Object.entries(inner).flatMap(([name, child]) => {
      const at = [...path, name]
      const told = at.join('.')
      const idle = ofRowsOnly.filter(
        (option) => child.options[option] !== undefined && child.options[option] !== false,
      )
      return [
        ...idle.map((option) => `nothing carries out ${option} of ${told}, which is inside an object`),
        ...(isList && child.options.createOnly
          ? [`${told} cannot be kept: lists are replaced as a whole`]
          : []),
        ...relatedFaults(served, told, child),
        ...insideFaults(served, at, child, isList),
      ]
    }),
  ]
}

function relatedFaults({ binding }: Served, path: string, { kind }: Field): string[] {
  if (kind.kind !== 'one' && kind.kind !== 'many') return []
  const relation = binding.relations?.[path]
  if (relation === undefined || isThrough(relation)) return [`${path} has no related table`]
  if (!kind.shows.includes('id')) return [`${path} does not show the id it is known by`]
  return lacking(relation, kind.shows).map((attribute) => `what ${path} shows has no ${attribute}`)
}
const lacking = ({ table, attributes }: RelatedTable, shows: readonly string[]) =>
  shows.filter((one) => (attributes?.[one] ?? columnOf(table, one)) === undefined)

/** Where what is sent for a field stays, and where it is read. */
function isKept(served: Served, name: string, field: Field): boolean {
  const { table, relations } = served.binding
  const relation = relations?.[name]
  if (field.kind.kind === 'many') return relation !== undefined && isThrough(relation)
  // The name of the organization is looked up by its id.
  if (name === 'org_name') return columnOf(table, 'org_id') !== undefined
  if (storedIn(served, name, field) === undefined) return false
  return field.kind.kind !== 'one' || field.kind.plain || (relation !== undefined && !isThrough(relation))
}

/** Attributes of related rows that are shown, and that these have not. */
function lackingAttributes({ binding }: Served, name: string, { kind }: Field): string[] {
  const relation = binding.relations?.[name]
  const isShown = kind.kind === 'many' || (kind.kind === 'one' && !kind.plain)
  if (!isShown || relation === undefined || binding.computed?.[name] !== undefined) return []
  return lacking(isThrough(relation) ? relation.target : relation, kind.shows)
}

/** What is no column is computed to be read, and taken by a hook where it is sent. */
function isWorkedOut({ resource, binding }: Served, name: string, { options }: Field): boolean {
  const isSent =
    !options.readOnly && resource.actions.some((action) => action === 'create' || action === 'update')
  const isTaken = (binding.ahead ?? binding.prepare ?? binding.saved) !== undefined
  const isRead = options.writeOnly === true || binding.computed?.[name] !== undefined
  return isRead && (isTaken || !isSent)
}

/** Whether nothing may be sent for a column that must hold something, with nobody to say what. */
function isMissed({ resource, binding }: Served, name: string, field: Field): boolean {
  const { required, readOnly, default: own } = field.options
  const column = storedIn({ resource, binding }, name, field)
  const isSaid = [required, readOnly, own !== undefined, column?.hasDefault].includes(true)
  const isLeftToHooks = (binding.ahead ?? binding.prepare ?? binding.defaults) !== undefined
  return column?.notNull === true && resource.actions.includes('create') && !isSaid && !isLeftToHooks
}

const isNarrowed = (served: Served, name: string, field: Field) =>
  served.binding.filters?.[name] !== undefined ||
  storedIn(served, name, field) !== undefined ||
  (field.kind.kind === 'many' && isKept(served, name, field))

function filterFaults({ resource, binding: { filters = {} } }: Served): string[] {
  return Object.entries(resource.filters).flatMap(([name, { kind }]) => {
    if (kind === 'modifier') return filters[name] ? [`the modifier ${name} is bound as a filter`] : []
    return filters[name] === undefined ? [`nothing carries out the filter ${name}`] : []
  })
}

function countFaults({ binding: { table, counts } }: Served): string[] {
  return Object.keys(counts ? getTableColumns(counts) : {}).flatMap((name) =>
    name === 'amount' || columnOf(table, name) ? [] : [`it is counted by ${name}, which is no column`],
  )
}

/** Whether there is a field at the path of a relation. */
function isRelated(fields: Fields, [name = '', ...rest]: readonly string[]): boolean {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  return field !== undefined && (rest.length === 0 || isRelated(innerOf(field) ?? {}, rest))
}

function unknownNames({ resource, binding }: Served): string[] {
  const isField = (name: string) => Object.hasOwn(resource.fields, name)
  const isFilter = (name: string) => isField(name) || Object.hasOwn(resource.filters, name)
  const unknown = (what: string, of: object | undefined, isKnown: (name: string) => boolean) =>
    Object.keys(of ?? {})
      .filter((name) => !isKnown(name))
      .map((name) => `the ${what} ${name} is not declared`)
  return [
    ...unknown('filter', binding.filters, isFilter),
    ...unknown('relation', binding.relations, (path) => isRelated(resource.fields, path.split('.'))),
    ...unknown('computed field', binding.computed, isField),
    ...unknown('order', binding.orders, isField),
    ...unknown('field of codes', binding.codes, isField),
  ]
}
