import { isRecord } from '../api/errors.ts'
import type { FieldMeta, FieldMetas } from '../api/metadata.ts'
import { relationPayload } from '../relation/relation.ts'
import { sealSecret } from '../secrets/secrets.ts'
import { phoneText } from '../values/phone-text.ts'
import type { FieldDescription, FieldSpecs, FormSituation } from './form-spec.ts'
import { isHidden } from './rules.ts'
import { type FormValues, valueAt, withValue } from './paths.ts'

const relationTypes = new Set(['object_related_field', 'm2m_related_field'])

/**
 * What a form begins with: the row's (or the screen's) values in the form they are sent in, then the server's
 * defaults for what is still open, in nested objects too.
 */
export function beginningValues(metas: FieldMetas, given: FormValues): FormValues {
  const values: Record<string, unknown> = { ...given }
  for (const [name, meta] of Object.entries(metas)) {
    const value = beginningValue(meta, values[name])
    if (value !== undefined) {
      values[name] = value
    }
  }
  return values
}

function beginningValue(meta: FieldMeta, value: unknown): unknown {
  if (meta.type === 'nested object' && meta.children) {
    return beginningValues(meta.children, isRecord(value) ? value : {})
  }
  if (value === undefined) {
    return meta.default
  }
  if (meta.write_only && typeof value === 'string') {
    // A secret is never what a form begins with, even if somebody answers with one.
    return ''
  }
  return relationTypes.has(meta.type) ? value : bareValue(value)
}

const listTypes = new Set(['m2m_related_field', 'list', 'multiple choice', 'tree'])
const textTypes = new Set(['string', 'email', 'url'])

/** What a field holds when nothing is filled in. */
export function emptyValue({ type, child }: FieldMeta): unknown {
  if (listTypes.has(type) || child) {
    return []
  }
  return type === 'boolean' ? false : textTypes.has(type) ? '' : null
}

/** `{value, label}` becomes its value, in arrays too. */
function bareValue(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(bareValue)
  }
  return isRecord(value) && 'value' in value && 'label' in value ? value['value'] : value
}

/** What a new form, begun as a copy of a row, starts from. */
export function copiedRow(row: FormValues, prefix: string, specs: FieldSpecs = {}): FormValues {
  const { id: _id, ...copy }: Record<string, unknown> = row
  for (const [name, spec] of Object.entries(specs)) {
    if (spec?.copied === false) {
      delete copy[name]
    } else if (spec?.copied && name in copy) {
      copy[name] = spec.copied(copy[name])
    }
  }
  for (const key of ['name', 'hostname']) {
    if (typeof copy[key] === 'string' && specs[key]?.copied === undefined) {
      copy[key] = `${prefix}${copy[key]}`
    }
  }
  return copy
}

/** What goes to the server besides the form's fields, and which of those. */
interface PayloadOptions {
  /** Only these fields (PATCH); all of them unless said. */
  only?: FormValues
  /** Values that go along as they are. */
  extra?: FormValues
}

/**
 * What is sent: the form's fields in view, texts trimmed, relations as `{pk}`, secrets sealed. A secret left empty
 * while updating is left out, so it stays as it is.
 */
export async function payloadOf(
  fields: readonly FieldDescription[],
  values: FormValues,
  situation: FormSituation,
  { only, extra = {} }: PayloadOptions = {},
): Promise<FormValues> {
  let payload: FormValues = extra
  for (const field of fields) {
    if (!field.submit || isHidden(field, values, situation) || (only && !(field.name in only))) {
      continue
    }
    const typed = valueAt(values, field.name)
    const value = await sentValue(field, field.toSend ? field.toSend(typed, situation) : typed)
    const keepsOld = situation.updating && field.meta.write_only && (value === '' || value === null)
    if (value !== undefined && !keepsOld) {
      payload = withValue(payload, field.name, value)
    }
  }
  return payload
}

async function sentValue(field: FieldDescription, value: unknown): Promise<unknown> {
  if (field.columns && Array.isArray(value)) {
    return Promise.all(value.filter(isRecord).map((row) => sentRow(field.columns ?? [], row)))
  }
  if (field.widget === 'phone') {
    return phoneText(value)
  }
  if (typeof value === 'string') {
    return field.secret ? sealSecret(value) : field.meta.write_only ? value : value.trim()
  }
  return isRelation(field) ? relationPayload(value, field.relation) : value
}

/** A row of a list of objects; what has no column (its id) goes along. */
async function sentRow(columns: readonly FieldDescription[], row: FormValues): Promise<FormValues> {
  let sent = row
  for (const column of columns) {
    const value = valueAt(row, column.name)
    if (value !== undefined) {
      sent = withValue(sent, column.name, await sentValue(column, value))
    }
  }
  return sent
}

/** Whether a field names rows of another resource. */
export function isRelation(field: FieldDescription): boolean {
  return field.relation !== undefined || relationTypes.has(field.meta.type)
}
