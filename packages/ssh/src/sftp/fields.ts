import { MalformedError } from '../wire/errors.ts'
import type { Reader } from '../wire/reader.ts'
import { Writer } from '../wire/writer.ts'
import { readAttributes, writeAttributes, type SftpAttributes } from './attributes.ts'

/** One part of a message, and how it is written. What is read are views into what arrived: who keeps one for long copies it. */
export interface Field<Value> {
  read(from: Reader): Value
  write(to: Writer, value: Value): void
}
export type Fields = Record<string, Field<unknown>>
export type Values<Of extends Fields> = { [Name in keyof Of]: Of[Name] extends Field<infer V> ? V : never }

/** OpenSSH takes no larger packets either, length not counted. */
export const maxPacketBytes = 256 * 1024
/** Most systems have 4 KiB, Windows 32 KiB. */
const maxPathBytes = 32_768
/** draft-ietf-secsh-filexfer-02, 6.2 */
const maxHandleBytes = 256
/** Of users or groups asked for at once. */
const maxIds = 16_384

const bytes = (maxBytes: number): Field<Buffer> => ({
  read: (from) => from.string(maxBytes),
  write: (to, value) => to.string(value),
})

/** Bytes as the file system has them, which need not be UTF-8. */
export const path = bytes(maxPathBytes)
export const handle = bytes(maxHandleBytes)
export const data = bytes(maxPacketBytes)

export const uint32: Field<number> = {
  read: (from) => from.uint32(),
  write: (to, value) => to.uint32(value),
}

export const uint64: Field<bigint> = {
  read: (from) => from.uint64(),
  write: (to, value) => to.uint64(value),
}

export const attributes: Field<SftpAttributes> = { read: readAttributes, write: writeAttributes }

/** All that is left. */
export const rest: Field<Buffer> = {
  read: (from) => from.rest(),
  write: (to, value) => to.bytes(value),
}

/** A list within a string, up to the string's end. */
const listOf = <Value>(item: Field<Value>, maxBytes: number, maxItems: number): Field<Value[]> => ({
  read(from) {
    const within = from.nested(maxBytes)
    const values: Value[] = []
    while (within.left > 0) {
      if (values.length === maxItems) throw new MalformedError('A list is too long')
      values.push(item.read(within))
    }
    return values
  },
  write(to, values) {
    const within = new Writer()
    for (const value of values) item.write(within, value)
    to.string(within.finish())
  },
})
export const ids = listOf(uint32, maxIds * 4, maxIds)
export const names = listOf(bytes(1024), maxPacketBytes, maxIds)

export function readFields<Of extends Fields>(fields: Of, from: Reader): Values<Of> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.read(from)]),
  ) as Values<Of>
}

export function writeFields<Of extends Fields>(fields: Of, to: Writer, values: Values<Of>): void {
  for (const [name, field] of Object.entries(fields)) field.write(to, values[name])
}

/** A whole packet, its length before it, in one piece. */
export function packet(number: number, write: (body: Writer) => void, bodyBytes = 256): Buffer {
  const body = new Writer(bodyBytes + 64).uint32(0).byte(number)
  write(body)
  const written = body.finish()
  written.writeUInt32BE(written.length - 4, 0)
  return written
}
