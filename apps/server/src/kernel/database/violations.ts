/** One map from PostgreSQL's error codes (appendix A of its manual) to what a caller can do about them. */
import type { ErrorKey } from '@sallyport/contract'

export interface Violation {
  status: number
  key: ErrorKey
}

const codes: Readonly<Record<string, Violation>> = {
  '23503': { status: 400, key: 'referenced_by_others' },
  '23505': { status: 400, key: 'unique' },
  // The statement's time is over.
  '57014': { status: 408, key: 'timeout' },
  // Somebody else holds the row, or would have to be waited for in a circle.
  '55P03': { status: 409, key: 'busy' },
  '40P01': { status: 409, key: 'busy' },
  '40001': { status: 409, key: 'busy' },
  '57P01': { status: 503, key: 'unavailable' },
  '57P03': { status: 503, key: 'unavailable' },
  ECONNREFUSED: { status: 503, key: 'unavailable' },
}
/** Classes: data that is none, constraints, limits of the program (too long, too deep, too many). */
const classes: ReadonlySet<string> = new Set(['22', '23', '54'])

/** Undefined for what no caller can do anything about. */
export const violationOf = (code: string): Violation | undefined =>
  codes[code] ??
  (/^[0-9A-Z]{5}$/.test(code) && classes.has(code.slice(0, 2))
    ? { status: 400, key: 'value_refused' }
    : undefined)
