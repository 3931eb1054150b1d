import { describe, expect, test } from 'vitest'
import { Emulation } from '../screen/emulation.ts'
import type { Command, Unread } from '../screen/messages.ts'
import { CommandReader } from './reader.ts'
import { processorMs } from '../../../testing/processor-time.ts'

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
  const tookMs = processorMs(() => {
    type(line.repeat(1000))
    type('z')
  })
  expect(tookMs).toBeLessThan(1500)
})

test('nor do as many one after the other, while nothing is shown, or keys behind an interrupt', async () => {
  const { type } = await open(cols, rows, `${wrapped}$ `)
  const tookMs = processorMs(() => {
    for (let n = 0; n < 1000; n++) type('ab\r')
    type(`a\x03${left.repeat(100_000)}`)
  })
  expect(tookMs).toBeLessThan(1500)
})

test('an edited line on a large screen of blanks keeps nobody waiting', async () => {
  const { type, line } = await open(cols, rows, `\x1b[4;1H${' '.repeat(cols * (rows - 6))}b\x1b[H$ `)
  type('echo hi')
  type(left)
  const tookMs = processorMs(line)
  expect(tookMs).toBeLessThan(500)
})

const vim = (text: string) => `${text}\r\n~\r\n~\r\n~\r\n~\r\n~\x1b[24;1H"file" 2L\x1b[H`

describe('in an editor', () => {
  test.each([
    ['behind a sign in the text', 'ab<p>Hello', '\x1b[1;6H', 'iOh\x1b', '\x1b[24;1H:wq', ':wq'],
    ['behind the sign of a comment', '#Port 22', '\x1b[1;2H', 'cwListen\x1b', '\x1b[24;1H:wq', ':wq'],
    ['in a comment that goes on', '# one\r\n# ', '\x1b[2;3H', 'two', '\x1b[2;3Htwo', 'two'],
  ])('%s nothing stands for a shell', async (_where, text, at, keys, shown, typed) => {
    const { type, line, write } = await open(80, 24, vim(text) + at)
    type(keys)
    if (typed === ':wq') type(typed)
    await write(shown)
    expect(line()).toMatchObject({ place: 'program', typed, isEdited: false })
  })

  test('a command that wraps is one, wherever the cursor is', async () => {
    const { type, line, write } = await open(80, 24, vim('one'))
    const command = `:!${'x'.repeat(90)} done`
    type(command)
    type(left)
    await write(`\x1b[23;1H${command.slice(0, 80)}\x1b[24;1H${command.slice(80)}\x1b[K${left}`)
    expect(line()).toMatchObject({
      place: 'program',
      besides: expect.arrayContaining([command]),
      isEdited: true,
    })
    await write('\x1b[23;2H')
    expect(line()).toMatchObject({ place: 'program', besides: expect.arrayContaining([command]) })
  })
})

const border = (column: number) =>
  Array.from({ length: 23 }, (_none, row) => `\x1b[${row + 1};${column}H│`).join('')
const status = '\x1b[24;1H\x1b[42m[0] 0:bash\x1b[K\x1b[m'

describe('in a multiplexer', () => {
  test('a line that wraps in its pane is read whole, from the history, too, whatever the other panes show', async () => {
    const { type, line, write } = await open(80, 24, `one\r\ntwo $ x${border(41)}${status}\x1b[3;42H$ `)
    type('\x1b[A')
    await write(`echo ${'x'.repeat(32)}\x1b[4;42Hyy more\x1b[2;1Hnews\x1b[4;49H`)
    expect(line()).toMatchObject({ place: 'full_screen', shown: `echo ${'x'.repeat(32)}yy more` })
    await write('\x1b[3;44H')
    expect(line()).toMatchObject({ place: 'full_screen', shown: `echo ${'x'.repeat(32)}yy more` })
  })

  test('what was typed before somebody looked stands behind the prompt', async () => {
    const { type, line } = await open(80, 24, `$ date${status}\x1b[1;7H`)
    expect(line()).toMatchObject({ place: 'full_screen', typed: undefined, shown: 'date' })
    type('\x7f')
    expect(line()).toMatchObject({ place: 'full_screen', typed: undefined, shown: 'date' })
  })

  test('in a pane that was opened the prompt there is what a line stands behind', async () => {
    const { type, line, write } = await open(80, 24, `one\r\n$ ${status}\x1b[2;3H`)
    type('\x02')
    type('%')
    await write(`${border(41)}\x1b[1;42Hbox2$ `)
    type('ls')
    await write('ls')
    expect(line()).toMatchObject({ place: 'full_screen', typed: 'ls', shown: 'ls' })
  })

  test('while the program paints elsewhere the line stays the one that was begun', async () => {
    const { type, line, write } = await open(80, 24, `one${border(41)}${status}\x1b[1;42H$ `)
    type('date')
    await write('date\x1b[2;5H')
    expect(line()).toMatchObject({ place: 'full_screen', typed: 'date', shown: '' })
    await write('\x1b[1;48H')
    expect(line()).toMatchObject({ place: 'full_screen', typed: 'date', shown: 'date' })
  })

  test('a line in a window that was opened is read at once, and gone with the next prompt where it was refused', async () => {
    const { type, line, write } = await open(80, 24, `one\r\n$ ${status}\x1b[2;3H`)
    type('\x02')
    type('c')
    await write('\x1b[H\x1b[0Jbox2$ ')
    type('ls')
    await write('ls')
    expect(line()).toMatchObject({ typed: 'ls', shown: 'ls' })
    await write('\r\n\x1b[31mrefused\x1b[m\r\n')
    type('\x03')
    // The multiplexer knows nothing of the sentence.
    await write('^C\x1b[H\r\nbox2$ ')
    type('date')
    await write('date')
    expect(line()).toMatchObject({ place: 'full_screen', typed: 'date' })
  })

  test('an interrupt that takes nothing away leaves the line there', async () => {
    const { type, line, write } = await open(80, 24, `one\r\n$ ${status}\x1b[2;3H`)
    type('date #$')
    await write('date #$')
    type('\x03')
    expect(line()).toMatchObject({ place: 'full_screen', shown: 'date #$', isGivenUp: false })
  })
})
