import { expect, test } from 'vitest'
import { valueOfText } from './import-file.ts'

const id = '11111111-2222-4333-8444-555555555555'

test.each([
  ['text', '["a"]', '["a"]'],
  ['text', '', ''],
  ['value', 'true', true],
  ['value', '', undefined],
  ['value', 'null', null],
  ['value', 'Linux(1)', 1],
  ['value', '{"pk": 1}', { pk: 1 }],
  ['value', 'a word', 'a word'],
  ['list', '[]', []],
  ['list', '', undefined],
  ['list', `["${id}"]`, [id]],
  ['list', `["Ann Berg(${id})"]`, [id]],
  ['list', `Ann Berg(${id}), Bo(2)`, [id, 2]],
  ['list', 'a word', ['a word']],
] as const)('what is typed into a cell of a %s column is read as such: %s', (kind, text, value) => {
  expect(valueOfText(text, kind)).toEqual(value)
})
