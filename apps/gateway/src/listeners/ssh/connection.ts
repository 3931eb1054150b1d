import type { ChannelOpening, ServerSession, WindowBudget } from '@sallyport/ssh'
import type { Terminal } from '../../traffic/ports.ts'
import { SshChannelClient, boundedSize } from './client.ts'
import { passedModes } from './terminal-modes.ts'
import { say } from './text.ts'

/** Sessions at one time on one connection. */
const MAX_CHANNELS = 32
const MAX_COMMAND_LENGTH = 128 * 1024
const LOCALE = /^[A-Za-z0-9_.@-]{1,32}$/
const LOCALE_NAME =
  /^(?:LANG|LC_(?:ALL|ADDRESS|COLLATE|CTYPE|IDENTIFICATION|MEASUREMENT|MESSAGES|MONETARY|NAME|NUMERIC|PAPER|TELEPHONE|TIME))$/
const TERM = /^[A-Za-z0-9_.+-]{1,64}$/

export interface ChannelHandlers {
  /** A shell, or a command. */
  open(client: SshChannelClient): void
  /** The subsystem `sftp`, the only one that is known. */
  files(client: SshChannelClient): void
}

/**
 * Turns the channels a logged-in connection opens into clients. Forwarding of X11 and of the agent is refused by silence. `isOver`: the
 * sign-in counts no more; `windows`: of all that this person has open.
 */
export function channelServer(
  handlers: ChannelHandlers,
  { isOver, windows }: { isOver: () => boolean; windows: WindowBudget },
): (opening: ChannelOpening) => void {
  let count = 0
  return (opening) => {
    // In English whoever it is: OpenSSH shows these with everything but ASCII escaped.
    const refuse = (sentence: string) => opening.refuse('administrativelyProhibited', sentence)
    if (isOver()) refuse(say('en', 'sign_in_ended'))
    else if (opening.type === 'direct-tcpip') refuse(say('en', 'forward_refused'))
    else if (opening.type !== 'session') opening.refuse('unknownChannelType', say('en', 'channel_unknown'))
    else if (count >= MAX_CHANNELS) refuse(say('en', 'too_many_channels', { max: MAX_CHANNELS }))
    else {
      count++
      const session = opening.accept(windows)
      void session.gone.finally(() => count--)
      serveSession(session, handlers)
    }
  }
}

function serveSession(session: ServerSession, handlers: ChannelHandlers): void {
  let terminal: Terminal | undefined
  const locale: Record<string, string> = {}
  let client: SshChannelClient | undefined
  const begin = (kind: 'shell' | 'exec', command?: string) => {
    client = new SshChannelClient(session, { kind, command, terminal, locale })
    return client
  }
  session.handlers = {
    pty: ({ cols, rows, term, modes }) => {
      const known = TERM.test(term) ? term : 'xterm'
      terminal = { ...boundedSize(cols, rows), term: known, modes: passedModes(modes) }
      return true
    },
    env: (name, value) => {
      const isKnown = LOCALE_NAME.test(name) && LOCALE.test(value)
      if (isKnown) locale[name] = value
      return isKnown
    },
    windowChange: ({ cols, rows }) => {
      const size = boundedSize(cols, rows)
      if (terminal) terminal = { ...terminal, ...size }
      client?.resize(size)
    },
    signal: (name) => client?.signal(name),
    shell: () => () => handlers.open(begin('shell')),
    exec: (command) =>
      command.length > MAX_COMMAND_LENGTH ? undefined : () => handlers.open(begin('exec', command)),
    subsystem: (name) => {
      if (name !== 'sftp') return undefined
      return () => {
        terminal = undefined
        handlers.files(begin('exec'))
      }
    },
  }
}
