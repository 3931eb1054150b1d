/**
 * What idle sessions hold in the gateway's memory, and how many sessions can be opened a second: beside the same number opened directly,
 * for most of the time goes to the ssh and sshd processes, and with what the gateway itself needs for one.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { below, type Bench, type Figure, plain } from './figure.ts'
import { SshWorld, type Route } from './ssh-world.ts'

const idle = 500
const direct = 48
const atOnce = 8
const tickMs = 10

/** Resident memory in MiB. */
async function memory(world: SshWorld): Promise<number> {
  const status = await readFile(`/proc/${world.gateway.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

/** Milliseconds of processor time the gateway has taken. */
async function processorTime(world: SshWorld): Promise<number> {
  const stat = await readFile(`/proc/${world.gateway.pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}

async function shell(world: SshWorld, route: Route): Promise<ChildProcess> {
  const child = spawn('ssh', [...world.args(route, '-tt'), 'echo ready; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data', { signal: AbortSignal.timeout(30_000) })
  return child
}

/** Opens so many, some at once; returns how many a second. */
async function openMany(world: SshWorld, route: Route, count: number, open: ChildProcess[]): Promise<number> {
  const begun = performance.now()
  for (let opened = 0; opened < count; opened += atOnce) {
    const number = Math.min(atOnce, count - opened)
    open.push(...(await Promise.all(Array.from({ length: number }, () => shell(world, route)))))
  }
  return count / ((performance.now() - begun) / 1000)
}

async function run(): Promise<Figure[]> {
  const world = await SshWorld.start()
  const open: ChildProcess[] = []
  try {
    for (let count = 0; count < 20; count++) open.push(await shell(world, 'gateway'))
    const directRate = await openMany(world, 'direct', direct, open)
    await sleep(2000)
    const [before, processorBefore] = [await memory(world), await processorTime(world)]
    const rate = await openMany(world, 'gateway', idle, open)
    const processorMs = ((await processorTime(world)) - processorBefore) / idle
    await sleep(3000)
    const each = ((await memory(world)) - before) / idle
    return [
      below(`memory of an idle session, ${idle} open`, each, 1, 'MiB'),
      plain(
        'recorded sessions opened a second',
        `${rate.toFixed(1)}/s, directly ${directRate.toFixed(1)}/s (each its own login and ssh process); the gateway takes ${processorMs.toFixed(1)} ms of processor for one`,
      ),
    ]
  } finally {
    for (const child of open) child.kill('SIGKILL')
    await world.stop()
  }
}

export default { name: 'ssh-sessions', run } satisfies Bench
