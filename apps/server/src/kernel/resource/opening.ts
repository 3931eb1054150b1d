import { type Field, type Fields, isSingleField, maxObjects } from '@sallyport/contract'
import { ValidationError } from '../errors.ts'
import type { Secrets } from '../secrets/index.ts'

/** Longest envelope looked at; longer texts are left for the parser to refuse. */
const maxEnvelopeLength = 200_000
/** Of one request: each costs a third of a millisecond of somebody's processor. */
const maxEnvelopes = 2000

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Opener = Pick<Secrets, 'isEnvelope' | 'openEnvelopes'>
/** What becomes of the text of a secret. */
type Replace = (text: string) => string

/**
 * What was sent, with the envelopes of its secrets opened at any depth; everything else as it is. Lists that are longer than they may be
 * are left as they are, for the parser to refuse.
 * @throws ValidationError where there are more envelopes than one request may bring, ApiError 503 when too many wait already
 */
export async function openSecrets(of: Fields | Field, sent: unknown, secrets: Opener): Promise<unknown> {
  const sealed: string[] = []
  replaceSecrets(of, sent, (text) => {
    if (text.length <= maxEnvelopeLength && secrets.isEnvelope(text)) sealed.push(text)
    return text
  })
  if (sealed.length === 0) return sent
  if (sealed.length > maxEnvelopes)
    throw new ValidationError({
      non_field_errors: [{ key: 'too_many_secrets', params: { max: maxEnvelopes } }],
    })
  const opened = await secrets.openEnvelopes(sealed)
  const texts = new Map(sealed.map((text, at) => [text, opened[at]]))
  return replaceSecrets(of, sent, (text) => texts.get(text) ?? text)
}

/** The same for what is written to a resource: one row, or a list of rows. */
export const openRows = (fields: Fields, sent: unknown, secrets: Opener): Promise<unknown> =>
  openSecrets(
    Array.isArray(sent) ? { kind: { kind: 'objects', fields }, options: {} } : fields,
    sent,
    secrets,
  )

function replaceSecrets(of: Fields | Field, sent: unknown, replace: Replace): unknown {
  if (isSingleField(of)) return replaceIn(of, sent, replace)
  if (!isRecord(sent)) return sent
  // By the names that are declared: of others there may be very many.
  let changed: Record<string, unknown> | undefined
  for (const [name, field] of Object.entries(of)) {
    if (!Object.hasOwn(sent, name)) continue
    const value = replaceIn(field, sent[name], replace)
    if (value !== sent[name]) (changed ??= { ...sent })[name] = value
  }
  return changed ?? sent
}

function replaceIn({ kind }: Field, value: unknown, replace: Replace): unknown {
  switch (kind.kind) {
    case 'secret':
      return typeof value === 'string' ? replace(value) : value
    case 'object':
      return replaceSecrets(kind.fields, value, replace)
    case 'objects':
      return Array.isArray(value) && value.length <= maxObjects
        ? replaceInAll(kind.fields, value, replace)
        : value
    default:
      return value
  }
}

function replaceInAll(of: Fields, items: readonly unknown[], replace: Replace): unknown {
  const replaced = items.map((item) => replaceSecrets(of, item, replace))
  return replaced.some((item, at) => item !== items[at]) ? replaced : items
}
