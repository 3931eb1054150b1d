import { expect, test } from 'vitest'
import { readsCommands } from './shells.ts'

test.each([
  ['bash', true],
  ['bash -s', true],
  ['sudo -i', true],
  ['su - root', true],
  ['sh -o errexit', true],
  ['cat | bash', true],
  [`true${' '.repeat(5000)}; bash -s`, true],
  ['b$"as"h -s', true],
  ["ba''sh 2>/dev/null", true],
  ['${SHELL}', true],
  ['"${BASH}" -s', true],
  ['bash /dev/fd/0', true],
  ['. /dev/fd/0', true],
  ['source -- /dev/stdin', true],
  ['bash /proc/self/fd/0', true],
  ['sh /proc/$$/fd/0', true],
  ['bash /dev/fd/3', false],
  ['cat /dev/fd/0', false],
  ['bash -c true', false],
  ['bash script.sh', false],
  ['su root -c true', false],
  ['python', false],
])('%j takes its commands from what it is sent: %j', (command, isSo) => {
  expect(readsCommands(command)).toBe(isSo)
})

test('a command of nothing but names of shells is looked at in time that grows with it only', () => {
  const begun = performance.now()
  readsCommands('bash script '.repeat(50_000))
  readsCommands('su -c '.repeat(50_000))
  readsCommands(`bash${' -x'.repeat(100_000)} script`)
  expect(performance.now() - begun).toBeLessThan(3000)
})
