import type { ComponentType } from 'react'
import type { PermissionSubject } from '@sallyport/contract/rbac/permissions'
import type { PermissionRule } from '../access/access.ts'
import type { Session } from '../session/session.ts'
import type { ShellMessage } from '../text.ts'

type Load = () => Promise<{ default: ComponentType }>

/** A line of a view's route table: an address, its place in the menu, and who may go there. */
export interface RouteDeclaration {
  /** Relative to the parent; '' is the parent's own address. */
  path: string
  title: ShellMessage
  /** Put into the title's `{{name}}`: "Create {{name}}". */
  titleName?: ShellMessage
  icon?: ComponentType
  /** The permission is made of this and the action the path implies; children inherit it. */
  about?: PermissionSubject
  /** In place of the derived permission. */
  permission?: PermissionRule
  /** Only with a valid licence; children inherit it. */
  licensed?: boolean
  /** Not in the menu; create, update and detail routes never are. */
  hidden?: boolean | ((session: Session) => boolean)
  /** The address whose line the menu marks here, where the page has none of its own; children inherit it. */
  menuAddress?: string
  /** Whether the header offers the organizations here; children inherit it. */
  showOrganization?: boolean
  /** Leads out of the console, into a new tab. */
  href?: () => string
  component?: Load
  children?: readonly RouteDeclaration[]
}

/** Declares a route; its only purpose is that mistakes show where they are made. */
export function route(declaration: RouteDeclaration): RouteDeclaration {
  return declaration
}

/** The screens of one resource, default export of its screen file. */
export interface Screens {
  /** The subject of the permissions of what they show. */
  about: string
  list?: ComponentType
  create?: ComponentType
  update?: ComponentType
  detail?: ComponentType
}

type ScreenName = Exclude<keyof Screens, 'about'>

export interface ResourceRoutesDeclaration extends Omit<RouteDeclaration, 'component' | 'children' | 'href'> {
  about: PermissionSubject
  /** What one row is called: "user group". */
  singular: ShellMessage
  screens: () => Promise<{ default: Screens }>
  /** Screens this resource has; all four unless said. */
  only?: readonly ScreenName[]
}

const screenRoutes: Record<ScreenName, { path: string; title?: ShellMessage }> = {
  list: { path: '' },
  create: { path: 'create', title: 'titleCreate' },
  update: { path: ':id/update', title: 'titleUpdate' },
  detail: { path: ':id', title: 'titleDetail' },
}

const allScreens: readonly ScreenName[] = ['list', 'create', 'update', 'detail']

/** The list, create, update and detail routes of a resource. */
export function resourceRoutes(declaration: ResourceRoutesDeclaration): RouteDeclaration {
  const { singular, screens, only = allScreens, permission, ...rest } = declaration
  const load =
    (name: ScreenName): Load =>
    async () => {
      const made = (await screens()).default
      if (made.about !== declaration.about)
        throw new Error(`${declaration.path} is about ${declaration.about}, its screens about ${made.about}`)
      const component = made[name]
      if (component === undefined) throw new Error(`${declaration.path} has no ${name} screen`)
      return { default: component }
    }
  const children = only.map((name): RouteDeclaration => {
    const { path, title } = screenRoutes[name]
    return {
      path,
      title: title ?? declaration.title,
      titleName: singular,
      component: load(name),
      ...(permission && name === 'list' ? { permission } : {}),
    }
  })
  return { ...rest, children }
}
