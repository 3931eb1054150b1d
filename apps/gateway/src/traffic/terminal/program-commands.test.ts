import { expect, test } from 'vitest'
import { processorMs } from '../../testing/processor-time.ts'
import { runsCommand } from './program-commands.ts'

test.each([
  [':!reboot', true],
  [':1,$!sort', true],
  ['text :r !ls', true],
  ['!reboot', true],
  ['12G!! sort', true],
  ['#ls', true],
  ['|m lpr', true],
  [`:${'1'.repeat(400)}!ls`, true],
  [`:${'1'.repeat(401)}!ls`, false],
  [':wq!', false],
  [':wq! ', false],
  ['a!b:c!d', false],
  ['a!:c!d', false],
  ['a! :c!d', true],
  ['hello: world', false],
  ['what? yes!', false],
])('%j has a program run a command: %j', (text, isSo) => {
  expect(runsCommand(text)).toBe(isSo)
})

test.each([' :', ' :!', '!', ': ! ', ':!  '])('a screen full of %j is looked at in no time', (part) => {
  const ms = processorMs(() => runsCommand(`x${part.repeat(120_000 / part.length)}`))
  expect(ms).toBeLessThan(50)
})
