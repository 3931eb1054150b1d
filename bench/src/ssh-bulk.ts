/** A command's output in bulk, recorded to its bound, against a direct connection and against ProxyJump in the same run. */
import { type Bench, type Figure, median, versus } from './figure.ts'
import { SshWorld, type Route } from './ssh-world.ts'

const bytes = 600_000_000
const rounds = 5
const routes: Route[] = ['direct', 'jump', 'gateway']

async function run(): Promise<Figure[]> {
  const world = await SshWorld.start()
  try {
    const rates: Record<Route, number[]> = { direct: [], jump: [], gateway: [] }
    for (let round = 0; round < rounds; round++) {
      for (const route of routes) {
        rates[route].push(await world.throughput(route, `head -c ${bytes} /dev/zero`, bytes))
      }
    }
    const figure = (peer: Route, peerName: string, asked: number) =>
      versus('exec output of 600 MB', median(rates.gateway), median(rates[peer]), 'MB/s', peerName, asked)
    return [figure('jump', 'ProxyJump', 1.2), figure('direct', 'direct', 0.65)]
  } finally {
    await world.stop()
  }
}

export default { name: 'ssh-bulk', run } satisfies Bench
