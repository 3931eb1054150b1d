/** Why a channel is not opened (RFC 4254, 5.1). */
export const openFailures = {
  administrativelyProhibited: 1,
  connectFailed: 2,
  unknownChannelType: 3,
  resourceShortage: 4,
} as const
export type OpenFailure = keyof typeof openFailures

/** A channel that is not opened, or a request that is not granted. The connection goes on. */
export class ChannelError extends Error {
  override readonly name = 'ChannelError'
  /** Where the peer gave one. */
  readonly reason: OpenFailure | undefined
  /** What the peer said about it: printable, a line or some. */
  readonly said: string

  constructor(message: string, { reason, said = '' }: { reason?: OpenFailure; said?: string } = {}) {
    super(message)
    this.reason = reason
    this.said = said
  }
}

export function openFailureOf(code: number): OpenFailure {
  const known = Object.entries(openFailures).find(([, number]) => number === code)
  return (known?.[0] ?? 'administrativelyProhibited') as OpenFailure
}
