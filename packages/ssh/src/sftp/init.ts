import { MalformedError } from '../wire/errors.ts'
import { Reader } from '../wire/reader.ts'
import { packet } from './fields.ts'

export const init = 1
export const version = 2
/** The only version there is here. */
export const sftpVersion = 3

const maxExtensions = 128
const maxExtensionBytes = 4096

/** How both sides begin (draft-ietf-secsh-filexfer-02, 4). */
export interface SftpInit {
  version: number
  /** By their names, with what is said of each. */
  extensions: Map<string, Buffer>
}

export function readInit(number: number, payload: Buffer): SftpInit {
  const from = new Reader(payload)
  if (from.byte() !== number) throw new MalformedError('The peer does not begin with its version')
  const message: SftpInit = { version: from.uint32(), extensions: new Map() }
  while (from.left > 0) {
    if (message.extensions.size === maxExtensions) throw new MalformedError('There are too many extensions')
    const name = from.string(maxExtensionBytes).toString('latin1')
    message.extensions.set(name, Buffer.from(from.string(maxExtensionBytes)))
  }
  return message
}

export function writeInit(number: number, message: SftpInit): Buffer {
  return packet(number, (body) => {
    body.uint32(message.version)
    for (const [name, said] of message.extensions) body.string(Buffer.from(name, 'latin1')).string(said)
  })
}
