import { expect, test } from 'vitest'
import { jsonProblem } from './json-problem.ts'

test.each<[text: string, line: number, column: number]>([
  ['{"a": 1,\n  "b": x}', 2, 8],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ['[1, 2,]', 1, 7],
  ['{"a": 1,}', 1, 9],
  ["{'a': 1}", 1, 2],
  ['{"a" 1}', 1, 6],
  ['{"a": "b}', 1, 7],
  ['["a\tb"]', 1, 4],
  ['[1, 2', 1, 6],
  ['[1}', 1, 3],
  ['{} {}', 1, 4],
  ['01', 1, 1],
  ['nul', 1, 1],
  ['"\\x"', 1, 1],
  ['{"a": [1, {"b": 2}]\n\n,', 3, 2],
])('what is wrong with %j is told by line and column', (text, line, column) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError)
  expect(jsonProblem(text)).toEqual({ line, column })
})

test.each(['{}', '[]', ' [1, -2.5e+3, true, null, "\\u00e9\\n", {"a": {"b": []}}]\n', '0', '"text"'])(
  'nothing is wrong with %j',
  (text) => {
    expect(() => JSON.parse(text)).not.toThrow()
    expect(jsonProblem(text)).toBeUndefined()
  },
)

test('text nested a hundred thousand deep is looked at, too', () => {
  expect(jsonProblem('['.repeat(100_000))).toEqual({ line: 1, column: 100_001 })
})
