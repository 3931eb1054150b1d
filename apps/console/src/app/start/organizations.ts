import { defaultOrgId, systemOrgId } from '@sallyport/contract/constants'
import type { ViewName } from '../../kit/session/session.ts'
import type { Organization, Profile } from '../../kit/session/types.ts'

/** What settings are changed in; nobody chooses it. */
const settingsOrganization: Organization = {
  id: systemOrgId,
  name: 'SystemSetting',
  is_default: false,
  is_root: false,
}

/** The organizations a person may choose in a view. */
export function organizationsOf(profile: Profile, view: ViewName): Organization[] {
  if (view === 'settings') return [settingsOrganization]
  const { console_orgs: ofConsole, audit_orgs: ofAudit, workbench_orgs: ofWorkbench } = profile
  const offered = {
    console: ofConsole,
    audit: ofAudit,
    workbench: ofWorkbench,
    tickets: ofConsole,
    // The profile is the same everywhere: whoever comes here stays where he is.
    profile: [...ofWorkbench, ...ofConsole, ...ofAudit],
  }[view]
  return offered.filter(({ id }) => id !== systemOrgId)
}

interface Wanted {
  /** By the address. */
  named: string | null
  /** Before, by this person or this browser. */
  used: string
  isLicensed: boolean
}

/** Whoever cannot choose an organization, as without a licence, is not kept in the one used before: there is no way out of it. */
export function wantedOrganizationId({ named, used, isLicensed }: Wanted): string | undefined {
  return named ?? (isLicensed ? used : undefined)
}

/** The organization to work in: the wanted one when it is offered, else the default one, else the first real one. */
export function chooseOrganization(
  offered: readonly Organization[],
  wantedId: string | undefined,
): Organization | undefined {
  return (
    offered.find(({ id }) => id === wantedId) ??
    offered.find((organization) => organization.is_default) ??
    offered.find((organization) => !organization.is_root) ??
    offered[0]
  )
}

/** The organization id of a call. Without the extended edition the default organization stands in for the system's. */
export function requestOrganizationId(id: string | undefined, extended: boolean): string | undefined {
  return !extended && id === systemOrgId ? defaultOrgId : id
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/** Where a page leads in another organization: a detail page to its list, filters dropped. */
export function addressInOtherOrganization(path: string): string {
  const bare = path.split('?', 1)[0] ?? path
  const at = bare.search(uuid)
  return at === -1 ? bare : bare.slice(0, at)
}
