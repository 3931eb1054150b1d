import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
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

/** Prints the priorities of a gateway's threads, of one it starts to keep screens, and of the session they are in. */
const script = `
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { goFirst } from '${priority}'
goFirst()
const threads = new Set(readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread))))
const worker = new Worker(${JSON.stringify(screens)}, { eval: true })
const session = existsSync('/proc/self/autogroup')
  ? Number(readFileSync('/proc/self/autogroup', 'utf8').split(' ').at(-1))
  : undefined
worker.once('message', (screens) => console.log(JSON.stringify({ threads: [...threads], screens, session })))
`

/** Linux shares out time by session first, if it is built so. */
const hasAutogroups = existsSync('/proc/self/autogroup')
const sessionOf = (niceness: number) => (hasAutogroups ? { session: niceness } : {})

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
    // As its supervisor starts it: in a session of its own.
    const alone = await prioritiesOf('setsid', '--wait', process.execPath)
    expect(alone).toEqual({ threads: [niceness], screens: own, ...sessionOf(niceness === -5 ? -5 : 0) })
  },
)

test.runIf(process.platform === 'linux')('a gateway that was given a priority keeps it', async () => {
  expect(await prioritiesOf('setsid', '--wait', 'nice', '-n', '7', process.execPath)).toEqual({
    threads: [own + 7],
    screens: own + 7,
    ...sessionOf(0),
  })
})

test.runIf(process.platform === 'linux' && hasAutogroups)(
  'a gateway that shares its session with others asks nothing for them',
  async () => {
    const session = await prioritiesOf('setsid', '--wait', 'sh', '-c', `"$@"; true`, 'sh', process.execPath)
    expect(session).toMatchObject(sessionOf(0))
  },
)
