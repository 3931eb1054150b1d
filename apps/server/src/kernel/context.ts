import type { Language, SettingValues } from '@sallyport/contract'
import type { PermissionName } from '@sallyport/contract/rbac/permissions'
import type { Executor } from './database/index.ts'
import { ApiError } from './errors.ts'
import type { DomainEvent, Events } from './events.ts'

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
  /** The Bearer token, when there is one. */
  bearerId?: string
}

export interface Organization {
  id: string
  name: string
  is_root: boolean
  is_default: boolean
}

/** What a context is made of: taken once, before the transaction, so that nothing inside it needs a second connection. */
export interface ContextParts {
  /** The one connection this work is done on: the request's transaction where it has one, else the pool. */
  db: Executor
  identity: Identity | undefined
  org: Organization
  language: Language
  /** IANA zone the caller reads and writes datetimes in. */
  zone: string
  remoteAddr: string
  /** Origin (scheme and host) the caller used, for absolute addresses. */
  origin: string
  /** The settings in force when the request began. */
  settings: Readonly<SettingValues>
  /** Whether there was a valid licence then. */
  hasLicence: boolean
  /** By the rights the caller held when the request began. */
  can(permission: PermissionName): boolean
  orgName(id: string): string
  /** Nobody who is signed in does it, and it is an operation all the same: the books tell it as the system's. */
  bySystem?: true
}

/** Everything a request is carried out with. Made once, handed down; nothing else is global. */
export interface Context extends ContextParts {
  /**
   * How much of what this work told the books have taken so far, in whatever transaction and organization: counted by the books, for each
   * record they wrote and each change of which there was nothing to record. `kept`: what was written needs no record (the use of a
   * selection, the locks of a call that says no row changed).
   */
  told: { booked: number; kept: boolean }
  emit(...events: readonly DomainEvent[]): Promise<void>
  /** The same in that transaction: rows, events and all that follows from them. */
  within(executor: Executor): Context
  /** The same as seen from another organization; the caller's rights stay those of where they called. */
  inOrg(org: Organization): Context
  /** The same done by the system, on its own account, whoever called. */
  asSystem(): Context
}

export function createContext(
  events: Pick<Events, 'emit'>,
  parts: ContextParts,
  told = { booked: 0, kept: false },
): Context {
  const ctx: Context = {
    ...parts,
    told,
    emit: (...happened) => events.emit(ctx, happened),
    within: (db) => createContext(events, { ...parts, db }, told),
    inOrg: (org) => createContext(events, { ...parts, org }, told),
    asSystem: () =>
      createContext(events, { ...parts, identity: undefined, can: () => false, bySystem: true }, told),
  }
  return ctx
}

/** The caller, where the route only admits signed-in ones. */
export function callerOf(ctx: Context): Identity {
  if (ctx.identity === undefined) throw new ApiError(401, 'not_authenticated')
  return ctx.identity
}

/** `Name(username)`, as the books record people. */
export const displayOf = (identity: { name: string; username: string }) =>
  `${identity.name}(${identity.username})`
