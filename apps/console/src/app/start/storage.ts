import { cookies } from '@sallyport/contract/constants'
import { writeCookie, readCookie } from '../../kit/api/cookies.ts'
import { isRecord } from '../../kit/api/errors.ts'
import { viewNames, type ViewName } from '../../kit/session/session.ts'
import type { Organization } from '../../kit/session/types.ts'

const previousViewKey = 'PreView'
const cookieYearSeconds = 365 * 24 * 3600
const organizationKey = (username: string) => `jms_current_org_${username}`

/** The view chosen last in this browser. */
export function previousView(): ViewName | undefined {
  const stored = localStorage.getItem(previousViewKey)
  return viewNames.find((name) => name === stored)
}

export function rememberView(view: ViewName): void {
  localStorage.setItem(previousViewKey, view)
}

/** The organization id the last call of this browser ran in: known before it is known who calls. */
export function lastOrganizationId(): string | undefined {
  return readCookie(cookies.org)
}

/** The id of the organization this person used last here. */
export function rememberedOrganizationId(username: string): string | undefined {
  const stored = localStorage.getItem(organizationKey(username))
  if (stored === null) return undefined
  try {
    const parsed: unknown = JSON.parse(stored)
    return isRecord(parsed) && typeof parsed['id'] === 'string' ? parsed['id'] : undefined
  } catch {
    // Another program's or an older form's value: as good as none.
    return undefined
  }
}

export function rememberOrganization(username: string, organization: Organization): void {
  localStorage.setItem(organizationKey(username), JSON.stringify(organization))
  writeCookie(cookies.org, organization.id, cookieYearSeconds)
}
