import { expect, test } from 'vitest'
import { Emulation } from './emulation.ts'

const size = { cols: 600, rows: 200 }

/** Of the whole process, which does nothing else here: an emulation works in turns. */
async function processorMsOf(emulation: Emulation, pieces: string[]): Promise<number> {
  const before = process.threadCpuUsage()
  for (const piece of pieces) await emulation.write(Buffer.from(piece))
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

test('links by the ten thousand make the lines behind them no dearer, and their text is shown', async () => {
  const emulation = new Emulation(size)
  const link = '\x1b]8;;https://example.org\x07x\x1b]8;;\x07'
  for (let pieces = 0; pieces < 20; pieces++) await emulation.write(Buffer.from(link.repeat(1000)))
  expect(Buffer.from(emulation.paint(false).bytes).toString()).toContain('xxx')
  expect(await processorMsOf(emulation, ['\n'.repeat(3000)])).toBeLessThan(500)
  emulation.dispose()
})

test.each([
  ['a title', '\x1b]0;', 'a'],
  ['colours', '\x1b]4;', '1;?;'],
  ['a clipboard', '\x1b]52;c;', 'a'],
  ['what is for a device', '\x1bP$q', 'a'],
])('%s without an end costs nothing, and what stands behind it is shown', async (_what, begin, more) => {
  const emulation = new Emulation(size)
  const pieces = Array.from({ length: 100 }, () => more.repeat(16_000 / more.length))
  expect(await processorMsOf(emulation, [begin, ...pieces, '\x1b\\behind'])).toBeLessThan(1000)
  expect(Buffer.from(emulation.paint(false).bytes).toString()).toContain('behind')
  emulation.dispose()
})
