import { type ApiError, type FieldErrors, fieldErrorsOf, isRecord } from '../api/errors.ts'
import type { FieldDescription } from './form-spec.ts'

/**
 * Puts the server's answer onto the fields of the form, inside nested objects too. What belongs to no field of the
 * form comes back as `others`, so nothing said is lost.
 */
export function placeErrors(error: ApiError, fields: readonly FieldDescription[]) {
  const placed: FieldErrors = {}
  const others: string[] = []
  for (const [name, text] of Object.entries(flattened(error, fields))) {
    if (fields.some((field) => field.name === name)) {
      placed[name] = text
    } else {
      others.push(`${name}: ${text}`)
    }
  }
  return { placed, others }
}

function flattened(error: ApiError, fields: readonly FieldDescription[]): FieldErrors {
  const flat: FieldErrors = { ...error.fieldErrors }
  const body = isRecord(error.body) ? error.body : {}
  for (const name of Object.keys(error.fieldErrors)) {
    const inner = body[name]
    if (isRecord(inner) && fields.some((field) => field.name.startsWith(`${name}.`))) {
      delete flat[name]
      for (const [child, text] of Object.entries(fieldErrorsOf(inner))) {
        flat[`${name}.${child}`] = text
      }
    }
  }
  return flat
}
