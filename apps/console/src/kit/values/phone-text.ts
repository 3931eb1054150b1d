import { isRecord } from '../api/errors.ts'

/** A phone number as text, from the text or from the server's `{code, phone}`. */
export function phoneText(value: unknown): string {
  if (isRecord(value)) {
    const number = value['phone']
    return typeof number === 'number' || typeof number === 'string'
      ? `${String(value['code'])} ${number}`
      : ''
  }
  return typeof value === 'string' ? value : ''
}
