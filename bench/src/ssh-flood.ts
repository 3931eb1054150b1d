/** How much longer a keystroke takes to come back through the gateway while strangers open connections to it as fast as they can. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { below, type Bench, type Figure, plain, round } from './figure.ts'
import { addedEcho, echoTerminal } from './ssh-echo.ts'
import { SshWorld } from './ssh-world.ts'

async function openedBy(strangers: ChildProcess): Promise<number> {
  strangers.send('opened')
  const [count] = (await once(strangers, 'message')) as [number]
  return count
}

async function run(): Promise<Figure[]> {
  const world = await SshWorld.start()
  const terminals = [await echoTerminal(world, 'direct'), await echoTerminal(world, 'gateway')] as const
  const script = fileURLToPath(new URL('ssh-strangers.ts', import.meta.url))
  const strangers = fork(script, [String(world.login.port)])
  try {
    await once(strangers, 'message')
    const [before, begun] = [await openedBy(strangers), performance.now()]
    const added = await addedEcho(...terminals)
    const rate = ((await openedBy(strangers)) - before) / ((performance.now() - begun) / 1000)
    if (rate === 0) throw new Error('no stranger came in')
    return [
      plain('connections strangers opened meanwhile', `${round(rate)} /s`),
      below('added echo time while strangers connect, p99', added(0.99), 20, 'ms'),
    ]
  } finally {
    strangers.kill('SIGKILL')
    for (const terminal of terminals) terminal.kill('SIGKILL')
    await world.stop()
  }
}

export default { name: 'ssh-flood', run } satisfies Bench
