import { describe, expect, test } from 'vitest'
import { Emulation } from '../screen/emulation.ts'
import type { Command, Unread } from '../screen/messages.ts'
import { CommandReader } from './reader.ts'
import { processorMs } from '../../../testing/processor-time.ts'

const left = '\x1b[D'
const interrupt = '\x03'

/** A reader of a screen on which this stands. */
async function open(shown: string) {
  const emulation = new Emulation({ cols: 40, rows: 10 })
  const found: (Command | Unread)[] = []
  const reader = new CommandReader(emulation, (one) => found.push(one))
  const write = async (text: string) => await emulation.write(Buffer.from(text))
  const type = (keys: string) => reader.input(Buffer.from(keys))
  /** Keys that are shown as they are. */
  const echo = async (keys: string) => {
    for (const key of keys) {
      type(key)
      await write(key)
    }
  }
  await write(shown)
  return { found, write, type, echo, line: () => reader.line() }
}

/** … which was asked at that prompt before. */
async function openAt(prompt: string) {
  const screen = await open(prompt)
  await screen.echo('true')
  screen.type('\r')
  await screen.write('\r\n')
  return screen
}

test.each([
  ['that asks on the last row', '\x1b[10;1H:', 'q', '\r\x1b[K'],
  ['that shows the key', '', 'y', 'y'],
  ['whose table goes on where it was', 'a table\r\n\r\nof it\x1b[2;1H', 'q', '\x1b[3;1H\r\n'],
  ['that was walked in', '\x1b[10;1H:', `${left}q`, '\r\x1b[K'],
])(
  'behind a program %s and ends with a key, a line is what stands behind the prompt',
  async (_program, ...[asks, key, ends]) => {
    const { write, type, echo, line } = await openAt('[0] $ ')
    await write(asks)
    type(key)
    await write(`${ends}[1] $ `)
    await echo('echo hi')
    expect(line()).toMatchObject({ shown: 'echo hi' })
  },
)

test('what a program may have left to the shell of keys that were typed ahead is judged with the line', async () => {
  const { write, echo, line } = await openAt('$ ')
  await echo('pri')
  await write('$ ')
  await echo('ntf x')
  const { shown, typed, besides } = line()
  expect({ shown, typed, besides }).toEqual({ shown: 'ntf x', typed: 'ntf x', besides: ['printf x'] })
})

test.each([
  ['at a prompt that tells how a command ended', '[0] $ ', '^C\r\n[130] $ '],
  ['at a prompt that goes on', '> ', '^C\r\n$ '],
  ['at one that says nothing of it', '$ ', '\r\n$ '],
])(
  'behind an interrupt that took an edited line away the next one is its own: %s',
  async (_where, prompt, shown) => {
    const { write, type, echo, line } = await open(prompt)
    await echo('abc')
    type(left)
    await write('\b')
    type(interrupt)
    await write(shown)
    await echo('echo hi')
    expect(line()).toMatchObject({ shown: 'echo hi', typed: 'echo hi', isGivenUp: true })
  },
)

test.each([
  ['stays where it is', ''],
  ['is gone through to its end', '\x1b[2;4H'],
])('behind an interrupt that took nothing away nobody knows what a line is that %s', async (_how, moved) => {
  const { write, type, line } = await open('[0] $ ')
  type(`printf xx${left}`)
  await write('printf xx\r\n: #\x1b[1;10H')
  type(interrupt)
  await write(moved)
  type('x')
  await write('x')
  expect(line()).toMatchObject({ typed: undefined, isGivenUp: false })
})

