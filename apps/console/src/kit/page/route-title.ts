import { useMatches } from 'react-router'
import { isRecord } from '../api/errors.ts'
import type { RouteDeclaration } from '../routes/route.ts'
import { useMessages } from '../text.ts'

type Titled = Pick<RouteDeclaration, 'title' | 'titleName'>

function isTitled(handle: unknown): handle is Titled {
  return isRecord(handle) && typeof handle['title'] === 'string'
}

/** The title of the route shown, and what one row of it is called; empty outside the route tables. */
export function useRouteTitle(): { title: string; singular: string } {
  const t = useMessages()
  const handle: unknown = useMatches().at(-1)?.handle
  if (!isTitled(handle)) {
    return { title: '', singular: '' }
  }
  const singular = handle.titleName ? t(handle.titleName) : ''
  return { title: t(handle.title, { name: singular }), singular }
}
