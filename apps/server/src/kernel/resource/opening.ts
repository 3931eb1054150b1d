import { type Field, type Fields, isSingleField } from '@sallyport/contract'
import type { Secrets } from '../secrets/index.ts'

/** Longest envelope looked at; longer texts are left for the parser to refuse. */
const maxEnvelopeLength = 200_000

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What was sent, with the envelopes of its secrets opened at any depth; everything else as it is. */
export function openSecrets(
  of: Fields | Field,
  sent: unknown,
  secrets: Pick<Secrets, 'openEnvelope'>,
): unknown {
  if (isSingleField(of)) return openField(of, sent, secrets)
  if (!isRecord(sent)) return sent
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const field = Object.hasOwn(of, name) ? of[name] : undefined
      return [name, field ? openField(field, value, secrets) : value]
    }),
  )
}

function openField({ kind }: Field, value: unknown, secrets: Pick<Secrets, 'openEnvelope'>): unknown {
  switch (kind.kind) {
    case 'secret':
      return typeof value === 'string' && value !== ''
        ? secrets.openEnvelope(value.slice(0, maxEnvelopeLength))
        : value
    case 'object':
      return openSecrets(kind.fields, value, secrets)
    case 'objects':
      return Array.isArray(value) ? value.map((item) => openSecrets(kind.fields, item, secrets)) : value
    default:
      return value
  }
}
