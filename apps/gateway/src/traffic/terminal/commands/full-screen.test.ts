import { expect, test } from 'vitest'
import { Emulation } from '../screen/emulation.ts'
import type { Command, Unread } from '../screen/messages.ts'
import { CommandReader } from './reader.ts'

const left = '\x1b[D'

/** A reader of the screen of a full-screen program, which shows this. */
async function open(cols: number, rows: number, shown: string) {
  const emulation = new Emulation({ cols, rows })
  const found: (Command | Unread)[] = []
  const reader = new CommandReader(emulation, (one) => found.push(one))
  const write = async (text: string) => await emulation.write(Buffer.from(text))
  await write(`\x1b[?1049h\x1b[H${shown}`)
  const type = (keys: string) => reader.input(Buffer.from(keys))
  return { found, write, type, line: () => reader.line() }
}

function msFor(work: () => void): number {
  const begun = performance.now()
  work()
  return performance.now() - begun
}

const cols = 600
const rows = 200
const likePrompts = `$ ${'a'.repeat(cols - 4)}\r\n`.repeat(rows - 1)
const wrapped = 'x'.repeat(cols * (rows - 1))

test.each([
  ['behind a line that wraps over the screen', wrapped, 'ab\r'],
  ['behind such a line, edited', wrapped, `${left}\r`],
  ['below rows that look like prompts', likePrompts, `${'a'.repeat(300)}\r`],
  ['below rows that are how they begin', likePrompts, `${'a'.repeat(4000)}\r`],
])('a thousand lines that are entered at once %s keep nobody waiting', async (_where, shown, line) => {
  const { type } = await open(cols, rows, `${shown}$ `)
  const tookMs = msFor(() => {
    type(line.repeat(1000))
    type('z')
  })
  expect(tookMs).toBeLessThan(1500)
})

test('nor do as many one after the other, while nothing is shown, or keys behind an interrupt', async () => {
  const { type } = await open(cols, rows, `${wrapped}$ `)
  const tookMs = msFor(() => {
    for (let n = 0; n < 1000; n++) type('ab\r')
    type(`a\x03${left.repeat(100_000)}`)
  })
  expect(tookMs).toBeLessThan(1500)
})

test('an edited line on a large screen of blanks keeps nobody waiting', async () => {
  const { type, line } = await open(cols, rows, `\x1b[4;1H${' '.repeat(cols * (rows - 6))}b\x1b[H$ `)
  type('echo hi')
  type(left)
  const tookMs = msFor(line)
  expect(tookMs).toBeLessThan(500)
})
