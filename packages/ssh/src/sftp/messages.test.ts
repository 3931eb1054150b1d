import { expect, test } from 'vitest'
import { MalformedError } from '../wire/errors.ts'
import {
  limitsForm,
  parseAnswer,
  parseReply,
  parseVersion,
  pathAnswer,
  statusAnswer,
  statvfsForm,
  usersGroupsForm,
  writeAnswer,
  writeReply,
  writeVersion,
  type SftpAnswer,
} from './answers.ts'
import { fileTypes, type SftpAttributes } from './attributes.ts'
import { longName } from './long-name.ts'
import {
  openFlags,
  parseInit,
  parseRequest,
  writeInitRequest,
  writeRequest,
  type SftpRequest,
} from './requests.ts'

/** Hexadecimal, with texts in quotes: a text is written with its length, one in round brackets without. */
function bytes(form: string): Buffer {
  const parts = form.match(/"[^"]*"|\([^)]*\)|[0-9a-f]+/g) ?? []
  return Buffer.concat(
    parts.map((part) => {
      if (part.startsWith('(')) return Buffer.from(part.slice(1, -1))
      if (!part.startsWith('"')) return Buffer.from(part, 'hex')
      const text = Buffer.from(part.slice(1, -1))
      const length = Buffer.alloc(4)
      length.writeUInt32BE(text.length)
      return Buffer.concat([length, text])
    }),
  )
}

function framed(payload: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(payload.length)
  return Buffer.concat([length, payload])
}

const path = Buffer.from('/a')
const handle = Buffer.from('h')
const all: SftpAttributes = {
  size: 0x1_0000_0001n,
  owner: { uid: 10, gid: 11 },
  permissions: 0o100644,
  times: { accessed: 0x60000000, modified: 0xf0000000 },
  extended: [{ type: Buffer.from('t@x'), data: Buffer.from('d') }],
}
const allBytes = '8000000f 0000000100000001 0000000a 0000000b 000081a4 60000000 f0000000 00000001 "t@x" "d"'
const modeBytes = '00000004 000001ed'
const mode: SftpAttributes = { permissions: 0o755 }

const requests: [string, SftpRequest, string][] = [
  [
    'open',
    { kind: 'open', path, flags: openFlags.write | openFlags.create, attributes: all },
    `03 00000007 "/a" 0000000a ${allBytes}`,
  ],
  ['close', { kind: 'close', handle }, '04 00000007 "h"'],
  [
    'read',
    { kind: 'read', handle, offset: 0xffff_ffff_0000_0000n, length: 32768 },
    '05 00000007 "h" ffffffff00000000 00008000',
  ],
  [
    'write',
    { kind: 'write', handle, offset: 1n, data: Buffer.from('data') },
    '06 00000007 "h" 0000000000000001 "data"',
  ],
  ['lstat', { kind: 'lstat', path }, '07 00000007 "/a"'],
  ['fstat', { kind: 'fstat', handle }, '08 00000007 "h"'],
  ['setstat', { kind: 'setstat', path, attributes: mode }, `09 00000007 "/a" ${modeBytes}`],
  ['fsetstat', { kind: 'fsetstat', handle, attributes: mode }, `0a 00000007 "h" ${modeBytes}`],
  ['opendir', { kind: 'opendir', path }, '0b 00000007 "/a"'],
  ['readdir', { kind: 'readdir', handle }, '0c 00000007 "h"'],
  ['remove', { kind: 'remove', path }, '0d 00000007 "/a"'],
  ['mkdir', { kind: 'mkdir', path, attributes: {} }, '0e 00000007 "/a" 00000000'],
  ['rmdir', { kind: 'rmdir', path }, '0f 00000007 "/a"'],
  ['realpath', { kind: 'realpath', path }, '10 00000007 "/a"'],
  ['stat', { kind: 'stat', path }, '11 00000007 "/a"'],
  ['rename', { kind: 'rename', from: path, to: Buffer.from('b') }, '12 00000007 "/a" "b"'],
  ['readlink', { kind: 'readlink', path }, '13 00000007 "/a"'],
  ['symlink', { kind: 'symlink', target: path, link: Buffer.from('l') }, '14 00000007 "/a" "l"'],
  [
    'posix-rename',
    { kind: 'posixRename', from: path, to: Buffer.from('b') },
    'c8 00000007 "posix-rename@openssh.com" "/a" "b"',
  ],
  ['statvfs', { kind: 'statvfs', path }, 'c8 00000007 "statvfs@openssh.com" "/a"'],
  ['fstatvfs', { kind: 'fstatvfs', handle }, 'c8 00000007 "fstatvfs@openssh.com" "h"'],
  [
    'hardlink',
    { kind: 'hardlink', from: path, to: Buffer.from('b') },
    'c8 00000007 "hardlink@openssh.com" "/a" "b"',
  ],
  ['fsync', { kind: 'fsync', handle }, 'c8 00000007 "fsync@openssh.com" "h"'],
  [
    'lsetstat',
    { kind: 'lsetstat', path, attributes: mode },
    `c8 00000007 "lsetstat@openssh.com" "/a" ${modeBytes}`,
  ],
  ['limits', { kind: 'limits' }, 'c8 00000007 "limits@openssh.com"'],
  [
    'expand-path',
    { kind: 'expandPath', path: Buffer.from('~') },
    'c8 00000007 "expand-path@openssh.com" "~"',
  ],
  [
    'copy-data',
    { kind: 'copyData', from: handle, fromOffset: 1n, length: 2n, to: Buffer.from('i'), toOffset: 3n },
    'c8 00000007 "copy-data" "h" 0000000000000001 0000000000000002 "i" 0000000000000003',
  ],
  [
    'home-directory',
    { kind: 'homeDirectory', username: Buffer.from('ann') },
    'c8 00000007 "home-directory" "ann"',
  ],
  [
    'users-groups-by-id',
    { kind: 'usersGroupsById', uids: [0, 1000], gids: [5] },
    'c8 00000007 "users-groups-by-id@openssh.com" 00000008 00000000 000003e8 00000004 00000005',
  ],
  [
    'an extension nobody knows',
    { kind: 'extended', name: Buffer.from('x@y'), body: Buffer.from('what') },
    'c8 00000007 "x@y" (what)',
  ],
  [
    'a number of a later version',
    { kind: 'unknown', number: 21, body: Buffer.from('what') },
    '15 00000007 (what)',
  ],
]

