import { viewNames, type ViewName } from '../../kit/session/session.ts'
import type { Profile } from '../../kit/session/types.ts'

/** The views of the view switcher, in its order. */
export const switchableViews = ['console', 'audit', 'workbench'] as const satisfies readonly ViewName[]

/** Whether a view is one a person works in, and comes back to. */
export const isSwitchable = (view: ViewName): boolean => switchableViews.some((one) => one === view)

/** The view an address (below /ui) lies in. */
export function viewOfPath(path: string): ViewName | undefined {
  const first = path.split(/[/?#]/, 2)[1]
  return viewNames.find((name) => name === first)
}

/** Whether a person may enter a view. */
export function mayEnter(view: ViewName, profile: Profile): boolean {
  switch (view) {
    case 'console':
      return profile.console_orgs.length > 0
    case 'audit':
      return profile.audit_orgs.length > 0
    case 'tickets':
      return profile.perms.includes('tickets.view_ticket')
    case 'settings':
      return profile.perms.includes('settings.view_setting')
    default:
      return true
  }
}

/** The view a person is sent to in place of a forbidden one: the last used if still allowed, else the first allowed. */
export function fallbackView(profile: Profile, previous: ViewName | undefined): ViewName {
  const wanted = previous === undefined ? switchableViews : [previous, ...switchableViews]
  return wanted.find((view) => mayEnter(view, profile)) ?? 'workbench'
}

/** The view the root path leads to: the last used, else the workbench, which everybody has. */
export function startView(profile: Profile, previous: ViewName | undefined): ViewName {
  return previous !== undefined && mayEnter(previous, profile) ? previous : 'workbench'
}
