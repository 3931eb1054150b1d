/** One map from PostgreSQL's error codes (appendix A of its manual) to what a caller can do about them. */
import type { ErrorKey } from '@sallyport/contract'
import { codeOf } from '../failure.ts'

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
  // It is a standby now.
  '25006': { status: 503, key: 'unavailable' },
}
const refusedValue: Violation = { status: 400, key: 'value_refused' }
/** What a new row names was there when it was looked for, and was deleted meanwhile: the next try is told what is missing. */
const targetGone: Violation = { status: 409, key: 'busy' }
const unavailable: Violation = { status: 503, key: 'unavailable' }
const classes: Readonly<Record<string, Violation>> = {
  // Data that is none, constraints, limits of the program (too long, too deep, too many).
  '22': refusedValue,
  '23': refusedValue,
  '54': refusedValue,
  // Connections, room (on the disk, in memory, for connections), orders of the operator, the system below.
  '08': unavailable,
  '53': unavailable,
  '57': unavailable,
  '58': unavailable,
}

/** What the driver throws without a code: nobody answers, or all connections are taken. */
const unanswered =
  /^(timeout exceeded when trying to connect|timeout expired|Connection terminated|Query read timeout|Client has encountered a connection error)/
/** What the operating system says of the way to it. */
const unreached = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/

/** Of what a query failed with, or what that was caused by. Undefined for what no caller can do anything about. */
export function violationOf(error: unknown): Violation | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = codeOf(cause)
    if (code === undefined ? unanswered.test(cause.message) : unreached.test(code) || isConnecting(cause))
      return unavailable
    if (code === '23503' && cause.message.startsWith('insert')) return targetGone
    if (code !== undefined && /^[0-9A-Z]{5}$/.test(code)) return codes[code] ?? classes[code.slice(0, 2)]
  }
  return undefined
}

/** The socket is not there, or the name is known to nobody. */
const isConnecting = (error: Error) =>
  'syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo')
