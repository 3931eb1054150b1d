import { expect, test } from 'vitest'
import { emptyOf, readCell, type Reading, writeCell } from './cell-values.ts'

const ann = '11111111-2222-4333-8444-555555555555'
const bo = '66666666-2222-4333-8444-555555555555'
const reading = (kind: Reading['kind'], other: Partial<Reading> = {}): Reading => ({
  kind,
  isNullable: false,
  isHidden: false,
  notation: undefined,
  ...other,
})

test.each([
  ['text', '["a"]', '["a"]'],
  ['text', '', ''],
  ['text', '-', '-'],
  ['plain', 'host', 'host'],
  ['number', '1.5', 1.5],
  ['boolean', 'yes', true],
  ['boolean', 'No', false],
  ['related', 'Linux(1)', { pk: 1, name: 'Linux' }],
  ['related', `Ann (B)(${ann})`, { pk: ann, name: 'Ann (B)' }],
  ['related', ann, ann],
  ['related', '{"pk": 1}', { pk: 1 }],
  ['related', 'Linux', { name: 'Linux' }],
  ['related', 'Linux (old)', { name: 'Linux (old)' }],
  ['related', '7', '7'],
  ['relatedList', 'OrgUser', [{ name: 'OrgUser' }]],
  ['relatedList', 'OrgUser, OrgAuditor', [{ name: 'OrgUser' }, { name: 'OrgAuditor' }]],
  ['relatedList', '["Berg, Ann"]', [{ name: 'Berg, Ann' }]],
  ['related', '', undefined],
  ['related', '-', undefined],
  ['relatedList', `["Ann(${ann})", "${bo}"]`, [{ pk: ann, name: 'Ann' }, bo]],
  ['relatedList', `Ann(${ann})`, [{ pk: ann, name: 'Ann' }]],
  [
    'relatedList',
    `Berg, Ann(${ann}), Bo(${bo})`,
    [
      { pk: ann, name: 'Berg, Ann' },
      { pk: bo, name: 'Bo' },
    ],
  ],
  ['relatedList', '[]', []],
  ['relatedList', '', undefined],
  ['list', '["a", "b"]', ['a', 'b']],
  ['list', '“a”', ['“a”']],
  ['structure', '{“a”: 1}', { a: 1 }],
] as const)('a cell of a column of %s is read as such: %s', (kind, text, value) => {
  expect(readCell(text, reading(kind))).toEqual(value)
})

test('what was left out or taken away is told apart where a column can hold nothing', () => {
  expect(readCell('-', reading('related', { isNullable: true }))).toBeNull()
  expect(readCell('-', reading('text', { isNullable: true, isHidden: true }))).toBeUndefined()
  expect(emptyOf(reading('relatedList'))).toEqual([])
  expect(emptyOf(reading('text'))).toBe('')
  expect(emptyOf(reading('related'))).toBeNull()
})

test.each([
  ['text', 'a, "b"', 'a, "b"'],
  ['boolean', true, 'Yes'],
  ['number', 2, '2'],
  ['related', { pk: 1, name: 'Linux' }, 'Linux(1)'],
  ['related', { name: 'Linux' }, 'Linux'],
  [
    'relatedList',
    [
      { pk: ann, name: 'Ann' },
      { pk: 2, name: 'Bo, C' },
    ],
    `["Ann(${ann})","Bo, C(2)"]`,
  ],
  ['list', ['a', 1], '["a",1]'],
  ['structure', { a: [1] }, '{"a":[1]}'],
] as const)(
  'what a cell of a column of %s holds is shown in the notation it is read by: %j',
  (kind, value, text) => {
    expect(writeCell(value, reading(kind))).toBe(text)
    expect(readCell(text, reading(kind))).toEqual(value)
  },
)

test('items with a notation of their own are written in it, and in JSON where they hold more', () => {
  const protocols = reading('list', { notation: ['name', 'port'] })
  const value = [
    { name: 'ssh', port: '22' },
    { name: 'http', port: '80', setting: { path: '/' } },
  ]
  expect(writeCell(value, protocols)).toBe('["ssh/22",{"name":"http","port":"80","setting":{"path":"/"}}]')
  expect(readCell(writeCell(value, protocols), protocols)).toEqual(value)
})
