import { expect, test } from 'vitest'
import { MalformedError } from './errors.ts'
import { Reader } from './reader.ts'
import { Writer } from './writer.ts'

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')

test('numbers have the bytes of the examples in RFC 4251, 5', () => {
  for (const [number, written] of [
    ['', '00000000'],
    ['09a378f9b2e332a7', '00000008 09a378f9b2e332a7'],
    ['80', '00000002 0080'],
    ['0000000080', '00000002 0080'],
  ] as const) {
    expect(new Writer().mpint(bytes(number)).finish()).toEqual(bytes(written))
    expect(new Reader(bytes(written)).mpint().toString('hex')).toBe(number.replace(/^(00)+/, ''))
  }
  for (const refused of ['00000002 edcc', '00000001 00', '00000002 0009'])
    expect(() => new Reader(bytes(refused)).mpint()).toThrow(MalformedError)
})

test('what is written is read again', () => {
  const written = new Writer(1)
    .byte(7)
    .boolean(true)
    .uint32(0xfffffffe)
    .uint64(0xfffffffffffffffen)
    .string('ö')
    .string(bytes('00ff'))
    .nameList(['zlib', 'none'])
    .nameList([])
    .bytes(bytes('abcd'))
    .finish()
  const reader = new Reader(written)
  expect([reader.byte(), reader.boolean(), reader.uint32(), reader.uint64()]).toEqual([
    7,
    true,
    0xfffffffe,
    0xfffffffffffffffen,
  ])
  expect([reader.text(2), reader.string(2), reader.nameList(), reader.nameList()]).toEqual([
    'ö',
    bytes('00ff'),
    ['zlib', 'none'],
    [],
  ])
  expect(() => reader.end()).toThrow(MalformedError)
  expect(reader.rest()).toEqual(bytes('abcd'))
  reader.end()
})

test('bytes that end early, lengths over their bound, names and texts of a wrong form are refused', () => {
  for (const read of [
    (of: Reader) => of.byte(),
    (of: Reader) => of.uint32(),
    (of: Reader) => of.string(10),
    (of: Reader) => of.bytes(1),
  ])
    expect(() => read(new Reader(Buffer.alloc(0)))).toThrow(MalformedError)
  expect(() => new Reader(bytes('ffffffff 00')).string(10)).toThrow(MalformedError)
  expect(() => new Reader(bytes('00000003 616263')).string(2)).toThrow(MalformedError)
  expect(() => new Reader(bytes('00000002 c328')).text(10)).toThrow(MalformedError)
  expect(new Reader(new Writer().string('a,b,').finish()).nameList()).toEqual(['a', 'b'])
  for (const list of ['a,,b', ',a', 'a,,', ',', 'a b', 'ä'])
    expect(() => new Reader(new Writer().string(list).finish()).nameList()).toThrow(MalformedError)
})
