import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { ResourceRef } from '../api/resource.ts'

/** Who is here, where, and with which rights. The shell supplies it after start-up. */
export interface Surroundings {
  perms: readonly string[]
  username: string
  organization: { id: string; name: string; is_root: boolean }
  hasLicence: boolean
}

export type ResourceAction = 'add' | 'change' | 'view' | 'delete'

export interface Access extends Surroundings {
  /** Every entry must hold; inside an entry `a | b` is one or the other. Nothing asked is allowed. */
  can: (permission: string | readonly string[] | undefined) => boolean
  canDo: (action: ResourceAction, resource: ResourceRef) => boolean
}

const nobody: Surroundings = {
  perms: [],
  username: '',
  organization: { id: '', name: '', is_root: false },
  hasLicence: false,
}

const AccessContext = createContext<Access>(accessOf(nobody))

export function AccessProvider({ children, ...given }: Surroundings & { children: ReactNode }) {
  const { perms, username, organization, hasLicence } = given
  const access = useMemo(
    () => accessOf({ perms, username, organization, hasLicence }),
    [perms, username, organization, hasLicence],
  )
  return <AccessContext value={access}>{children}</AccessContext>
}

export function useAccess(): Access {
  return useContext(AccessContext)
}

/** Answers permission questions for one person's rights. */
export function accessOf(given: Surroundings): Access {
  const held = new Set(given.perms)
  const can: Access['can'] = (permission) => {
    const entries = typeof permission === 'string' ? [permission] : (permission ?? [])
    return entries.every((entry) => entry.split('|').some((name) => held.has(name.trim())))
  }
  return {
    ...given,
    can,
    canDo: (action, resource) => can(`${resource.app}.${action}_${resource.model}`),
  }
}
