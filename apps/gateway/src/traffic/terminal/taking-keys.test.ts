import { expect, test } from 'vitest'
import { processorMs } from '../../testing/processor-time.ts'
import { TakingKeys } from './taking-keys.ts'

const found = (...pieces: string[]) => {
  const keys = new TakingKeys()
  return pieces.flatMap((piece, number) =>
    keys.find(Buffer.from(piece, 'latin1')).map(({ at, taking }) => `${number}:${at} ${taking}`),
  )
}

test.each([
  ['Enter', 'ls\r', '2 line'],
  ['Enter of the keypad', 'ls\x1bOM', '4 line'],
  ['Enter as newer terminals say it', '\x1b[13;5:1u', '8 line'],
  ['Enter as xterm says it', '\x1b[27;5;13~', '9 line'],
  ['Ctrl-X Ctrl-E', 'ls\x18\x05', '3 unread'],
  ['Esc Ctrl-E', 'ls\x1b\x05', '3 unread'],
  ['Esc Ctrl-E in one byte', 'ls\x85', '2 unread'],
  ['Ctrl-X e', '\x18e', '1 unread'],
  ['Ctrl-X E', '\x18E', '1 unread'],
  ['v behind an arrow in vi mode', '\x1b[1;5v', '5 unread'],
  ['Esc #', '\x1b#', '1 comment'],
  ['Esc # in one byte', 'a\xa3', '1 comment'],
])('%s takes the line', (_what, keys, taking) => {
  expect(found(keys)).toEqual([`0:${taking}`])
})

test.each([
  ['letters', 'Me vi E # ~ u'],
  ['a letter of two bytes that ends like a key', '\xc3\xa3\xc2\x85'],
  ['arrows and other function keys', '\x1b[A\x1bOP\x1b[27;5;9~\x1b[97;5u\x1b[3~'],
  ['Ctrl-E alone, and behind other keys', '\x05\x18a\x05'],
  ['the rest of what is longer than any key', `\x1b[1${'0'.repeat(40)}3u`],
])('%s do not', (_what, keys) => {
  expect(found(keys)).toEqual([])
})

test('a key that comes in pieces is found where it ends', () => {
  expect(found('\x1b', 'O', 'M')).toEqual(['2:0 line'])
  expect(found('x\x18', '\x05')).toEqual(['1:0 unread'])
  expect(found('\xc3', '\xa3')).toEqual([])
})

test('behind Escape, v and # may be text or keys, until the line ends', () => {
  expect(found('\x1bbv\r', 'v')).toEqual(['0:2 unsure', '0:3 line'])
  expect(found('\x1b/v\r#')).toEqual(['0:2 unsure', '0:3 line', '0:4 unsure'])
})

test.each([
  ['an unknown sequence', '\x1b[h'],
  ['F1', '\x1bOP'],
  ['Shift-Tab', '\x1b[Z'],
  ['Ctrl-Right', '\x1b[1;5C'],
  ['one that is longer than any key', `\x1b[${'1'.repeat(25)}`],
  ['one that another Escape breaks off', '\x1b[\x1b[A'],
])('behind %s, which vi mode does not know, v and # may be its commands', (_what, keys) => {
  expect(found(`${keys}x`, 'v', '1#', '\r', 'v')).toEqual(['1:0 unsure', '2:1 unsure', '3:0 line'])
})

test.each(['\x1b[:v', '\x1b[1:2v', '\x1bO[v'])('%j runs an editor in vi mode', (keys) => {
  expect(found(keys)).toEqual([`0:${keys.length - 1} unread`])
})

test.each(['\x1b[A', '\x1bOH', '\x1b[3~', '\x1b[200~', '\x1b[201~'])('behind %j v and # are text', (keys) => {
  expect(found(keys, 'v#')).toEqual([])
})

test.each(['\x05', 'M', 'e', '~', '\xa3', '\x1bv', '\x1b[', '\x1b[0000000000000000v', '\x18\x18e', '\x1bbv'])(
  '%j over and over is looked through in no time',
  (keys) => {
    const sent = Buffer.from(keys.repeat((512 * 1024) / keys.length), 'latin1')
    expect(processorMs(() => new TakingKeys().find(sent))).toBeLessThan(200)
  },
)