describe('in a full-screen program', () => {
  const fullScreen = '\x1b[?1049h\x1b[H'
  const status = '\x1b[10;1H\x1b[42m[0] 0:bash\x1b[K\x1b[m'
  const paged = `\x1b[H\x1b[Jone\r\ntwo\x1b[9;1H:`

  test.each([
    ['a pager', paged, 'q'],
    ['a pager that was walked in', paged, `${left}q`],
    ['an editor', '\x1b[H\x1b[Jone\r\n~\r\n~\r\n~\r\n~\r\n~\x1b[H', 'ia\x1bZZ'],
  ])(
    'behind %s that ended with a key a line is what stands behind the prompt',
    async (_what, shown, keys) => {
      const { found, write, type, echo, line } = await openAt(`${fullScreen}${status}\x1b[H[0] $ `)
      await write(shown)
      type(keys)
      await write('\x1b[H\x1b[2J[0] $ true\r\n[1] $ ')
      await echo('echo hi')
      expect(line()).toMatchObject({ place: 'full_screen', shown: 'echo hi', isGivenUp: true })
      type('\r')
      await write('\r\nhi\r\n[0] $ ')
      type('x')
      expect(found).toMatchObject([{ input: 'true' }, { input: 'echo hi' }])
    },
  )

  test('an empty line behind a program that was edited in is one', async () => {
    const { write, type, line } = await openAt(`${fullScreen}${status}\x1b[H$ `)
    await write(paged)
    type(`${left}q`)
    await write('\x1b[H\x1b[2J$ true\r\n$ ')
    expect(line()).toMatchObject({ place: 'full_screen', shown: '', isEmptied: true })
  })

  test('keys that were typed ahead and edited, and end like a prompt, are the line', async () => {
    const { write, type, line } = await openAt(`${fullScreen}$ `)
    type('rintf #')
    type(`${left}p`)
    await write('$ printf #')
    expect(line()).toMatchObject({ place: 'full_screen', shown: '$ printf #', isGivenUp: true })
  })

  test.each([
    ['at a prompt that tells how a command ended', '[0] $ ', '^C\r\n[130] $ '],
    ['at a prompt that goes on', '> ', '^C\r\n$ '],
    ['at one that stands above, too', '$ one\r\n> ', '^C\r\n$ '],
    ['below a sentence of the gateway', '$ one\r\n> ', '\r\nrefused\r\n^C\r\n$ '],
  ])(
    'behind an interrupt that took an edited line away the next one is its own: %s',
    async (_where, prompt, shown) => {
      const { found, write, type, echo, line } = await open(fullScreen + prompt)
      await echo('abc')
      type(left)
      await write('\b')
      type('\x03')
      await write(shown)
      await echo('echo hi')
      expect(line()).toMatchObject({ shown: 'echo hi', typed: 'echo hi', isGivenUp: true })
      type('\r')
      await write('\r\nhi\r\n$ ')
      type('x')
      expect(found).toMatchObject([{ input: 'echo hi' }])
    },
  )

  test.each([
    ['stays where it is', ''],
    ['is gone through to its end', '\x1b[2;4H'],
  ])(
    'behind an interrupt that took nothing away nobody knows what a line is that %s',
    async (_how, moved) => {
      const { write, type, line } = await open(`${fullScreen}[0] $ `)
      type(`printf xx${left}`)
      await write('printf xx\r\n: #\x1b[1;10H')
      type('\x03')
      await write(moved)
      type('x')
      await write('x')
      expect(line()).toMatchObject({ typed: undefined, isGivenUp: false })
    },
  )
})

test.each([
  ['the usual screen', ''],
  ['a full-screen program', '\x1b[?1049h\x1b[H'],
])('interrupts by the thousand on %s keep nobody waiting', async (_where, shown) => {
  const cols = 600
  const rows = 200
  const emulation = new Emulation({ cols, rows })
  const reader = new CommandReader(emulation, () => {})
  const type = (keys: string) => reader.input(Buffer.from(keys))
  await emulation.write(Buffer.from(`${shown}${`$ ${'a'.repeat(cols - 4)}\r\n`.repeat(rows - 1)}[1] $ `))
  type(`x${left}`)
  await emulation.write(Buffer.from('\x1b[3;1Hb #'))
  const ms = processorMs(() => {
    for (let n = 0; n < 1000; n++) type('\x03')
    type('\x03'.repeat(5000))
  })
  expect(ms).toBeLessThan(1500)
})
