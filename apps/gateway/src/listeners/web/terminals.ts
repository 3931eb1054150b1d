import { setTimeout as sleep } from 'node:timers/promises'
import type { Profile } from '@sallyport/contract/gateway/grants'
import { gatewayMessage } from '@sallyport/contract/messages/gateway'
import type { Language } from '@sallyport/contract/messages/language'
import {
  terminalSizeSchema,
  type TerminalEnd,
  type TerminalMessage,
  type TerminalSession,
} from '@sallyport/contract/terminal-socket'
import type { Gateway } from '../../gateway.ts'
import { outcomeSentence, type Outcome } from '../../session/outcome.ts'
import type { TerminalSize } from '../../traffic/ports.ts'
import { RefusedError } from '../../session/failures.ts'
import type { Session } from '../../session/session.ts'
import { WebClient } from './client.ts'
import { watch } from './monitor.ts'
import { parseJson, type TerminalSocket } from './socket.ts'
import { refusal } from './refusal.ts'

const initWithinMs = 30_000
const paintWithinMs = 3000
const rememberEndsMs = 300_000

export interface Visitor {
  socket: TerminalSocket
  profile: Profile
  language: Language
  remote_addr: string
}

/** Browser terminals by session, so that a lost browser finds its own again; ended ones for a while, to say why. */
const terminals = new WeakMap<Gateway, Map<string, { session: Session; client: WebClient }>>()

function terminalsOf(gateway: Gateway): Map<string, { session: Session; client: WebClient }> {
  const known = terminals.get(gateway) ?? new Map()
  terminals.set(gateway, known)
  return known
}

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

function greet({ socket, profile }: Visitor): Promise<TerminalSize | undefined> {
  const { id, name, username } = profile
  const size = new Promise<TerminalSize | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), initWithinMs)
    const settle = (value: TerminalSize | undefined) => {
      clearTimeout(timer)
      resolve(value)
    }
    socket.onClose = () => settle(undefined)
    socket.onMessage = (message: TerminalMessage) => {
      if (message.type !== 'TERMINAL_INIT' || message.id !== socket.id) return
      const parsed = terminalSizeSchema.safeParse(parseJson(message.data))
      if (parsed.success) settle(parsed.data)
    }
  })
  socket.send('CONNECT', { user: { id, name, username }, setting: {} })
  return size
}

async function serveNew(gateway: Gateway, visitor: Visitor, tokenId: string): Promise<void> {
  const { socket, profile, language, remote_addr } = visitor
  const size = await greet(visitor)
  if (!size) return socket.end(refusal(language, 'refused', gatewayMessage(language, 'client_left')))
  const holder: { session?: Session } = {}
  const client: WebClient = new WebClient(size, {
    onAttached: (isAttached) => holder.session?.mark({ kind: isAttached ? 'attached' : 'detached' }),
    describeEnd: () => describeEnd(holder.session?.outcome, language, holder.session?.id ?? ''),
    describeSession: () => holder.session && describeSession(holder.session),
  })
  client.attach(socket)
  const session = gateway.openSession({
    client,
    login_from: 'WT',
    remote_addr,
    language,
    user_id: profile.id,
    ask: async () => {
      const grant = await gateway.api.tokenSecret(tokenId, language)
      if (grant.user.id !== profile.id)
        throw new RefusedError(gatewayMessage(language, 'token_of_other_user'))
      return grant
    },
  })
  holder.session = session
  session.onLive = () => client.announce()
  const known = terminalsOf(gateway)
  known.set(session.id, { session, client })
  await session.done
  setTimeout(() => known.delete(session.id), rememberEndsMs).unref()
}

async function serveReattach(gateway: Gateway, visitor: Visitor, sessionId: string): Promise<void> {
  const { socket, profile, language } = visitor
  const found = terminalsOf(gateway).get(sessionId)
  if (!found || found.session.grant?.user.id !== profile.id) {
    return socket.end(refusal(language, 'session_not_found'))
  }
  const { session, client } = found
  if (session.outcome) return socket.end(describeEnd(session.outcome, language, session.id))
  const size = await greet(visitor)
  if (!size) return socket.end(refusal(language, 'refused', gatewayMessage(language, 'client_left')))
  if (session.outcome) return socket.end(describeEnd(session.outcome, language, session.id))
  const replaced: TerminalEnd = {
    reason: 'replaced',
    detail: '',
    message: gatewayMessage(language, 'replaced'),
    can_reattach: true,
  }
  const painted = async () => session.plan.traffic.paint?.()
  await client.reattach(socket, size, replaced, () =>
    Promise.race([painted(), sleep(paintWithinMs, undefined)]),
  )
}

async function serveMonitor(gateway: Gateway, visitor: Visitor, sessionId: string): Promise<void> {
  const { socket, profile, language } = visitor
  const session = gateway.sessions.get(sessionId)
  if (!session?.recording) return socket.end(refusal(language, 'session_not_found'))
  const gone = new AbortController()
  socket.onClose = () => gone.abort()
  const { id, name, username } = profile
  socket.send('CONNECT', { user: { id, name, username }, setting: {} })
  const facts = describeSession(session)
  if (facts) socket.send('TERMINAL_SESSION', { session: facts.session })
  await watch(session.recording, socket, gone.signal)
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
