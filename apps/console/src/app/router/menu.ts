import type { ComponentType } from 'react'
import type { Session } from '../../kit/session/session.ts'
import type { ShellMessage } from '../../kit/text.ts'
import { isAllowed, type ResolvedRoute } from './resolve.ts'

/** A line of the sidebar: a link, a link out, or a group of links. */
export interface MenuEntry {
  address: string
  title: ShellMessage
  icon?: ComponentType
  href?: () => string
  children: readonly MenuEntry[]
}

/** The menu of a view for a person: what is hidden or not allowed is left out, single children take their parent's place. */
export function menuOf(view: ResolvedRoute, session: Session): MenuEntry[] {
  return view.children.flatMap((route) => entryOf(route, session) ?? [])
}

function entryOf(route: ResolvedRoute, session: Session): MenuEntry | undefined {
  const hidden = typeof route.hidden === 'function' ? route.hidden(session) : route.hidden
  if (hidden || !isAllowed(route, session)) return undefined
  const { address, title, icon, href } = route
  const own: MenuEntry = { address, title, icon, href, children: [] }
  if (route.children.length === 0) return own
  const children = route.children.flatMap((child) => entryOf(child, session) ?? [])
  const [only] = children
  if (only === undefined) return undefined
  return children.length === 1 ? { ...only, icon: only.icon ?? icon } : { ...own, children }
}

/** The first page of a menu a person can open here. */
export function firstAddress(menu: readonly MenuEntry[]): string | undefined {
  for (const entry of menu) {
    if (entry.href) continue
    const address = entry.children.length > 0 ? firstAddress(entry.children) : entry.address
    if (address !== undefined) return address
  }
  return undefined
}

/** The menu link that stands for an address: the longest one the address lies under. */
export function activeAddress(menu: readonly MenuEntry[], path: string): string | undefined {
  const links = menu.flatMap((entry) => (entry.children.length > 0 ? entry.children : [entry]))
  const above = links
    .filter(({ address }) => path === address || path.startsWith(`${address}/`))
    .toSorted((one, other) => other.address.length - one.address.length)
  return above[0]?.address
}
