import type { Query } from './client.ts'
import { listPath, type RowId } from './resource.ts'

const bare = (path: string) => listPath(path).split('?', 1)[0] ?? path

/** Keys of the server state in the cache. Everything of one resource lies under `resource(path)`. */
export const queryKeys = {
  resource: (path: string) => ['resource', bare(path)] as const,
  lists: (path: string) => ['resource', bare(path), 'list'] as const,
  list: (path: string, query: Query, of = path) =>
    ['resource', bare(of), 'list', listPath(path), query] as const,
  detail: (path: string, id: RowId) =>
    ['resource', bare(path), 'detail', listPath(path), String(id)] as const,
  metadata: (path: string) => ['metadata', path] as const,
}
