import { printable } from '../wire/printable.ts'

/** How a request ended (draft-ietf-secsh-filexfer-02, 7). */
export const sftpStatuses = {
  ok: 0,
  endOfFile: 1,
  noSuchFile: 2,
  permissionDenied: 3,
  failure: 4,
  badMessage: 5,
  noConnection: 6,
  connectionLost: 7,
  unsupported: 8,
} as const
export type SftpStatus = keyof typeof sftpStatuses

export const statusTexts: Record<SftpStatus, string> = {
  ok: 'Success',
  endOfFile: 'End of file',
  noSuchFile: 'No such file',
  permissionDenied: 'Permission denied',
  failure: 'Failure',
  badMessage: 'Bad message',
  noConnection: 'No connection',
  connectionLost: 'Connection lost',
  unsupported: 'Operation unsupported',
}

/** As OpenSSH's server has them; everything else is a failure. */
const statusOfCodes: Record<string, SftpStatus> = {
  EBADF: 'noSuchFile',
  ENOENT: 'noSuchFile',
  ENOTDIR: 'noSuchFile',
  ELOOP: 'noSuchFile',
  EACCES: 'permissionDenied',
  EPERM: 'permissionDenied',
  EINVAL: 'badMessage',
  ENAMETOOLONG: 'badMessage',
  ENOSYS: 'unsupported',
}

/**
 * One request did not succeed; the conversation goes on. A handler of the server throws it to say how its request ended: `message` is
 * then what the client is told. The client throws it for what the server answered.
 */
export class SftpStatusError extends Error {
  override readonly name = 'SftpStatusError'
  readonly status: SftpStatus
  /** What the peer said to it, printable; empty where it said nothing, and where no peer is behind it. */
  readonly said: string

  constructor(
    status: SftpStatus,
    message: string = statusTexts[status],
    options: ErrorOptions & { said?: Buffer } = {},
  ) {
    super(message, options)
    this.status = status
    this.said = options.said ? printable(options.said, 256) : ''
  }
}

/** The status for what a handler threw: of an error of the operating system by its code, without its text, which holds paths. */
export function statusErrorOf(error: unknown): SftpStatusError {
  if (error instanceof SftpStatusError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return new SftpStatusError(statusOfCodes[code] ?? 'failure', undefined, { cause: error })
}
