import type { Profile } from '@sallyport/contract/gateway/grants'
import { gatewayMessage } from '@sallyport/contract/messages/gateway'
import type { Language } from '@sallyport/contract/messages/language'
import {
  terminalSizeSchema,
  type TerminalEnd,
  type TerminalMessage,
  type TerminalSession,
} from '@sallyport/contract/terminal-socket'
import { unlessRefused } from '../../api/errors.ts'
import type { Gateway } from '../../gateway.ts'
import { outcomeSentence, type Outcome } from '../../session/outcome.ts'
import type { TerminalSize } from '../../traffic/ports.ts'
import { RefusedError } from '../../session/failures.ts'
import type { Room } from '../../session/room.ts'
import type { Session } from '../../session/session.ts'
import { WebClient } from './client.ts'
import { watch } from './monitor.ts'
import { parseJson, type TerminalSocket } from './socket.ts'
import { refusal } from './refusal.ts'

const initWithinMs = 30_000

export interface Visitor {
  socket: TerminalSocket
  profile: Profile
  language: Language
  remote_addr: string
}

/** The owners' places that a browser can take again. */
const places = new WeakMap<Room, WebClient>()

/** Serves one socket of a signed-in visitor; `id` is a connection token's or a session's. */
export async function serveTerminal(
  gateway: Gateway,
  visitor: Visitor,
  kind: 'token' | 'monitor' | 'reattach',
  id: string,
): Promise<void> {
  if (kind === 'monitor') await serveMonitor(gateway, visitor, id)
  else if (kind === 'reattach') await serveReattach(gateway, visitor, id)
  else await serveNew(gateway, visitor, id)
}

/** `begin` is called as soon as the page says its size: what it sends right behind that is for whoever has the socket then. */
function greet<T>({ socket, profile }: Visitor, begin: (size: TerminalSize) => T): Promise<T | undefined> {
  const { id, name, username } = profile
  const begun = new Promise<T | undefined>((resolve) => {
    const giveUp = () => {
      clearTimeout(timer)
      socket.onMessage = undefined
      resolve(undefined)
    }
    const timer = setTimeout(giveUp, initWithinMs)
    socket.onClose = giveUp
    socket.onMessage = (message: TerminalMessage) => {
      if (message.type !== 'TERMINAL_INIT' || message.id !== socket.id) return
      const size = terminalSizeSchema.safeParse(parseJson(message.data))
      if (!size.success) return
      clearTimeout(timer)
      resolve(begin(size.data))
    }
  })
  socket.send('CONNECT', { user: { id, name, username }, setting: {} })
  return begun
}

async function serveNew(gateway: Gateway, visitor: Visitor, tokenId: string): Promise<void> {
  const { socket, profile, language, remote_addr } = visitor
  const holder: { session?: Session } = {}
  const client = await greet(visitor, (size) => {
    const begun: WebClient = new WebClient(size, {
      describeEnd: () => describeEnd(holder.session?.outcome, language, holder.session?.id ?? ''),
      describeSession: () => holder.session && describeSession(holder.session),
    })
    begun.attach(socket)
    return begun
  })
  if (!client) return socket.end(refusal(language, 'refused', gatewayMessage(language, 'client_left')))
  const session = gateway.openSession({
    client,
    login_from: 'WT',
    remote_addr,
    language,
    user_id: profile.id,
    ask: async () => {
      const ofOther = () => new RefusedError(gatewayMessage(language, 'token_of_other_user'))
      // Whose it is not does not use it up.
      const owner = await unlessRefused(gateway.api.tokenOwner(tokenId))
      if (owner && owner.username !== profile.username) throw ofOther()
      const grant = await gateway.api.tokenSecret(tokenId, language)
      if (grant.user.id !== profile.id) throw ofOther()
      return { grant }
    },
  })
  holder.session = session
  session.onLive = () => client.announce()
  places.set(session.room, client)
  await session.done
}

async function serveReattach(gateway: Gateway, visitor: Visitor, sessionId: string): Promise<void> {
  const { socket, profile, language } = visitor
  const session = gateway.sessions.get(sessionId)
  const client = session && places.get(session.room)
  if (!session || !client || !session.room.isOwner(profile.id)) {
    const end = gateway.sessions.endOf(sessionId, profile.id)
    return socket.end(end ? describeEnd(end, language, sessionId) : refusal(language, 'session_not_found'))
  }
  if (session.outcome) return socket.end(describeEnd(session.outcome, language, session.id))
  const replaced: TerminalEnd = {
    reason: 'replaced',
    detail: '',
    message: gatewayMessage(language, 'replaced'),
    can_reattach: true,
  }
  const begun = await greet(visitor, (size) => {
    if (session.outcome) return { over: session.outcome }
    return { painted: client.reattach(socket, size, replaced, () => session.room.paint()) }
  })
  if (!begun) return socket.end(refusal(language, 'refused', gatewayMessage(language, 'client_left')))
  if (begun.over) return socket.end(describeEnd(begun.over, language, session.id))
  await begun.painted
}

async function serveMonitor(gateway: Gateway, visitor: Visitor, sessionId: string): Promise<void> {
  const { socket, profile, language } = visitor
  const session = gateway.sessions.get(sessionId)
  const gone = new AbortController()
  const frames = session?.room.watch(profile, gone.signal)
  if (!session || !frames) return socket.end(refusal(language, 'session_not_found'))
  socket.onClose = () => gone.abort()
  const { id, name, username } = profile
  socket.send('CONNECT', { user: { id, name, username }, setting: {} })
  const facts = describeSession(session)
  if (facts) socket.send('TERMINAL_SESSION', { session: facts.session })
  await watch(frames, socket)
  if (gone.signal.aborted) return
  await session.done
  socket.end(describeEnd(session.outcome, language, session.id))
}

function describeEnd(outcome: Outcome | undefined, language: Language, sessionId: string): TerminalEnd {
  const known = outcome ?? { reason: 'refused', detail: '' }
  const message =
    outcomeSentence(known, language, sessionId) ??
    gatewayMessage(language, known.reason === 'client_left' ? 'client_left' : 'target_closed')
  return { reason: known.reason, detail: known.detail, message, can_reattach: false }
}

function describeSession(session: Session): TerminalSession | undefined {
  const { facts, grant } = session
  return facts && grant && { session: facts, permission: { actions: grant.actions } }
}
