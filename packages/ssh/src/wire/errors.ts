/** Why a connection is ended, as it is told to the peer (RFC 4253, 11.1). */
export const disconnectReasons = {
  hostNotAllowed: 1,
  protocolError: 2,
  keyExchangeFailed: 3,
  macError: 5,
  serviceNotAvailable: 7,
  versionNotSupported: 8,
  hostKeyNotVerifiable: 9,
  connectionLost: 10,
  byApplication: 11,
  tooManyConnections: 12,
  cancelledByUser: 13,
  noMoreMethods: 14,
  illegalUserName: 15,
} as const
export type DisconnectReason = keyof typeof disconnectReasons

/** Ends the connection it happens on. Its message holds nothing that is secret, and nothing the peer wrote. */
export class SshError extends Error {
  override readonly name: string = 'SshError'
  readonly reason: DisconnectReason

  constructor(reason: DisconnectReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** What was read is not what the standard says: too short, too long, or of a form that is not allowed. */
export class MalformedError extends SshError {
  override readonly name = 'MalformedError'

  constructor(message: string) {
    super('protocolError', message)
  }
}

/** The peer did not say in time what it had to. */
export class TimeoutError extends SshError {
  override readonly name = 'TimeoutError'

  constructor(message: string) {
    super('connectionLost', message)
  }
}

/** There is nothing both sides know. */
export class NoCommonAlgorithmError extends SshError {
  override readonly name = 'NoCommonAlgorithmError'

  constructor(message: string) {
    super('keyExchangeFailed', message)
  }
}
