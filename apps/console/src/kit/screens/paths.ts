import type { RowId } from '../api/resource.ts'

/** The addresses of a resource's screens, from that of its list. */
export function screenPaths(listAddress: string) {
  const base = listAddress.replace(/\/+$/u, '')
  return {
    list: base,
    create: `${base}/create`,
    clone: (id: RowId) => `${base}/create?clone_from=${encodeURIComponent(id)}`,
    update: (id: RowId) => `${base}/${encodeURIComponent(id)}/update`,
    detail: (id: RowId) => `${base}/${encodeURIComponent(id)}`,
  }
}
