import { MalformedError } from '../wire/errors.ts'
import { Reader } from '../wire/reader.ts'
import type { Writer } from '../wire/writer.ts'
import { readAttributes, writeAttributes, type SftpAttributes } from './attributes.ts'
import { sftpStatuses, statusTexts, type SftpStatus } from './errors.ts'
import {
  data,
  handle,
  maxPacketBytes,
  names,
  packet,
  readFields,
  rest,
  uint64,
  writeFields,
  type Fields,
  type Values,
} from './fields.ts'
import { readInit, version, writeInit, type SftpInit } from './init.ts'

const numbers = { status: 101, handle: 102, data: 103, name: 104, attributes: 105, extended: 201 } as const
/** Of a name or a line of a list. */
const maxNameBytes = 65_536
const minNameBytes = 12

/** A file in a directory. */
export interface SftpName {
  filename: Buffer
  /** As `ls -l` shows it. */
  longname: Buffer
  attributes: SftpAttributes
}

/** What a server answers (draft-ietf-secsh-filexfer-02, 7), by its kind. */
export type SftpAnswer =
  | { kind: 'status'; status: SftpStatus; text: Buffer; language: Buffer }
  | { kind: 'handle'; handle: Buffer }
  | { kind: 'data'; data: Buffer }
  | { kind: 'name'; names: SftpName[] }
  | { kind: 'attributes'; attributes: SftpAttributes }
  /** Only who asked knows what is in it: see the forms below. */
  | { kind: 'extended'; body: Buffer }

const statusNames = new Map<number, SftpStatus>(
  Object.entries(sftpStatuses).map(([name, number]) => [number, name as SftpStatus]),
)

/** Of a packet without its length; what is behind an answer is left alone. Throws `MalformedError`. */
export function parseAnswer(payload: Buffer): { id: number; answer: SftpAnswer } {
  const from = new Reader(payload)
  const number = from.byte()
  const id = from.uint32()
  return { id, answer: readAnswer(number, from) }
}

function readAnswer(number: number, from: Reader): SftpAnswer {
  switch (number) {
    case numbers.status:
      return readStatus(from)
    case numbers.handle:
      return { kind: 'handle', handle: handle.read(from) }
    case numbers.data:
      return { kind: 'data', data: data.read(from) }
    case numbers.name:
      return { kind: 'name', names: readNames(from) }
    case numbers.attributes:
      return { kind: 'attributes', attributes: readAttributes(from) }
    case numbers.extended:
      return { kind: 'extended', body: rest.read(from) }
    default:
      throw new MalformedError('An answer of a kind that is not known')
  }
}

/** Some servers leave the texts out, as versions before this one had none; numbers of later versions are failures. */
function readStatus(from: Reader): SftpAnswer {
  const status = statusNames.get(from.uint32()) ?? 'failure'
  const text = from.left > 0 ? from.string(maxPacketBytes) : Buffer.alloc(0)
  const language = from.left > 0 ? from.string(maxPacketBytes) : Buffer.alloc(0)
  return { kind: 'status', status, text, language }
}

function readNames(from: Reader): SftpName[] {
  const count = from.uint32()
  if (count * minNameBytes > from.left) throw new MalformedError('There are fewer names than announced')
  return Array.from({ length: count }, () => ({
    filename: from.string(maxNameBytes),
    longname: from.string(maxNameBytes),
    attributes: readAttributes(from),
  }))
}

/** A whole packet, its length before it. */
export function writeAnswer(id: number, answer: SftpAnswer): Buffer {
  const bytes = answer.kind === 'data' ? answer.data.length : undefined
  return packet(numbers[answer.kind], (body) => writeBody(body.uint32(id), answer), bytes)
}

function writeBody(to: Writer, answer: SftpAnswer): void {
  switch (answer.kind) {
    case 'status':
      to.uint32(sftpStatuses[answer.status]).string(answer.text).string(answer.language)
      break
    case 'handle':
      to.string(answer.handle)
      break
    case 'data':
      to.string(answer.data)
      break
    case 'name':
      to.uint32(answer.names.length)
      for (const { filename, longname, attributes } of answer.names) {
        to.string(filename).string(longname)
        writeAttributes(to, attributes)
      }
      break
    case 'attributes':
      writeAttributes(to, answer.attributes)
      break
    case 'extended':
      to.bytes(answer.body)
  }
}

export function statusAnswer(status: SftpStatus, text = statusTexts[status]): SftpAnswer {
  return { kind: 'status', status, text: Buffer.from(text), language: Buffer.from('en') }
}

/** One name, as `realpath` and others answer. */
export function pathAnswer(filename: Buffer): SftpAnswer {
  return { kind: 'name', names: [{ filename, longname: filename, attributes: {} }] }
}

/** What a file system has left: statvfs(3). */
export const statvfsForm = {
  blockBytes: uint64,
  fragmentBytes: uint64,
  /** In fragments, as the next two. */
  blocks: uint64,
  freeBlocks: uint64,
  availableBlocks: uint64,
  files: uint64,
  freeFiles: uint64,
  availableFiles: uint64,
  id: uint64,
  flags: uint64,
  maxNameBytes: uint64,
}
export type SftpStatvfs = Values<typeof statvfsForm>

/** What a server takes; 0 where it does not say. */
export const limitsForm = { packetBytes: uint64, readBytes: uint64, writeBytes: uint64, openHandles: uint64 }
export type SftpLimits = Values<typeof limitsForm>

/** In the order of the ids asked for; empty where there is no name. */
export const usersGroupsForm = { users: names, groups: names }
export type SftpUsersGroups = Values<typeof usersGroupsForm>

export function parseReply<Of extends Fields>(form: Of, body: Buffer): Values<Of> {
  return readFields(form, new Reader(body))
}

export function writeReply<Of extends Fields>(form: Of, values: Values<Of>): SftpAnswer {
  const whole = packet(0, (body) => writeFields(form, body, values))
  return { kind: 'extended', body: whole.subarray(5) }
}

/** The first packet of a server. */
export const parseVersion = (payload: Buffer): SftpInit => readInit(version, payload)
export const writeVersion = (message: SftpInit): Buffer => writeInit(version, message)
