/** What idle sessions hold in the gateway's memory, and how many sessions can be opened a second. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { below, type Bench, type Figure, plain } from './figure.ts'
import { SshWorld } from './ssh-world.ts'

const idle = 500
const atOnce = 8

/** Resident memory in MiB. */
async function memory(world: SshWorld): Promise<number> {
  const status = await readFile(`/proc/${world.gateway.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

async function shell(world: SshWorld): Promise<ChildProcess> {
  const child = spawn('ssh', [...world.args('gateway', '-tt'), 'echo ready; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data', { signal: AbortSignal.timeout(30_000) })
  return child
}

async function run(): Promise<Figure[]> {
  const world = await SshWorld.start()
  const open: ChildProcess[] = []
  try {
    for (let count = 0; count < 20; count++) open.push(await shell(world))
    await sleep(2000)
    const before = await memory(world)
    const begun = performance.now()
    while (open.length < idle + 20) {
      open.push(...(await Promise.all(Array.from({ length: atOnce }, () => shell(world)))))
    }
    const seconds = (performance.now() - begun) / 1000
    await sleep(3000)
    const each = ((await memory(world)) - before) / (open.length - 20)
    return [
      below(`memory of an idle session, ${idle} open`, each, 1, 'MiB'),
      plain(
        'recorded sessions opened a second',
        `${((open.length - 20) / seconds).toFixed(1)}/s, each with its own login and ssh process`,
      ),
    ]
  } finally {
    for (const child of open) child.kill('SIGKILL')
    await world.stop()
  }
}

export default { name: 'ssh-sessions', run } satisfies Bench
