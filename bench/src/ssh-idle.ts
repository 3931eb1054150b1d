/** What memory a server of SSH holds for each connection that has one session open in which nothing happens. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { logIn } from '@sallyport/ssh/testing/log-in'
import { gatewayFlags } from '../../scripts/lib/gateway-flags.mjs'
import { below, type Bench, type Figure } from './figure.ts'

const warmUp = 300
const connections = 2000
const atOnce = 20

async function run(): Promise<Figure[]> {
  const script = fileURLToPath(new URL('ssh-idle-server.ts', import.meta.url))
  const server = fork(script, { execArgv: [...gatewayFlags, '--expose-gc'] })
  const [{ port }] = (await once(server, 'message')) as [{ port: number }]
  const open = async () => {
    const client = await logIn({ port, username: 'ann', methods: [] })
    await (await client.openSession()).shell()
  }
  const openMany = async (count: number) => {
    for (let done = 0; done < count; done += atOnce) await Promise.all(Array.from({ length: atOnce }, open))
  }
  const held = async () => {
    server.send('held')
    const [bytes] = (await once(server, 'message')) as [number]
    return bytes
  }
  try {
    await openMany(warmUp)
    const before = await held()
    await openMany(connections)
    const each = ((await held()) - before) / connections / 1024
    return [below('memory of an idle connection with one channel', each, 40, 'KiB')]
  } finally {
    server.kill()
  }
}

export default { name: 'ssh-idle', run } satisfies Bench
