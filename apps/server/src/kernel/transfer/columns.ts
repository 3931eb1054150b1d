/** Which columns the tables of a resource have, and what their titles say. */
import { type Field, labelOf, type Language, type Resource } from '@sallyport/contract'
import type { Context } from '../context.ts'

export interface Column {
  name: string
  title: string
  field: Field
}

const templates = ['export', 'import', 'update'] as const
/** What a table is for: to be read, or to be filled in. */
export type Template = (typeof templates)[number]
export const isTemplate = (text: string): text is Template => templates.some((one) => one === text)

type Named = Pick<Resource, 'app' | 'model'>

/**
 * Titles are labels, the required ones marked. Of fields with the same label (a relation and the text that tells it) the one that can be
 * written has it for itself, so that what was exported can be imported.
 */
export function titled(of: Named, fields: readonly [string, Field][], language: Language): Column[] {
  const labeled = fields.map(([name, field]) => ({ name, field, label: labelOf(of, name, field, language) }))
  const holder = new Map<string, string>()
  for (const { name, label } of labeled.toSorted((a, b) => rank(a.field) - rank(b.field)))
    if (!holder.has(label)) holder.set(label, name)
  return labeled.map(({ name, field, label }) => {
    const own = holder.get(label) === name ? label : `${label} (${name})`
    return { name, field, title: field.options.required === true ? `*${own}` : own }
  })
}
const rank = ({ options }: Field) => (options.readOnly ? 1 : 0)

/** A list's own fields but the id of its organization, and what is declared to be no column. */
export const exportedFields = (fields: readonly [string, Field][]): [string, Field][] =>
  fields.filter(
    ([name, { options }]) => !options.writeOnly && options.exported !== false && name !== 'org_id',
  )

/** What a person may write: of a new row, or of one that is there, which its id names. */
export function writableFields(
  resource: Resource,
  ctx: Context,
  template: 'import' | 'update',
): [string, Field][] {
  return Object.entries(resource.fields).filter(([name, { options }]) => {
    if (name === 'id') return template === 'update'
    if (options.readOnly || (options.createOnly && template === 'update')) return false
    return [options.readPermission, options.writePermission].every((one) => one === undefined || ctx.can(one))
  })
}
