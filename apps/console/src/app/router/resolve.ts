import { permissionTo } from '@sallyport/contract/rbac/permissions'
import { accessOf, type PermissionRule, type ResourceAction } from '../../kit/access/access.ts'
import type { RouteDeclaration } from '../../kit/routes/route.ts'
import type { Session, ViewName } from '../../kit/session/session.ts'

type Action = 'list' | 'create' | 'update' | 'destroy' | 'retrieve'

const permissionVerbs: Record<Action, ResourceAction> = {
  list: 'view',
  retrieve: 'view',
  create: 'add',
  update: 'change',
  destroy: 'delete',
}

/** A route with everything said: its whole address, what it inherits and what its path implies. */
export interface ResolvedRoute extends Omit<RouteDeclaration, 'children'> {
  view: ViewName
  /** Below /ui, with its parameters: `/console/users/groups/:id`. */
  address: string
  action: Action
  permission: PermissionRule
  showOrganization: boolean
  children: readonly ResolvedRoute[]
}

/** What a path segment says is done there. */
export function actionOfPath(path: string): Action {
  const words = path.split('/')
  if (words.includes('create')) return 'create'
  if (words.includes('update')) return 'update'
  if (words.includes('delete')) return 'destroy'
  return words.some((word) => word.startsWith(':')) ? 'retrieve' : 'list'
}

function permissionOf(declaration: RouteDeclaration, action: Action): PermissionRule {
  const { permission, about, component } = declaration
  if (permission !== undefined) return permission
  return component === undefined || about === undefined ? [] : permissionTo(permissionVerbs[action], about)
}

/** Resolves a view's table. */
export function resolveRoutes(view: ViewName, declaration: RouteDeclaration): ResolvedRoute {
  return resolve(view, { showOrganization: true, ...declaration }, '')
}

function resolve(view: ViewName, declaration: RouteDeclaration, above: string): ResolvedRoute {
  const address = declaration.path === '' ? above : `${above}/${declaration.path}`
  const action = actionOfPath(declaration.path)
  const { about, menuAddress, licensed, showOrganization = true } = declaration
  const children = (declaration.children ?? []).map((child) =>
    resolve(view, { about, menuAddress, licensed, showOrganization, ...child }, address),
  )
  return {
    ...declaration,
    view,
    address,
    action,
    hidden: declaration.hidden ?? action !== 'list',
    permission: permissionOf(declaration, action),
    showOrganization,
    children,
  }
}

/** Whether a route exists for this person: permission held, licence valid where it takes one. */
export function isAllowed(route: ResolvedRoute, session: Session): boolean {
  if (route.licensed && !session.settings.XPACK_LICENSE_IS_VALID) return false
  return accessOf(session.profile.perms, false).can(route.permission)
}
