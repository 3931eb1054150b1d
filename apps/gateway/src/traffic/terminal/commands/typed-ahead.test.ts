import { expect, test } from 'vitest'
import { Emulation } from '../screen/emulation.ts'
import type { Command, Unread } from '../screen/messages.ts'
import { CommandReader } from './reader.ts'

const greeting = 'Last login: Sat Nov 28 17:04:54 2026 from 192.0.2.1\r\n\r\nThe programs included\r\n'
const prompt = '\x1b[?2004hann@web:~$ '
const taken = '\r\n\x1b[?2004l\r'

/** A reader of the empty screen of a session that begins, to which a script is sent. */
function open() {
  const emulation = new Emulation({ cols: 80, rows: 24 })
  const found: (Command | Unread)[] = []
  const reader = new CommandReader(emulation, (one) => found.push(one))
  const write = async (text: string) => await emulation.write(Buffer.from(text))
  const type = (keys: string) => reader.input(Buffer.from(keys))
  const inputs = () => {
    reader.close()
    return found.map((one) => ('input' in one ? one.input : one.unread))
  }
  return { write, type, line: () => reader.line(), inputs }
}

test.each([
  ['', ''],
  ['behind what stands there so far, ', 'Linux web 6.1\r\n'],
])('%sa line that is sent before the host has greeted is booked as it was sent', async (_where, before) => {
  const { write, type, line, inputs } = open()
  await write(before)
  type('echo one')
  await write('echo one')
  expect(line()).toMatchObject({ shown: 'echo one', typed: 'echo one' })
  await write(greeting)
  type('\r')
  await write('\r\n')
  type('uname')
  await write('uname')
  line()
  type('\r')
  await write('\r\n')
  await write(`${prompt}echo one${taken}one\r\n`)
  await write(`${prompt}uname${taken}Linux\r\n${prompt}`)
  expect(inputs()).toEqual(['echo one', 'uname'])
})

test('one that the greeting has come behind is judged and booked as it was sent, whoever shows it once more', async () => {
  const { write, type, line, inputs } = open()
  type('echo one')
  await write(`echo one${greeting}`)
  expect(line()).toMatchObject({ shown: 'echo one', typed: 'echo one' })
  await write(`${prompt}echo one`)
  expect(line()).toMatchObject({ shown: 'echo one', typed: 'echo one' })
  type('\r')
  await write(`${taken}one\r\n${prompt}`)
  expect(inputs()).toEqual(['echo one'])
})

test('one that was entered while the greeting was written is booked as it was sent', async () => {
  const { write, type, line, inputs } = open()
  type('echo one')
  await write('echo one')
  line()
  type('\r')
  await write(`${greeting}\r\n${prompt}echo one${taken}one\r\n${prompt}`)
  expect(inputs()).toEqual(['echo one'])
})