test.each(requests)('a request is written and read as the draft has it: %s', (_name, request, form) => {
  expect(writeRequest(7, request)).toEqual(framed(bytes(form)))
  expect(parseRequest(bytes(form))).toEqual({ id: 7, request })
})

const answers: [string, SftpAnswer, string][] = [
  ['status', statusAnswer('noSuchFile'), '65 00000007 00000002 "No such file" "en"'],
  ['handle', { kind: 'handle', handle }, '66 00000007 "h"'],
  ['data', { kind: 'data', data: Buffer.from('data') }, '67 00000007 "data"'],
  [
    'names',
    {
      kind: 'name',
      names: [
        { filename: Buffer.from([0xff]), longname: path, attributes: all },
        { filename: path, longname: path, attributes: {} },
      ],
    },
    `68 00000007 00000002 00000001ff "/a" ${allBytes} "/a" "/a" 00000000`,
  ],
  ['a path', pathAnswer(path), '68 00000007 00000001 "/a" "/a" 00000000'],
  ['attributes', { kind: 'attributes', attributes: all }, `69 00000007 ${allBytes}`],
  [
    'limits',
    writeReply(limitsForm, { packetBytes: 1n, readBytes: 2n, writeBytes: 3n, openHandles: 4n }),
    'c9 00000007 0000000000000001 0000000000000002 0000000000000003 0000000000000004',
  ],
]

test.each(answers)('an answer is written and read as the draft has it: %s', (_name, answer, form) => {
  expect(writeAnswer(7, answer)).toEqual(framed(bytes(form)))
  expect(parseAnswer(bytes(form))).toEqual({ id: 7, answer })
})

test('both sides begin with their version and extensions', () => {
  const hello = { version: 3, extensions: new Map([['copy-data', Buffer.from('1')]]) }
  expect(writeInitRequest(hello)).toEqual(framed(bytes('01 00000003 "copy-data" "1"')))
  expect(parseInit(bytes('01 00000003 "copy-data" "1"'))).toEqual(hello)
  expect(writeVersion(hello)).toEqual(framed(bytes('02 00000003 "copy-data" "1"')))
  expect(parseVersion(bytes('02 00000003 "copy-data" "1"'))).toEqual(hello)
  expect(() => parseInit(bytes('02 00000003'))).toThrow(MalformedError)
})

