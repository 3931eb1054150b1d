/** What a group of commands matches. */
import { describe, expect, test } from 'vitest'
import { commandsOf, patternOf } from './command-patterns.ts'

const matches = (content: string, input: string) =>
  new RegExp(patternOf({ type: 'command', content }), 'i').test(input)

describe('a command', () => {
  test.each([
    ['rm', 'rm -rf /', true],
    ['rm', 'sudo rm x', true],
    ['rm', 'ls; RM x', true],
    ['rm', 'farm', false],
    ['rm', 'rmdir x', false],
    ['mkfs.', 'mkfs.ext4 /dev/sda', true],
    ['mkfs.', 'mkfsxext4', false],
    ['ls2', 'ls22', true],
    ['/bin/rm', '/bin/rm x', true],
    ['/bin/rm', 'nice /bin/rm x', true],
    ['/bin/rm', '/bin/rmdir x', false],
    ['rm -rf', 'rm   -rf /', true],
    ['rm -rf', 'rm\t-rf /', true],
    ['rm -rf', 'rm -f', false],
    ['a|b', 'a', false],
    ['a|b', 'a|b', true],
    ['\\q', '\\q', true],
  ])('%s matches %s: %s', (content, input, expected) => {
    expect(matches(content, input)).toBe(expected)
  })
})

test('commands are one a line, and empty lines are none', () => {
  expect(commandsOf('rm\r\n\n  shut   down \r\n')).toEqual(['rm', 'shut down'])
  expect(patternOf({ type: 'command', content: 'rm\n\nshut  down\n' })).toBe(String.raw`\brm\b|shut\s+down`)
  expect(patternOf({ type: 'command', content: ' \n ' })).toBe('')
})

test('a regular expression is what was written', () => {
  expect(patternOf({ type: 'regex', content: 'rm.*|reboot' })).toBe('rm.*|reboot')
})
