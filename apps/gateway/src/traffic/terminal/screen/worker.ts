/** An emulation worker: keeps the screens of many sessions and reads the commands off them, one batch after the other. */
import { parentPort } from 'node:worker_threads'
import { standBack } from '../../../priority.ts'
import { outputMax } from '../commands/found-commands.ts'
import { CommandReader } from '../commands/reader.ts'
import { ScreenText } from '../commands/screen-text.ts'
import { Emulation } from './emulation.ts'
import type { Batch, Report, Step } from './messages.ts'

interface Kept {
  emulation: Emulation
  reader: CommandReader
}

standBack()
if (!parentPort) throw new Error('not a worker')
const port = parentPort
const screens = new Map<number, Kept>()
let work = Promise.resolve()

function open(screen: number, step: Extract<Step, { kind: 'open' }>): Kept {
  const emulation = new Emulation(step.size)
  const reader = new CommandReader(emulation, (found) => {
    port.postMessage({ screen, found: [found], paintings: [], lines: [] } satisfies Report)
  })
  if (step.isAgain) reader.goOnUnknowing()
  const kept = { emulation, reader }
  screens.set(screen, kept)
  return kept
}

async function take(kept: Kept, step: Step, report: Report): Promise<void> {
  const { emulation, reader } = kept
  if (step.kind === 'open') await emulation.write(new TextEncoder().encode(step.notice))
  else if (step.kind === 'output') await emulation.write(step.bytes)
  else if (step.kind === 'gap') await emulation.gap(step.bytes)
  else if (step.kind === 'input') reader.input(step.bytes)
  else if (step.kind === 'resize') emulation.resize(step.size)
  else if (step.kind === 'paint') report.paintings.push(emulation.paint(step.isWhole))
  else if (step.kind === 'told') {
    if (emulation.emulator.buffer.active.type === 'alternate') return
    await emulation.write(step.bytes)
    reader.told()
  } else if (step.kind === 'line') report.lines.push(reader.line())
  else {
    reader.close()
    report.head = new ScreenText(emulation.emulator).head(outputMax)
    emulation.dispose()
    screens.delete(report.screen)
  }
}

async function handle({ screen, steps }: Batch): Promise<void> {
  const begun = performance.now()
  const report: Report = { screen, found: [], paintings: [], lines: [] }
  for (const step of steps) {
    const kept = step.kind === 'open' ? open(screen, step) : screens.get(screen)
    if (kept) await take(kept, step, report)
  }
  report.tookMs = performance.now() - begun
  port.postMessage(report)
}

port.on('message', (batches: Batch[]) => {
  for (const batch of batches) work = work.then(() => handle(batch))
})
port.postMessage('ready')
