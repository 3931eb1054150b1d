import { type DisconnectReason, disconnectReasons, SshError } from '../wire/errors.ts'
import { message } from '../wire/messages.ts'
import { printable } from '../wire/printable.ts'
import { Reader } from '../wire/reader.ts'
import { Writer } from '../wire/writer.ts'

const maxTextBytes = 4096
const maxShownChars = 256

/** The peer ended the connection and said why. */
export class PeerDisconnectError extends SshError {
  override readonly name = 'PeerDisconnectError'
  /** What it wrote, bounded and printable. */
  readonly peerText: string

  constructor(reason: DisconnectReason, peerText: string) {
    super(reason, 'The peer ended the connection')
    this.peerText = peerText
  }
}

export function writeDisconnect(reason: DisconnectReason, text: string): Buffer {
  return new Writer()
    .byte(message.disconnect)
    .uint32(disconnectReasons[reason])
    .string(text)
    .string('')
    .finish()
}

/** RFC 4253, 11.1. Some leave the language out. */
export function readDisconnect(payload: Buffer): PeerDisconnectError {
  const reader = new Reader(payload, 1)
  const code = reader.uint32()
  const text = printable(reader.string(maxTextBytes), maxShownChars)
  const names = Object.keys(disconnectReasons) as DisconnectReason[]
  const reason = names.find((name) => disconnectReasons[name] === code) ?? 'byApplication'
  return new PeerDisconnectError(reason, text)
}
