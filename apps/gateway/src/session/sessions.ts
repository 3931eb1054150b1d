import type { Grant } from '@sallyport/contract/gateway/grants'
import type { TerminalConfig } from '@sallyport/contract/gateway/registration'
import type { TerminalTask } from '@sallyport/contract/gateway/reports'
import type { Log } from '../log.ts'
import { gatewayMessage } from '@sallyport/contract/messages/gateway'
import type { Language } from '@sallyport/contract/messages/language'
import { RefusedError } from './failures.ts'
import type { Outcome } from './outcome.ts'
import { Session, type SessionPlan, type SessionServices } from './session.ts'

const sweepEveryMs = 500
const sessionsMax = 5000
/** How a session ended is known for a while to the one it belonged to. */
const rememberEndsMs = 300_000
const rememberedMax = 10_000

/** Ends the server orders for a reason of its own. */
const ordered = ['user_disabled', 'user_deleted', 'user_removed'] as const

/** All sessions of this gateway, and what ends them from outside. */
export class Sessions {
  readonly #services: SessionServices
  readonly #settings: () => TerminalConfig
  readonly #log: Log
  readonly #sessions = new Map<string, Session>()
  readonly #ends = new Map<string, { user_id: string; outcome: Outcome }>()
  #timer: NodeJS.Timeout | undefined
  #isDraining = false

  constructor(services: SessionServices, settings: () => TerminalConfig) {
    this.#services = services
    this.#settings = settings
    this.#log = services.log
  }

  start(): void {
    this.#timer = setInterval(() => this.#sweep(), sweepEveryMs)
  }

  /** Begins a session; one that is refused when there is no room for it, or the gateway is stopping. */
  open(plan: SessionPlan): Session {
    const refusal = this.#refusal(plan)
    const ask = refusal === undefined ? plan.ask : () => Promise.reject(new RefusedError(refusal))
    const session = new Session(this.#services, { ...plan, ask })
    this.#sessions.set(session.id, session)
    session.done.then(
      (outcome) => this.#remember(session, outcome),
      (error: unknown) => this.#log.error({ err: error }, 'a session ended badly'),
    )
    return session
  }

  #remember({ id, plan }: Session, outcome: Outcome): void {
    this.#sessions.delete(id)
    const [oldest] = this.#ends.keys()
    if (this.#ends.size >= rememberedMax && oldest !== undefined) this.#ends.delete(oldest)
    this.#ends.set(id, { user_id: plan.user_id, outcome })
    setTimeout(() => this.#ends.delete(id), rememberEndsMs).unref()
  }

  /** How a person's session ended, where that was not long ago. */
  endOf(id: string, user_id: string): Outcome | undefined {
    const end = this.#ends.get(id)
    return end?.user_id === user_id ? end.outcome : undefined
  }

  #refusal({ user_id, language }: SessionPlan): string | undefined {
    if (this.#isDraining) return gatewayMessage(language, 'gateway_stopped')
    if (this.#sessions.size >= sessionsMax) return gatewayMessage(language, 'too_many_sessions')
    const max = this.#settings().TERMINAL_MAX_SESSIONS_PER_USER
    const own = [...this.#sessions.values()].filter(
      (session) => session.plan.user_id === user_id && session.state !== 'ended',
    )
    return own.length >= max ? gatewayMessage(language, 'too_many_of_user', { max }) : undefined
  }

  get(id: string): Session | undefined {
    return this.#sessions.get(id)
  }

  get size(): number {
    return this.#sessions.size
  }

  get onlineIds(): string[] {
    return [...this.#sessions.values()].filter((session) => session.isOnline).map((session) => session.id)
  }

  /** For a kill task; an unknown session has ended already. The books and the person are told who ended it, and why. */
  kill(id: string, by: TerminalTask['kwargs']): void {
    const reason = ordered.find((one) => one === by.reason) ?? 'killed'
    const detail = by.comment === '' ? by.terminated_by : `${by.terminated_by}: ${by.comment}`
    this.#sessions.get(id)?.end({ reason, detail })
  }

  /** Ends what runs on a machine that has shown a host key which was refused since, or is about to. */
  refuseHostKey(asset: string, fingerprint: string, why: (grant: Grant, language: Language) => string): void {
    for (const session of this.#sessions.values()) {
      const { grant, language, hostKey = fingerprint } = session
      if (grant?.asset.id !== asset || hostKey !== fingerprint) continue
      session.end({
        reason: session.state === 'live' ? 'target_lost' : 'target_failed',
        detail: why(grant, language),
      })
    }
  }

  #sweep(): void {
    const settings = this.#settings()
    const now = performance.now()
    const idleMs = settings.SECURITY_MAX_IDLE_TIME * 60_000
    const maxMs = settings.SECURITY_MAX_SESSION_TIME * 3_600_000
    for (const session of this.#sessions.values()) {
      if (session.state !== 'live') continue
      const expiresAt = session.grant?.expire_at ?? 0
      if (expiresAt > 0 && Date.now() >= expiresAt * 1000) {
        session.end({ reason: 'permission_expired', detail: '' })
      } else if (maxMs > 0 && now - session.createdMs >= maxMs) {
        const hours = settings.SECURITY_MAX_SESSION_TIME
        session.end({ reason: 'max_time', detail: `${hours} h`, values: { hours } })
      } else if (idleMs > 0 && now - session.lastActivityMs >= idleMs) {
        const minutes = settings.SECURITY_MAX_IDLE_TIME
        session.end({ reason: 'idle', detail: `${minutes} min`, values: { minutes } })
      }
    }
  }

  /** No new sessions; running ones are told and have `graceMs` to finish. */
  async drain(graceMs: number): Promise<void> {
    this.#isDraining = true
    const seconds = Math.ceil(graceMs / 1000)
    for (const session of this.#sessions.values()) {
      if (session.state === 'live') {
        session.tell(gatewayMessage(session.plan.language, 'gateway_stopping', { seconds }))
      }
    }
    const grace = setTimeout(() => {
      for (const session of this.#sessions.values()) session.end({ reason: 'gateway_stopped', detail: '' })
    }, graceMs)
    await Promise.all([...this.#sessions.values()].map((session) => session.done))
    clearTimeout(grace)
    clearInterval(this.#timer)
  }
}
