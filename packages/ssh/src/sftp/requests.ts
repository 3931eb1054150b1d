import { MalformedError } from '../wire/errors.ts'
import { Reader } from '../wire/reader.ts'
import { extensionNames } from './extensions.ts'
import {
  attributes,
  data,
  handle,
  ids,
  packet,
  path,
  readFields,
  uint32,
  uint64,
  writeFields,
  type Fields,
  type Values,
} from './fields.ts'
import { init, readInit, writeInit, type SftpInit } from './init.ts'

const extended = 200
const maxNameBytes = 256

/** How to open a file (draft-ietf-secsh-filexfer-02, 6.3). */
export const openFlags = { read: 1, write: 2, append: 4, create: 8, truncate: 16, exclusive: 32 } as const

/** draft-ietf-secsh-filexfer-02, 6 */
const plain = {
  open: { number: 3, fields: { path, flags: uint32, attributes } },
  close: { number: 4, fields: { handle } },
  read: { number: 5, fields: { handle, offset: uint64, length: uint32 } },
  write: { number: 6, fields: { handle, offset: uint64, data } },
  lstat: { number: 7, fields: { path } },
  fstat: { number: 8, fields: { handle } },
  setstat: { number: 9, fields: { path, attributes } },
  fsetstat: { number: 10, fields: { handle, attributes } },
  opendir: { number: 11, fields: { path } },
  readdir: { number: 12, fields: { handle } },
  remove: { number: 13, fields: { path } },
  mkdir: { number: 14, fields: { path, attributes } },
  rmdir: { number: 15, fields: { path } },
  realpath: { number: 16, fields: { path } },
  stat: { number: 17, fields: { path } },
  rename: { number: 18, fields: { from: path, to: path } },
  readlink: { number: 19, fields: { path } },
  /** The draft has the link first; OpenSSH, and so everybody, has it behind what it points to (PROTOCOL, 4.1). */
  symlink: { number: 20, fields: { target: path, link: path } },
} as const

/** OpenSSH's PROTOCOL, 4; copy-data and home-directory are of draft-ietf-secsh-filexfer-extensions-00. */
const extensions = {
  posixRename: { from: path, to: path },
  statvfs: { path },
  fstatvfs: { handle },
  hardlink: { from: path, to: path },
  fsync: { handle },
  lsetstat: { path, attributes },
  limits: {},
  expandPath: { path },
  copyData: { from: handle, fromOffset: uint64, length: uint64, to: handle, toOffset: uint64 },
  homeDirectory: { username: path },
  usersGroupsById: { uids: ids, gids: ids },
} as const

type Plain = { [Kind in keyof typeof plain]: { kind: Kind } & Values<(typeof plain)[Kind]['fields']> }
type Extensions = { [Kind in keyof typeof extensions]: { kind: Kind } & Values<(typeof extensions)[Kind]> }

/** What a client asks, by its kind. */
export type SftpRequest =
  | Plain[keyof Plain]
  | Extensions[keyof Extensions]
  /** An extension that is not known here, as it came. */
  | { kind: 'extended'; name: Buffer; body: Buffer }
  /** A number that is not of this version. */
  | { kind: 'unknown'; number: number; body: Buffer }

/** Names what is asked, to look at and pass on with `writeRequest` under another id. */
export interface IdentifiedRequest {
  id: number
  /** Undefined where the body is not what the standard says. */
  request: SftpRequest | undefined
}

type Form = { kind: string; fields: Fields }
const formsByNumber = new Map<number, Form>(
  Object.entries(plain).map(([kind, { number, fields }]) => [number, { kind, fields }]),
)
const formsByName = new Map<string, Form>(
  Object.entries(extensions).map(([kind, fields]) => [
    extensionNames[kind as keyof typeof extensions],
    { kind, fields },
  ]),
)

/** Of a packet without its length; everything but the first one. Throws `MalformedError` where there is not even an id. */
export function parseRequest(payload: Buffer): IdentifiedRequest {
  const from = new Reader(payload)
  const number = from.byte()
  const id = from.uint32()
  try {
    const request = number === extended ? readExtension(from) : readPlain(number, from)
    from.end()
    return { id, request }
  } catch (error) {
    if (error instanceof MalformedError) return { id, request: undefined }
    throw error
  }
}

function readPlain(number: number, from: Reader): SftpRequest {
  const form = formsByNumber.get(number)
  if (!form) return { kind: 'unknown', number, body: from.rest() }
  return { kind: form.kind, ...readFields(form.fields, from) } as SftpRequest
}

function readExtension(from: Reader): SftpRequest {
  const name = from.string(maxNameBytes)
  const form = formsByName.get(name.toString('latin1'))
  if (!form) return { kind: 'extended', name, body: from.rest() }
  return { kind: form.kind, ...readFields(form.fields, from) } as SftpRequest
}

/** A whole packet, its length before it. */
export function writeRequest(id: number, request: SftpRequest): Buffer {
  switch (request.kind) {
    case 'unknown':
      return packet(request.number, (body) => body.uint32(id).bytes(request.body), request.body.length)
    case 'extended':
      return packet(
        extended,
        (body) => body.uint32(id).string(request.name).bytes(request.body),
        request.name.length + request.body.length,
      )
    default:
  }
  const values = request as unknown as Values<Fields>
  if (isPlain(request.kind)) {
    const { number, fields } = plain[request.kind]
    const bytes = request.kind === 'write' ? request.data.length + request.handle.length : undefined
    return packet(number, (body) => writeFields<Fields>(fields, body.uint32(id), values), bytes)
  }
  const name = extensionNames[request.kind]
  const fields = extensions[request.kind]
  return packet(extended, (body) => writeFields<Fields>(fields, body.uint32(id).string(name), values))
}

function isPlain(kind: keyof typeof plain | keyof typeof extensions): kind is keyof typeof plain {
  return kind in plain
}

/** The first packet of a client. */
export const parseInit = (payload: Buffer): SftpInit => readInit(init, payload)
export const writeInitRequest = (message: SftpInit): Buffer => writeInit(init, message)
