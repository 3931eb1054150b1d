import { MalformedError } from '../wire/errors.ts'
import type { Reader } from '../wire/reader.ts'
import type { Writer } from '../wire/writer.ts'

/** What is known of a file, or to be set (draft-ietf-secsh-filexfer-02, 5); what is absent is not known, or stays. */
export interface SftpAttributes {
  /** Bytes. */
  size?: bigint
  owner?: { uid: number; gid: number }
  /** As `st_mode`, with the bits of the file's type where they are known. */
  permissions?: number
  /** Seconds since 1970, of 32 bits. */
  times?: { accessed: number; modified: number }
  extended?: { type: Buffer; data: Buffer }[]
}

/** Bits of `st_mode` that say what a file is. */
export const fileTypes = {
  mask: 0o170000,
  socket: 0o140000,
  link: 0o120000,
  file: 0o100000,
  blockDevice: 0o060000,
  directory: 0o040000,
  characterDevice: 0o020000,
  fifo: 0o010000,
} as const

const flags = { size: 1, owner: 2, permissions: 4, times: 8, extended: 0x80000000 } as const
const knownFlags = 0x8000000f
const maxExtended = 64
const maxExtendedBytes = 65_536

export function readAttributes(from: Reader): SftpAttributes {
  const present = from.uint32()
  if ((present & ~knownFlags) !== 0) throw new MalformedError('There are attributes of another version')
  const attributes: SftpAttributes = {}
  if (present & flags.size) attributes.size = from.uint64()
  if (present & flags.owner) attributes.owner = { uid: from.uint32(), gid: from.uint32() }
  if (present & flags.permissions) attributes.permissions = from.uint32()
  if (present & flags.times) attributes.times = { accessed: from.uint32(), modified: from.uint32() }
  if (present & flags.extended) attributes.extended = readExtended(from)
  return attributes
}

function readExtended(from: Reader): { type: Buffer; data: Buffer }[] {
  const count = from.uint32()
  if (count > maxExtended) throw new MalformedError('There are too many extended attributes')
  return Array.from({ length: count }, () => ({
    type: from.string(maxExtendedBytes),
    data: from.string(maxExtendedBytes),
  }))
}

export function writeAttributes(to: Writer, attributes: SftpAttributes): void {
  const { size, owner, permissions, times, extended } = attributes
  to.uint32(
    ((size === undefined ? 0 : flags.size) |
      (owner ? flags.owner : 0) |
      (permissions === undefined ? 0 : flags.permissions) |
      (times ? flags.times : 0) |
      (extended ? flags.extended : 0)) >>>
      0,
  )
  if (size !== undefined) to.uint64(size)
  if (owner) to.uint32(owner.uid).uint32(owner.gid)
  if (permissions !== undefined) to.uint32(permissions)
  if (times) to.uint32(times.accessed).uint32(times.modified)
  if (extended) {
    to.uint32(extended.length)
    for (const { type, data } of extended) to.string(type).string(data)
  }
}
