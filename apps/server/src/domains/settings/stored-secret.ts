/** A stored secret goes only where it was stored for: whoever could change the place alone would have it sent to themselves. */
import { isDeepStrictEqual } from 'node:util'
import type { ErrorKey, SecretSettingName, SettingName, SettingValues } from '@sallyport/contract'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import type { CheckConfirmed } from './pages.ts'
import type { Settings } from './service.ts'

type Values = Partial<SettingValues> & { [name in SecretSettingName]?: string | null }

export interface StoredSecret {
  secret: SecretSettingName
  /** Where it goes, whose it is, and whether others can read it on the way. */
  place: readonly SettingName[]
}

/** Whether what is sent makes one of these another; unset, off and empty are one. */
export const changes = (names: readonly SettingName[], sent: Values, before: Values): boolean =>
  names.some(
    (name) => sent[name] !== undefined && !isDeepStrictEqual(sent[name] || null, before[name] || null),
  )

/** @throws ApiError 400 with `again` where the place becomes another and the secret is not sent with it */
export function keepInPlace(
  { secret, place }: StoredSecret,
  { sent, before, again }: { sent: Values; before: Values; again: ErrorKey },
): void {
  const isLeft = before[secret] !== undefined && sent[secret] === undefined
  if (isLeft && changes(place, sent, before)) throw invalid(secret, again)
}

/**
 * The secret for a test: what was typed, else the stored one, if it goes where it was stored for. Where `others` are changed, too, the
 * caller has to have confirmed who they are.
 */
export async function secretToTry(
  ctx: Context,
  { secret, place }: StoredSecret,
  asked: {
    sent: Values
    stored: Values
    others: readonly SettingName[]
    settings: Settings
    checkConfirmed: CheckConfirmed
  },
): Promise<string | undefined> {
  const { sent, stored, others, settings, checkConfirmed } = asked
  if (sent[secret]) return sent[secret]
  if (changes(place, sent, stored)) return undefined
  const kept = await settings.secret(ctx.db, secret)
  if (kept !== undefined && changes(others, sent, stored)) await checkConfirmed(ctx)
  return kept
}
