import { parseDatetime } from '@sallyport/contract'
import type { Context } from './context.ts'

/** A datetime of a payload or of a row, where it is a text, or one of the server's own. */
export const dateOf = (
  { zone }: Pick<Context, 'zone'>,
  value: string | Date | null | undefined,
): Date | undefined => (typeof value === 'string' ? parseDatetime(value, zone) : (value ?? undefined))
