import { expect, test } from 'vitest'
import { ShellLines } from './shell-lines.ts'
import { processorMs } from '../testing/processor-time.ts'

test.each(['^@', '\0', '^@\0', '\\', "'", '"$(', ' ', '\n', '$ ', '#'])(
  'a line of %j over and over, and a prompt of it, take no time',
  (part) => {
    const lines = new ShellLines()
    const ms = processorMs(() => {
      for (const text of [`: ${part.repeat(50_000)}x`, `: ${part.repeat(50_000)}`]) {
        lines.stands({ prompt: text })
        lines.attempt(text)
        expect(lines.takesFromHistory).toBe(false)
        lines.took()
      }
    })
    expect(ms).toBeLessThan(2000)
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

/** Whether a call in quotes is refused behind these lines, at the second prompt. */
const isAskedBehind = (...texts: string[]) => {
  const lines = new ShellLines()
  for (const [at, text] of texts.entries()) {
    lines.stands({ prompt: at === 0 ? '$ ' : '> ' })
    lines.attempt(text)
    lines.took()
  }
  lines.stands({ prompt: '> ' })
  lines.attempt("'; !rm #'")
  return lines.takesFromHistory
}

test('where a line goes on behind a backslash, so do quotes and here-documents', () => {
  expect(isAskedBehind(': $\\', "'a\\'")).toBe(true)
  expect(isAskedBehind('cat <<E \\', "; : '")).toBe(true)
  expect(isAskedBehind(': # \\', ": '")).toBe(true)
  expect(isAskedBehind(': a \\', 'b &&')).toBe(false)
})

test('a first prompt is believed, but not where the second one looks alike', () => {
  const lines = new ShellLines()
  const enter = (prompt: string, text: string) => {
    lines.stands({ prompt })
    lines.attempt(text)
    const isFetched = lines.takesFromHistory
    lines.took()
    return isFetched
  }
  expect([enter('$ ', ": # it's"), enter('$ ', "echo '!rm'")]).toEqual([false, false])
  expect([enter('Name: ', "it's"), enter('$ ', "echo '!rm'")]).toEqual([false, false])
  expect([enter('$ ', ": '"), enter('> ', "!rm'"), enter('$ ', "echo '!rm'")]).toEqual([false, false, false])
  expect([enter('$ ', ": '"), enter('$ ', 'true'), enter('$ ', "'; !rm #'")]).toEqual([false, false, true])
})

/** What stands on a window of the largest size. */
const screenful = (sign: string, columns = 599) =>
  Array.from({ length: 196 }, (_none, row) =>
    `${row % 7 === 0 ? "'a" : row}${sign.repeat(columns)}`.slice(0, columns),
  )

test.each(['ﷺ', '㈝', "'", '\\', "a'!a", '\\!a', '<<E ', '((', 'é'])(
  'a window full of %j that may be the line is looked at in no time, and what is too much cannot be read',
  (sign) => {
    const rows = screenful(sign)
    const panes = rows.map((row) => row.slice(1))
    const lines = new ShellLines()
    let readings: readonly string[] = []
    const ms = [
      processorMs(() => lines.attempt(`${'ls x'.repeat(3000)}\\`)),
      processorMs(() => lines.took()),
      processorMs(() => {
        const around = [rows, panes].flatMap((all) => [all.join('\n'), all.join('')])
        ;({ readings } = lines.attempt(undefined, 'ls -l x', ...around))
      }),
      processorMs(() => lines.takesFromHistory),
      processorMs(() => lines.took()),
    ]
    expect(readings).toEqual([])
    expect(Math.max(...ms)).toBeLessThan(150)
  },
)

test('an edited line is read among what stands around it in a window as people have them', () => {
  const rows = screenful('x ', 240).slice(0, 60)
  const { readings } = new ShellLines().attempt(undefined, undefined, rows.join('\n'), rows.join(''))
  expect(readings).toContain(rows.join(''))
})
