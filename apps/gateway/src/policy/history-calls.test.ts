import { expect, test } from 'vitest'
import { isQuoteOpen, leftOpen, nothingOpen, takesFromHistory } from './history-calls.ts'
import { processorMs } from '../testing/processor-time.ts'

test.each([
  ['!!', true],
  ['sudo !!', true],
  ['!rm', true],
  ['!-2', true],
  ['echo "!rm"', true],
  ['^ls^rm', true],
  ['^ls', true],
  ["!'rm", true],
  ['!"rm', true],
  [`: "!'rm"`, true],
  ['echo "hello world!"', false],
  [`: "$(echo "it's")" !rm`, true],
  [`grep $'\\t' x | awk '!s[$0]++'`, false],
  [`echo "it's !rm"`, true],
  ["echo $'\\'' !rm", true],
  [`: '\n#!/x'\np!rm`, true],
  ['#!/bin/sh', false],
  ['x #!/bin/sh', true],
  ['#!/bin/sh !rm', true],
  ["echo '!rm'", false],
  ['echo \\!rm', false],
  ['[ ! -f x ] && echo hi!', false],
  ['[[ a != b ]]', false],
  ['echo $!', false],
  ['shopt -s extglob; ls !(a)', false],
  ['echo ${!x[@]} ${!x} "${!x:-y}" ${!}', false],
  ['ls [!a]* *[!0-9] [![:space:]]*', false],
  ['cat /proc/$!/status; echo "$!," >$!.pid', false],
  ['echo ${!x', true],
  ['echo ${!x[@]}!rm', true],
  ['echo ${!!} [!!]', true],
  ['echo {!rm} ]!rm]', true],
  ['ls [!rm', true],
  ['ls [!rm ]', true],
  ['ls [!r]!rm', true],
  ['ls [!-2] [!$] [!2]', true],
  ['echo $!rm', true],
])('%j takes something from the history: %j', (line, isSo) => {
  expect(takesFromHistory(line)).toBe(isSo)
})

test.each(['!a', '\n', '\n#!', ' #!/', "'", '\n '])(
  'a line of %j over and over is looked through at once',
  (part) => {
    const ms = processorMs(() => {
      takesFromHistory(part.repeat(100_000))
    })
    expect(ms).toBeLessThan(2000)
  },
)

/** Whether a call of the history in a line behind these may be one; behind an apostrophe it is one where a quote was open. */
const asked = (...lines: string[]) => {
  let open = new Set([nothingOpen])
  for (const line of lines) open = leftOpen(line, open)
  return { plain: takesFromHistory('!rm', open), quoted: takesFromHistory("'!rm'", open) }
}

test.each([
  [[": 'a"], false, true],
  [[': "a'], true, true],
  [[": $'it\\'s'"], true, false],
  [[": $'it\\'s"], false, true],
  [[": \\$'a\\'"], true, true],
  [[`: "$(echo "it's")"`], true, false],
  [[`: "a" \${y+"'"}`], true, false],
  [[`: "\${y+'}"`], true, true],
  [[': "`echo "it\'s"`"'], true, false],
  [[': $(echo "a" \')\' (', "it's"], true, true],
  [['cat <<E', "it's", 'E'], true, false],
  [["cat <<-'a b' <<\\E; : '", "'", "it's", '\ta b', "it's", 'E'], true, false],
  [['cat <<< E', "it's"], false, true],
  [['cat <<E', "it's"], true, false],
  [["(cat <<E; : 'a)", 'b'], true, true],
  [[': $((1<<E))', ": '"], true, true],
  [['a[1<<E]=2', ": '"], true, true],
  [["echo a#it's"], false, true],
  [["echo $#it's"], false, true],
  [[": # it's"], true, true],
  [["# it's", "# isn't"], true, true],
  [[`: "$(case a in a) : 'x`], true, true],
])("behind %j `!rm` may be a call: %j, and `'!rm'`: %j", (lines, plain, quoted) => {
  expect(asked(...lines)).toEqual({ plain, quoted })
})

test('a quote is open for sure only where every reading says so', () => {
  const isSure = (line: string) => [...leftOpen(line, [nothingOpen])].every(isQuoteOpen)
  expect([": 'a", ": # it's", `: "$(echo 'a`, 'cat <<E'].map(isSure)).toEqual([true, false, true, false])
})

/** Twice as much takes about twice as long, not four times. */
const parts = [
  "'",
  '"',
  '`',
  '$(',
  '"$(',
  '${',
  '(',
  '<<',
  "<<'",
  '<<a"',
  '<<- ',
  '#',
  ' #',
  "$'",
  '\\',
  '!a',
  '[',
  'case ',
]
test.each(parts)('what a line of %j over and over leaves open is found at once', (part) => {
  const ms = processorMs(() => {
    for (const open of leftOpen(part.repeat(100_000), [nothingOpen])) leftOpen(part.repeat(100_000), [open])
    takesFromHistory(`${part.repeat(100_000)}!a`)
  })
  expect(ms).toBeLessThan(2500)
})
