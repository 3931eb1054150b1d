import { isRecord } from '../api/errors.ts'
import type { Tone } from '../theme/tokens.ts'

/**
 * What the choices of a state look like, by the field's name and the choice's value. A field that is not here is no state: it is
 * shown as a word.
 */
const tonesOfFields: Readonly<Record<string, Readonly<Record<string, Tone>>>> = {
  is_active: { true: 'success', false: 'neutral' },
  is_valid: { true: 'success', false: 'warning' },
  is_expired: { true: 'neutral', false: 'success' },
  is_success: { true: 'success', false: 'error' },
  is_finished: { true: 'neutral', false: 'running' },
  status: { true: 'success', false: 'error', open: 'running', closed: 'neutral' },
  connectivity: { ok: 'success', err: 'error', '-': 'neutral' },
  risk_level: { 0: 'neutral', 5: 'error' },
  load: { normal: 'success', high: 'warning', critical: 'error', offline: 'neutral' },
  state: {
    accepted: 'success',
    approved: 'success',
    pending: 'warning',
    reopen: 'warning',
    refused: 'error',
    rejected: 'error',
    closed: 'neutral',
  },
}

/** The tone of a field's value, which is plain or a choice of the server (`{value, label}`); undefined for what is no state. */
export function toneOf(field: string, value: unknown): Tone | undefined {
  const tones = tonesOfFields[field]
  if (tones === undefined || value === null || value === undefined || value === '') return undefined
  return tones[String(isRecord(value) ? value['value'] : value)] ?? 'neutral'
}
