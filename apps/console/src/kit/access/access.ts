import type { PermissionName } from '@sallyport/contract/rbac/permissions'
import type { ResourceRef } from '../api/resource.ts'
import { type Session, useSession } from '../session/session.ts'

/** Every one must be held; of a list inside the list, any one. */
export type PermissionRule = PermissionName | readonly (PermissionName | readonly PermissionName[])[]
export type ResourceAction = 'add' | 'change' | 'view' | 'delete'

/** What a person may do here. */
export interface Access {
  /** Nothing asked is allowed. */
  can: (rule: PermissionRule | undefined) => boolean
  canDo: (action: ResourceAction, resource: ResourceRef) => boolean
  /** The root organization shows all organizations' rows and takes no new ones. */
  inRoot: boolean
  hasLicence: boolean
}

const known = new WeakMap<Session, Access>()

/** The rights of the person signed in. */
export function useAccess(): Access {
  const session = useSession()
  const access = known.get(session) ?? accessOfSession(session)
  known.set(session, access)
  return access
}

function accessOfSession({ profile, organization, settings }: Session): Access {
  return accessOf(profile.perms, organization?.is_root ?? false, settings.XPACK_LICENSE_IS_VALID)
}

/** Answers permission questions for one person's rights. */
export function accessOf(perms: readonly string[], inRoot: boolean, hasLicence = false): Access {
  const held = new Set(perms)
  const can: Access['can'] = (rule = []) =>
    typeof rule === 'string'
      ? held.has(rule)
      : rule.every((entry) =>
          typeof entry === 'string' ? held.has(entry) : entry.some((name) => held.has(name)),
        )
  return {
    can,
    canDo: (action, resource) =>
      held.has(`${resource.app}.${action}_${resource.permission ?? resource.model}`),
    inRoot,
    hasLicence,
  }
}
