/** How much longer a keystroke takes to come back through the gateway than directly, while another session is at full output. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { below, type Bench, type Figure, percentile, plain, round } from './figure.ts'
import { SshWorld, type Route } from './ssh-world.ts'

const keys = 400
const warmUp = 50

/** A terminal whose program gives back each key; OpenSSH client and server take part in both routes. */
export async function echoTerminal(world: SshWorld, route: Route, ...args: string[]): Promise<ChildProcess> {
  const child = spawn('ssh', [...world.args(route, '-tt', ...args), 'stty raw -echo; echo ready; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  while (!output.includes('ready')) {
    const [data] = (await once(child.stdout, 'data', { signal: AbortSignal.timeout(10_000) })) as [Buffer]
    output += data.toString()
  }
  return child
}

/** Milliseconds from a key to its echo. */
async function roundTrip({ stdin, stdout }: ChildProcess): Promise<number> {
  if (!stdin || !stdout) throw new Error('no pipes')
  const begun = performance.now()
  const echo = once(stdout, 'data', { signal: AbortSignal.timeout(10_000) })
  stdin.write('x')
  await echo
  return performance.now() - begun
}

/** How much later than directly keys come back through the gateway, in milliseconds: that at which so large a share of them is back. */
export async function addedEcho(
  direct: ChildProcess,
  gateway: ChildProcess,
): Promise<(share: number) => number> {
  const times = { direct: [] as number[], gateway: [] as number[] }
  for (let key = 0; key < keys + warmUp; key++) {
    // Turn by turn, so that both meet the same machine.
    const pair = [await roundTrip(direct), await roundTrip(gateway)] as const
    if (key >= warmUp) {
      times.direct.push(pair[0])
      times.gateway.push(pair[1])
    }
    await sleep(5)
  }
  return (share) => Math.max(percentile(times.gateway, share) - percentile(times.direct, share), 0.01)
}

/** Echo times, in milliseconds, while another channel of the same connection is at full output. */
async function besideBulk(world: SshWorld, route: Route): Promise<number[]> {
  const socket = join(world.folder, `bulk-${route}`)
  const bulk = spawn('ssh', [...world.args(route, '-M', '-S', socket), 'cat /dev/zero'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    while (!existsSync(socket)) await sleep(20)
    const terminal = await echoTerminal(world, route, '-S', socket)
    const times: number[] = []
    for (let key = 0; key < keys + warmUp; key++) {
      const time = await roundTrip(terminal)
      if (key >= warmUp) times.push(time)
      await sleep(5)
    }
    terminal.kill('SIGKILL')
    return times
  } finally {
    bulk.kill('SIGKILL')
  }
}

async function run(): Promise<Figure[]> {
  const world = await SshWorld.start()
  const flood = spawn('ssh', [...world.args('gateway'), 'cat /dev/zero'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const terminals: ChildProcess[] = []
  try {
    const [direct, gateway] = [await echoTerminal(world, 'direct'), await echoTerminal(world, 'gateway')]
    terminals.push(direct, gateway)
    const added = await addedEcho(direct, gateway)
    flood.kill('SIGKILL')
    const beside = { direct: await besideBulk(world, 'direct'), gateway: await besideBulk(world, 'gateway') }
    return [
      ...[0.5, 0.99].map((share) =>
        plain(
          `echo time beside bulk on the same connection, p${share * 100}, direct and through the gateway`,
          `${round(percentile(beside.direct, share))} and ${round(percentile(beside.gateway, share))} ms`,
        ),
      ),
      below('added echo time beside full output, p50', added(0.5), 1, 'ms'),
      below('added echo time beside full output, p99', added(0.99), 10, 'ms'),
    ]
  } finally {
    for (const child of [flood, ...terminals]) child.kill('SIGKILL')
    await world.stop()
  }
}

export default { name: 'ssh-echo', run } satisfies Bench
