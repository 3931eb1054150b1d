import type { Language } from '@sallyport/contract'
import type { Executor } from './database/index.ts'
import { ApiError } from './errors.ts'
import type { DomainEvent } from './events.ts'

/** Who calls. */
export interface Identity {
  id: string
  name: string
  username: string
  /** A gateway or another component, not a person. */
  isComponent: boolean
  isSuperAdmin: boolean
  /** How this request was authenticated. */
  by: 'session' | 'bearer' | 'signature' | 'token'
  /** The web session, when there is one. */
  sessionId: string | undefined
}

export interface Organization {
  id: string
  name: string
  is_root: boolean
  is_default: boolean
}

/** Everything a request is carried out with. Made once, handed down; nothing else is global. */
export interface Context {
  db: Executor
  identity: Identity | undefined
  org: Organization
  language: Language
  /** IANA zone the caller reads and writes datetimes in. */
  zone: string
  remoteAddr: string
  can(permission: string): boolean
  orgName(id: string): string
  /** Origin (scheme and host) the caller used, for absolute addresses. */
  origin: string
  emit(event: DomainEvent): Promise<void>
}

/** The caller, where the route only admits signed-in ones. */
export function callerOf(ctx: Context): Identity {
  if (ctx.identity === undefined) throw new ApiError(401, 'not_authenticated')
  return ctx.identity
}

/** `Name(username)`, as the books record people. */
export const displayOf = (identity: { name: string; username: string }) =>
  `${identity.name}(${identity.username})`
