import { useSyncExternalStore } from 'react'
import type { Organization, Profile, PublicSettings } from './types.ts'

export const viewNames = ['console', 'audit', 'workbench', 'tickets', 'settings', 'profile'] as const
export type ViewName = (typeof viewNames)[number]

/** Who is signed in, where, and what the platform told about itself. */
export interface Session {
  profile: Profile
  settings: PublicSettings
  view: ViewName
  /** Organizations offered in this view. */
  organizations: readonly Organization[]
  /** The current one; null for a person who belongs to none. */
  organization: Organization | null
}

let session: Session | null = null
const listeners = new Set<() => void>()

/** The running session, or null before start-up is through and on the sign-in page. */
export function currentSession(): Session | null {
  return session
}

/** Replaces the session; start-up calls it, and who changed the profile. */
export function setSession(next: Session | null): void {
  session = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The running session, for everything inside the shell. Throws outside of it. */
export function useSession(): Session {
  const value = useSyncExternalStore(subscribe, currentSession)
  if (value === null) throw new Error('no session: this component is used outside the shell')
  return value
}
