import { setImmediate } from 'node:timers/promises'
import { ChannelError, fingerprintOf, noModes, type Client, type ClientSession } from '@sallyport/ssh'
import { UnopenedError } from '../../session/failures.ts'
import type { Locale, TargetChannel, ShellConnection, Terminal } from '../../traffic/ports.ts'
import { targetChannel } from './channel.ts'
import { isGoodbye, TargetError, targetError } from './errors.ts'
import { logIn, type LoginOptions, placeOf, type SshTarget } from './login.ts'

/** Connects, logs in, and runs programs there. Throws a `TargetError` that says why it did not work. */
export async function connectSsh(target: SshTarget, options: LoginOptions): Promise<ShellConnection> {
  return connection(await logIn(target, options), placeOf(target))
}

function connection(client: Client, where: string): ShellConnection {
  const whenClosed = async () => {
    const error = await client.closed
    return error && !isGoodbye(error) ? targetError(error, where) : undefined
  }
  const closed = whenClosed()
  /** What is asked of a session is sent at once, and answered in order. */
  const open = async (
    kind: 'shell' | 'exec',
    { terminal, locale = {} }: { terminal?: Terminal; locale?: Locale },
    begin: (session: ClientSession) => Promise<void>,
  ): Promise<TargetChannel> => {
    let session: ClientSession | undefined
    try {
      session = await client.openSession()
      const channel = targetChannel(session, {
        where,
        hasTerminal: terminal !== undefined,
        ...(kind === 'shell' && { closed }),
      })
      for (const [name, value] of Object.entries(locale)) session.env(name, value)
      const more = { widthPixels: 0, heightPixels: 0, modes: terminal?.modes ?? noModes }
      await Promise.all([terminal && session.pty({ ...terminal, ...more }), begin(session)])
      return channel
    } catch (error) {
      const lost = await Promise.race([closed, setImmediate()])
      session?.destroy()
      if (lost?.code === 'zone_gateway_lost' && !session)
        throw new UnopenedError(lost.message, { cause: lost })
      if (lost) throw lost
      const said = error instanceof ChannelError && error.said !== '' ? `: ${error.said}` : ''
      throw new TargetError('target_channel_refused', `${where} opened no ${kind}${said}`, { where }, error)
    }
  }
  return {
    shell: (terminal, { locale } = {}) => open('shell', { terminal, locale }, (session) => session.shell()),
    exec: (command, options = {}) => open('exec', options, (session) => session.exec(command)),
    roundTrip: () => client.roundTrip(),
    closed,
    hostKey: fingerprintOf(client.hostKey),
    end: () => client.end(),
  }
}
