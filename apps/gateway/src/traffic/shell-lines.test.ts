import { expect, test } from 'vitest'
import { ShellLines } from './shell-lines.ts'

test.each(['^@', '\0', '^@\0', '\\', "'", '"$(', ' ', '\n', '$ ', '#'])(
  'a line of %j over and over, and a prompt of it, take no time',
  (part) => {
    const lines = new ShellLines()
    const begun = performance.now()
    for (const text of [`: ${part.repeat(50_000)}x`, `: ${part.repeat(50_000)}`]) {
      lines.stands({ prompt: text })
      lines.attempt(text)
      expect(lines.takesFromHistory).toBe(false)
      lines.took()
    }
    expect(performance.now() - begun).toBeLessThan(2000)
  },
)

test('a NUL behind the backslash at its end does not keep a line from going on in the next one', () => {
  for (const nul of ['\0', '^@', '^@\0^@']) {
    const lines = new ShellLines()
    lines.attempt(`pri\\${nul}`)
    lines.took()
    expect(lines.attempt('ntf').readings).toContain('printf')
  }
})

test('a line that goes on from more than anybody writes cannot be read', () => {
  const lines = new ShellLines()
  for (const text of ['pri\\', ...Array.from({ length: 3 }, () => `${"''".repeat(4000)}\\`)]) {
    expect(lines.attempt(text).readings).not.toEqual([])
    lines.took()
  }
  expect(lines.attempt('ntf').readings).toEqual([])
})