test('what extensions answer has a form of its own each', () => {
  const body = (answer: SftpAnswer) => (answer.kind === 'extended' ? answer.body : Buffer.alloc(0))
  const users = { users: [Buffer.from('root'), Buffer.alloc(0)], groups: [Buffer.from('wheel')] }
  const written = body(writeReply(usersGroupsForm, users))
  expect(written).toEqual(bytes('0000000c "root" "" 00000009 "wheel"'))
  expect(parseReply(usersGroupsForm, written)).toEqual(users)
  const numbers = Array.from({ length: 11 }, (_, index) => `000000000000000${(index + 1).toString(16)}`)
  const left = parseReply(statvfsForm, bytes(numbers.join(' ')))
  expect(left).toMatchObject({ blockBytes: 1n, fragmentBytes: 2n, availableFiles: 8n, maxNameBytes: 11n })
  expect(body(writeReply(statvfsForm, left))).toEqual(bytes(numbers.join(' ')))
})

test('a server may leave the texts of a status out, and a number of a later version is a failure', () => {
  const empty = Buffer.alloc(0)
  const status = { kind: 'status', text: empty, language: empty }
  expect(parseAnswer(bytes('65 00000007 00000001')).answer).toEqual({ ...status, status: 'endOfFile' })
  expect(parseAnswer(bytes('65 00000007 0000001f')).answer).toEqual({ ...status, status: 'failure' })
})

test('a request is passed on as it came, under another id', () => {
  for (const [, , form] of requests) {
    const came = bytes(form)
    const { request } = parseRequest(came)
    const passedOn = request && writeRequest(0xfffffffe, request).subarray(4)
    came.writeUInt32BE(0xfffffffe, 1)
    expect(passedOn).toEqual(came)
  }
})

test('a request that is cut anywhere, or longer than it should be, has an id to answer to, but no meaning', () => {
  for (const [, { kind }, form] of requests) {
    const whole = bytes(form)
    for (let length = 0; length < 5; length++)
      expect(() => parseRequest(whole.subarray(0, length))).toThrow(MalformedError)
    // What is not known has no length of its own.
    if (kind === 'unknown' || kind === 'extended') continue
    for (let length = 5; length < whole.length; length++) {
      expect(parseRequest(whole.subarray(0, length))).toEqual({ id: 7, request: undefined })
    }
    expect(parseRequest(Buffer.concat([whole, Buffer.alloc(1)]))).toEqual({ id: 7, request: undefined })
  }
})

test('lengths and counts beyond all bounds are refused before anything is made of them', () => {
  for (const form of [
    '68 00000007 ffffffff',
    '67 00000007 ffffffff 00',
    '69 00000007 80000000 ffffffff',
    '69 00000007 00000010',
    '6a 00000007',
    '66 00000007 00000101',
  ])
    expect(() => parseAnswer(bytes(form))).toThrow(MalformedError)
  const many = Array.from({ length: 129 }, (_, index) => `"${index}@x" "1"`)
  expect(() => parseVersion(bytes(`02 00000003 ${many.join(' ')}`))).toThrow(MalformedError)
  const ids = 'c8 00000007 "users-groups-by-id@openssh.com" 00010004'
  const tooMany = Buffer.concat([bytes(ids), Buffer.alloc(0x10004), bytes('00000000')])
  expect(parseRequest(tooMany).request).toBeUndefined()
})

test('a long name is the line of ls -l', () => {
  const line = (mode: number, modified: number) =>
    longName(
      Buffer.from('name'),
      { size: 42n, owner: { uid: 0, gid: 5 }, permissions: mode, times: { accessed: 0, modified } },
      { user: 'root', links: 2 },
    ).toString()
  expect(line(fileTypes.file | 0o644, 0)).toBe('-rw-r--r--    2 root     5              42 Jan  1  1970 name')
  expect(line(fileTypes.directory | 0o1777, 0)).toMatch(/^drwxrwxrwt /)
  expect(line(fileTypes.file | 0o4750, 0)).toMatch(/^-rwsr-x--- /)
  expect(line(fileTypes.link | 0o2640, 0)).toMatch(/^lrw-r-S--- /)
  const today = new Date()
  expect(line(fileTypes.file, today.getTime() / 1000)).toContain(today.toISOString().slice(11, 16))
})
