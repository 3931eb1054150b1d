/**
 * How long the gateway looks at nothing else, and how long a keystroke takes to come back through it, while others send it tiny packets: nineteen strangers in one burst of 2 MB
 * each, and ten connections of one who has logged in without end.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { askProgram } from '../../e2e/src/processes.ts'
import { below, type Bench, type Figure, plain, round } from './figure.ts'
import { addedEcho, echoTerminal } from './ssh-echo.ts'
import { SshWorld } from './ssh-world.ts'

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

async function visitors(world: SshWorld, order: 'burst' | 'person'): Promise<ChildProcess> {
  const { port, username, privateKey } = world.login
  const child = fork(pathOf('ssh-visitors.ts'), [String(port), username, privateKey])
  child.send(order)
  await once(child, 'message')
  return child
}

/** Milliseconds of processor time of the gateway's longest turn since the last call. */
const longestTurn = async ({ gateway }: SshWorld) =>
  Number((await askProgram(gateway, 'longest', 'turn'))['longest'])

async function run(): Promise<Figure[]> {
  const world = await SshWorld.start('--import', pathOf('turn-monitor.ts'))
  const terminals = [await echoTerminal(world, 'direct'), await echoTerminal(world, 'gateway')] as const
  const children: ChildProcess[] = []
  const measure = async (who: string): Promise<Figure[]> => {
    await longestTurn(world)
    const added = await addedEcho(...terminals)
    return [
      below(`longest turn of the event loop, ${who}`, await longestTurn(world), 50, 'ms of processor'),
      plain(`added echo time, ${who}, p50 and p99`, `${round(added(0.5))} and ${round(added(0.99))} ms`),
    ]
  }
  try {
    const strangers = await visitors(world, 'burst')
    children.push(strangers)
    strangers.send('now')
    const burst = await measure('bursts of tiny packets of strangers')
    strangers.kill('SIGKILL')
    children.push(await visitors(world, 'person'))
    return [...burst, ...(await measure('tiny packets of a person without end'))]
  } finally {
    for (const child of [...children, ...terminals]) child.kill('SIGKILL')
    await world.stop()
  }
}

export default { name: 'ssh-packets', run } satisfies Bench
