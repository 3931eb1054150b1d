import { useMatches } from 'react-router'
import { isRecord } from '../../kit/api/errors.ts'
import type { ResolvedRoute } from './resolve.ts'

function isRoute(handle: unknown): handle is ResolvedRoute {
  return isRecord(handle) && 'address' in handle && 'permission' in handle
}

/** The declared route of the page shown; undefined on pages outside the tables (404). */
export function useCurrentRoute(): ResolvedRoute | undefined {
  const handle: unknown = useMatches().at(-1)?.handle
  return isRoute(handle) ? handle : undefined
}
