import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import type { Command, Unread } from './messages.ts'
import { Emulations } from './workers.ts'

const log = pino({ level: 'silent' })
let emulations: Emulations
afterEach(async () => {
  await emulations.stop()
})

function openScreen(size = { cols: 80, rows: 24 }) {
  const found: (Command | Unread)[] = []
  const screen = emulations.open({ size, lostNotice: 'begins anew', onFound: (one) => found.push(one) })
  const text = async () => Buffer.from((await screen.paintAll())?.bytes ?? []).toString()
  return { screen, found, text }
}

test('output that would have an emulation work for minutes holds nobody up', async () => {
  emulations = new Emulations(log)
  const hostile = openScreen({ cols: 1000, rows: 120 })
  const others = [openScreen(), openScreen(), openScreen()]
  const storm = [
    '\x1b[2147483647S',
    '\x1b[2147483647b',
    '\x1b[2147483647I',
    '\x1b[999L',
    '\x1b[999T',
    '\x1bc',
    '\x1b[?1049h\x1b[?1049l',
  ]
  for (const sequence of storm) hostile.screen.feed(Buffer.from(`x${sequence}`.repeat(2000)))
  for (let at = 0; at < 2000; at++) hostile.screen.resize({ cols: 100 + (at % 900), rows: 120 })
  for (const { screen } of others) screen.feed(Buffer.from('still here'))
  for (const { text } of others) expect(await text()).toContain('still here')
  hostile.screen.feed(Buffer.from('\x1bcthe hostile one too'))
  expect(await hostile.text()).toContain('the hostile one too')
  expect(others.flatMap(({ found }) => found)).toEqual([])
}, 60_000)

test('of a flood the end is emulated, with the modes that were switched in between', async () => {
  emulations = new Emulations(log)
  const { screen, text } = openScreen()
  for (let line = 0; line < 200_000; line++) screen.feed(Buffer.from(`line ${line} of a flood of lines\r\n`))
  screen.feed(Buffer.from('\x1b[?1049h'))
  for (let line = 0; line < 200_000; line++) screen.feed(Buffer.from(`row ${line} of another flood\r\n`))
  const painted = await text()
  expect(painted).toContain('\x1b[?1049h')
  expect(painted).toContain('row 199999 of another flood')
}, 30_000)

/** Answers as the real one does, but for a screen that was sent `stop`, which it never gets done with. */
const stubborn = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', (batches) => {
    for (const { screen, steps } of batches) {
      for (const step of steps) while (step.kind === 'output' && Buffer.from(step.bytes).includes('stop'));
      const opened = steps.find(({ kind }) => kind === 'open')
      const paintings = steps.filter(({ kind }) => kind === 'paint')
        .map(() => ({ cols: 1, rows: 1, bytes: Buffer.from('painted') }))
      const head = steps.some(({ kind }) => kind === 'close') ? '' : undefined
      parentPort.postMessage({ screen, tookMs: 0, found: [], paintings, lines: [], head })
    }
  })
  parentPort.postMessage('ready')
`)}`,
)

test('a worker that does not answer is replaced; its screens begin anew and say so', async () => {
  emulations = new Emulations(log, stubborn)
  const [first, second, third] = [openScreen(), openScreen(), openScreen()]
  expect(await first.text()).toBe('painted')
  first.screen.feed(Buffer.from('stop'))
  await expect.poll(() => first.found, { timeout: 20_000 }).toMatchObject([{ unread: 'screen_lost' }])
  expect(await first.text()).toBe('painted')
  expect(await third.text()).toBe('painted')
  expect(third.found).toMatchObject([{ unread: 'screen_lost' }])
  expect(second.found).toEqual([])
  // who does it again is not emulated any more, and waits for nothing
  first.screen.feed(Buffer.from('stop'))
  await expect.poll(() => first.found, { timeout: 20_000 }).toHaveLength(2)
  first.screen.feed(Buffer.from('stop'))
  expect(await first.screen.paintAll()).toBeUndefined()
  expect(await first.screen.close()).toBe('')
  await sleep(10)
  expect(await third.text()).toBe('painted')
}, 60_000)
