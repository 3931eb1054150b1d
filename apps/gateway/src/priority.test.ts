import { execFile } from 'node:child_process'
import { getPriority } from 'node:os'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
/** Of the tests; whoever gave it meant it. */
const own = getPriority()
const priority = new URL('./priority.ts', import.meta.url).href

/** Of a thread that keeps screens. */
const screens = `
import { getPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { standBack } from '${priority}'
standBack()
parentPort.postMessage(getPriority())
`

/** Prints the priorities of a gateway's threads, and of one it starts to keep screens. */
const script = `
import { readdirSync } from 'node:fs'
import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { goFirst } from '${priority}'
goFirst()
const threads = new Set(readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread))))
const worker = new Worker(${JSON.stringify(screens)}, { eval: true })
worker.once('message', (screens) => console.log(JSON.stringify({ threads: [...threads], screens })))
`

async function prioritiesOf(program: string, ...args: string[]): Promise<unknown> {
  const { stdout } = await run(program, [...args, '--input-type=module', '-e', script])
  return JSON.parse(stdout)
}

async function mayGoFirst(): Promise<boolean> {
  const { stdout } = await run('nice', ['-n', '-1', 'nice'])
  return Number(stdout) === own - 1
}

test.runIf(process.platform === 'linux')(
  'a gateway goes before other programs where the system lets it, but the screens it keeps do not',
  async () => {
    const niceness = own === 0 && (await mayGoFirst()) ? -5 : own
    expect(await prioritiesOf(process.execPath)).toEqual({ threads: [niceness], screens: own })
  },
)

test.runIf(process.platform === 'linux')('a gateway that was given a priority keeps it', async () => {
  expect(await prioritiesOf('nice', '-n', '7', process.execPath)).toEqual({
    threads: [own + 7],
    screens: own + 7,
  })
})
