/**
 * How much longer a keystroke takes to come back through the gateway than directly, while other sessions do their worst: output made of costly control sequences, windows of
 * 1000×500, and a window that is resized as fast as packets go.
 */
import { noModes, parsePrivateKey } from '@sallyport/ssh'
import { logIn } from '@sallyport/ssh/testing/log-in'
import { below, type Bench, type Figure } from './figure.ts'
import { addedEcho, echoTerminal } from './ssh-echo.ts'
import { SshWorld } from './ssh-world.ts'

const hugeWindow = { cols: 1000, rows: 500, widthPixels: 0, heightPixels: 0 }
const costly = String.raw`while :; do printf '\e[2147483647S\e[2147483647b\e[999L\e[2J%0500d' 7; done`
const resizesAtOnce = 50

/** A terminal of 1000×500 whose program runs for ever; what it prints is read and thrown away. */
async function hugeTerminal(world: SshWorld, command: string) {
  const { port, username, privateKey } = world.login
  const methods = [{ method: 'publickey', key: parsePrivateKey(privateKey) } as const]
  const client = await logIn({ port, username, methods })
  const channel = await client.openSession()
  await channel.pty({ term: 'xterm', modes: noModes, ...hugeWindow })
  await channel.exec(command)
  channel.resume()
  return { client, channel }
}

async function run(): Promise<Figure[]> {
  const world = await SshWorld.start()
  const hostile = [await hugeTerminal(world, costly), await hugeTerminal(world, costly)]
  const resized = await hugeTerminal(world, 'yes')
  const storm = setInterval(() => {
    for (let step = 0; step < resizesAtOnce; step++)
      resized.channel.windowChange({ ...hugeWindow, rows: 500 - (step % 2) })
  }, 10)
  const terminals = [await echoTerminal(world, 'direct'), await echoTerminal(world, 'gateway')] as const
  try {
    const added = await addedEcho(...terminals)
    const name = 'added echo time beside hostile output, resize storms and 1000×500 windows'
    return [below(`${name}, p50`, added(0.5), 5, 'ms'), below(`${name}, p99`, added(0.99), 20, 'ms')]
  } finally {
    clearInterval(storm)
    for (const terminal of terminals) terminal.kill('SIGKILL')
    for (const { client } of [...hostile, resized]) client.destroy()
    await world.stop()
  }
}

export default { name: 'ssh-hostile', run } satisfies Bench
