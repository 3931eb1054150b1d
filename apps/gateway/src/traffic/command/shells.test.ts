import { expect, test } from 'vitest'
import { readingsOf, readingsOfAll } from '../../policy/readings.ts'
import { readsCommands, turnsHistoryOn } from './shells.ts'
import { processorMs } from '../../testing/processor-time.ts'

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
  ['bash<&0', true],
  ['bash 2> errors', true],
  ['bash <script', true],
  ['bash -i < script', true],
  ['bash script 2>&1', false],
  ['bash /dev/fd/3', false],
  ['cat /dev/fd/0', false],
  ['bash -c true', false],
  ['bash script.sh', false],
  ['su root -c true', false],
  ['python', false],
])('%j takes its commands from what it is sent: %j', (command, isSo) => {
  expect(readsCommands(readingsOf(command))).toBe(isSo)
})

test.each([
  ['bash -i', true],
  ['b"as"h --norc -xi', true],
  ['set -o history -o histexpand', true],
  ['set -H', true],
  ['$SHELL -i', true],
  ['bash -s', false],
  ['sudo -i', false],
  ['set -e', false],
])('%j has a shell look for calls of the history: %j', (line, isSo) => {
  expect(turnsHistoryOn(readingsOf(line))).toBe(isSo)
})

test('a command of nothing but names of shells is looked at in time that grows with it only', () => {
  const ms = processorMs(() => {
    readsCommands(readingsOf('bash script '.repeat(50_000)))
    readsCommands(readingsOf('su -c '.repeat(50_000)))
    readsCommands(readingsOf(`bash${' -x'.repeat(100_000)} script`))
    readsCommands(readingsOf('bash -o '.repeat(50_000)))
    readsCommands(readingsOf(`bash /proc${'/'.repeat(100_000)}`))
    readsCommands(readingsOf(`bash /proc${'/a'.repeat(100_000)}`))
    readsCommands(readingsOf(`bash -${'s'.repeat(100_000)}1`))
    readsCommands(readingsOf(`bash ${'1'.repeat(100_000)} ${'<'.repeat(100_000)}`))
    turnsHistoryOn(readingsOf(`sh ${' -a'.repeat(50_000)} -${'a'.repeat(100_000)}`))
  })
  expect(ms).toBeLessThan(3000)
})

test.each(['ﷺ', "ﷺ'", 'bash ﷺ;', "'sh' ", 'sh a;', 'sudo -a;', '㈝', "'㌖", '\n', '1>', '\u0390'])(
  'a command of %j over and over, as long as a client may send, takes no time',
  (part) => {
    const command = part.repeat((255 * 1024) / Buffer.byteLength(part))
    const ms = [
      processorMs(() => readingsOfAll([command])),
      processorMs(() => readsCommands(readingsOfAll([command]))),
      processorMs(() => turnsHistoryOn(readingsOfAll([command]))),
    ]
    expect(Math.max(...ms)).toBeLessThan(150)
  },
)
