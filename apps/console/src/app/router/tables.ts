import auditRoutes from '../../views/audit/routes.ts'
import consoleRoutes from '../../views/console/routes.ts'
import profileRoutes from '../../views/profile/routes.ts'
import settingsRoutes from '../../views/settings/routes.ts'
import ticketsRoutes from '../../views/tickets/routes.ts'
import workbenchRoutes from '../../views/workbench/routes.ts'
import type { ViewName } from '../../kit/session/session.ts'
import { resolveRoutes, type ResolvedRoute } from './resolve.ts'

/** The views there are, each with its routes. */
export const viewTables: readonly ResolvedRoute[] = [
  resolveRoutes('console', consoleRoutes),
  resolveRoutes('audit', auditRoutes),
  resolveRoutes('workbench', workbenchRoutes),
  resolveRoutes('tickets', ticketsRoutes),
  resolveRoutes('settings', settingsRoutes),
  resolveRoutes('profile', profileRoutes),
]

export function tableOf(view: ViewName): ResolvedRoute | undefined {
  return viewTables.find((table) => table.view === view)
}

/** The route declared at an address, if any. */
export function routeAt(address: string): ResolvedRoute | undefined {
  const within = (route: ResolvedRoute): ResolvedRoute[] => [...route.children.flatMap(within), route]
  return viewTables.flatMap(within).find((route) => route.address === address)
}

export function hasRoute(address: string): boolean {
  return routeAt(address) !== undefined
}
