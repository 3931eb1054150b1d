import { isRecord } from '../api/errors.ts'
import type { FieldMeta, FieldMetas } from '../api/metadata.ts'
import { relationPayload } from '../relation/relation.ts'
import { sealSecret } from '../secrets/secrets.ts'
import type { FieldDescription } from './form-spec.ts'
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
  return relationTypes.has(meta.type) ? value : bareValue(value)
}

/** `{value, label}` becomes its value, in arrays too. */
function bareValue(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(bareValue)
  }
  return isRecord(value) && 'value' in value && 'label' in value ? value['value'] : value
}

/** What a new form, begun as a copy of a row, starts from. */
export function copiedRow(row: FormValues, prefix: string): FormValues {
  const copy: Record<string, unknown> = { ...row }
  delete copy['id']
  for (const key of ['name', 'hostname']) {
    if (typeof copy[key] === 'string') {
      copy[key] = `${prefix}${copy[key]}`
    }
  }
  return copy
}

/**
 * What is sent: the form's fields, texts trimmed, relations as `{pk}`, secrets sealed. A secret left empty while
 * updating is left out, so it stays as it is. `extra` values go along as they are.
 */
export async function payloadOf(
  fields: readonly FieldDescription[],
  values: FormValues,
  updating: boolean,
  extra: FormValues = {},
): Promise<FormValues> {
  let payload: FormValues = extra
  for (const field of fields) {
    const value = await sentValue(field, valueAt(values, field.name))
    const keepsOld = updating && field.meta.write_only && (value === '' || value === null)
    if (field.submit && value !== undefined && !keepsOld) {
      payload = withValue(payload, field.name, value)
    }
  }
  return payload
}

async function sentValue(field: FieldDescription, value: unknown): Promise<unknown> {
  if (typeof value === 'string') {
    return field.secret ? sealSecret(value) : field.meta.write_only ? value : value.trim()
  }
  if (field.relation || relationTypes.has(field.meta.type)) {
    return relationPayload(value, field.relation)
  }
  return value
}
