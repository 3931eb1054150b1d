import { isRecord } from '../api/errors.ts'
import { relatedItems } from '../relation/relation.ts'
import { phoneText } from '../values/phone-text.ts'
import type { FieldDescription } from './form-spec.ts'
import { isRelation } from './values.ts'

/** Whether two values of a field mean the same: related rows by what they are, nothing in any of its forms. */
export function sameValue(field: FieldDescription | undefined, a: unknown, b: unknown): boolean {
  return isEqual(comparable(field, a), comparable(field, b))
}

function comparable(field: FieldDescription | undefined, value: unknown): unknown {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) {
    return null
  }
  if (field && isRelation(field)) {
    return relatedItems(value, field.relation)
      .map(({ id, label }) => String(id ?? label))
      .toSorted()
  }
  if (Array.isArray(value) && (field?.widget === 'tree' || field?.widget === 'multiple')) {
    return value.map(String).toSorted()
  }
  return field?.widget === 'phone' ? phoneText(value) || null : value
}

function isEqual(a: unknown, b: unknown): boolean {
  if (a instanceof File || b instanceof File) {
    return a === b
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]))
  }
  if (isRecord(a) && isRecord(b)) {
    const names = new Set([...Object.keys(a), ...Object.keys(b)])
    return [...names].every((name) => isEqual(a[name], b[name]))
  }
  return Object.is(a ?? null, b ?? null)
}
