import { keep } from '../packets/memory.ts'
import { message } from '../wire/messages.ts'
import { MalformedError } from '../wire/errors.ts'
import { Reader } from '../wire/reader.ts'
import { Writer } from '../wire/writer.ts'

const maxExtensions = 64
const maxValueBytes = 16 * 1024

/** Answered by the transport itself (OpenSSH's PROTOCOL, 1.9). */
export const pingExtension = 'ping@openssh.com'

export function writeExtInfo(extensions: ReadonlyMap<string, string>): Buffer {
  const writer = new Writer().byte(message.extInfo).uint32(extensions.size)
  for (const [name, value] of extensions) writer.string(name).string(value)
  return writer.finish()
}

/** RFC 8308, 2.3. Names are the first 128 characters at most; of two of one name the latter counts. */
export function readExtInfo(payload: Buffer): Map<string, Buffer> {
  const reader = new Reader(payload, 1)
  const count = reader.uint32()
  if (count > maxExtensions) throw new MalformedError('There are too many extensions')
  const extensions = new Map<string, Buffer>()
  for (let index = 0; index < count; index++)
    extensions.set(reader.name(), keep(reader.string(maxValueBytes)))
  reader.end()
  return extensions
}
