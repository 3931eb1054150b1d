import type { Connection, ServerChannel, Session } from 'ssh2'
import type { Terminal } from '../../traffic/ports.ts'
import { refuseChannels } from '../../streams/ssh2.ts'
import { SshChannelClient, boundedSize, type ChannelRequest } from './client.ts'
import { say } from './text.ts'

/** Sessions at one time on one connection. */
const MAX_CHANNELS = 32
const MAX_COMMAND_LENGTH = 128 * 1024
const LANG = /^[A-Za-z0-9_.@-]{1,32}$/
const TERM = /^[A-Za-z0-9_.+-]{1,64}$/

export interface ChannelHandlers {
  /** A shell, or a command. */
  open(client: SshChannelClient): void
  /** A subsystem: `sftp` or anything else. */
  subsystem(client: SshChannelClient, name: string): void
}

/** Turns the requests on the channels of a logged-in connection into clients. Forwarding of X11 and of the agent is refused by silence. */
export function serveChannels(
  connection: Connection,
  handlers: ChannelHandlers,
  /** Whether the sign-in counts no more. */
  isOver: () => boolean = () => false,
): void {
  const clients = new Map<object, SshChannelClient>()
  let count = 0
  connection.on('close', () => {
    for (const client of clients.values()) client.gone()
  })
  // In English whoever it is: OpenSSH shows these with everything but ASCII escaped.
  refuseChannels(connection, (type) => {
    if (isOver()) return say('en', 'sign_in_ended')
    if (type !== 'session') return say('en', 'forward_refused')
    return count < MAX_CHANNELS ? undefined : say('en', 'too_many_channels', { max: MAX_CHANNELS })
  })
  connection.on('session', (accept) => {
    count++
    const session = accept()
    session.once('close', () => {
      count--
      clients.get(session)?.gone()
      clients.delete(session)
    })
    serveSession(
      session,
      (channel, request) => {
        const client = new SshChannelClient(channel, request)
        clients.set(session, client)
        return client
      },
      handlers,
      () => clients.get(session),
    )
  })
}

function serveSession(
  session: Session,
  begin: (channel: ServerChannel, request: ChannelRequest) => SshChannelClient,
  handlers: ChannelHandlers,
  current: () => SshChannelClient | undefined,
): void {
  let terminal: Terminal | undefined
  let lang: string | undefined
  session.on('pty', (accept, _reject, info) => {
    terminal = { ...boundedSize(info.cols, info.rows), term: TERM.test(info.term) ? info.term : 'xterm' }
    reply(accept)
  })
  session.on('env', (accept, reject, { key, val }) => {
    const isKnown = key === 'LANG' && LANG.test(val)
    if (isKnown) lang = val
    reply(isKnown ? accept : reject)
  })
  session.on('window-change', (accept, _reject, { cols, rows }) => {
    const size = boundedSize(cols, rows)
    if (terminal) terminal = { ...terminal, ...size }
    current()?.resize(size)
    reply(accept)
  })
  session.on('signal', (accept, _reject, { name }) => {
    current()?.signal(name)
    reply(accept)
  })
  session.on('shell', (accept) => {
    const channel: ServerChannel | undefined = accept()
    if (channel) handlers.open(begin(channel, { kind: 'shell', terminal, lang }))
  })
  session.on('exec', (accept, reject, { command }) => {
    if (command.length > MAX_COMMAND_LENGTH) {
      reply(reject)
      return
    }
    const channel: ServerChannel | undefined = accept()
    if (channel) handlers.open(begin(channel, { kind: 'exec', command, terminal, lang }))
  })
  session.on('subsystem', (accept, _reject, { name }) => {
    const channel: ServerChannel | undefined = accept()
    if (channel) handlers.subsystem(begin(channel, { kind: 'exec', lang }), name)
  })
}

/** The library leaves the function out where the client wants no answer. */
function reply(answer: (() => unknown) | undefined): void {
  answer?.()
}
