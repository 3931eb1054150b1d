import type { RowId } from '../api/resource.ts'

/** The addresses of a resource's screens, from that of its list; its query, where it has one, goes along. */
export function screenPaths(listAddress: string) {
  const [path = '', query] = listAddress.split('?', 2)
  const base = path.replace(/\/+$/u, '')
  const at = (address: string, ...more: string[]) => {
    const all = [...(query === undefined ? [] : [query]), ...more].join('&')
    return all === '' ? address : `${address}?${all}`
  }
  return {
    list: at(base),
    create: at(`${base}/create`),
    clone: (id: RowId) => at(`${base}/create`, `clone_from=${encodeURIComponent(id)}`),
    update: (id: RowId) => at(`${base}/${encodeURIComponent(id)}/update`),
    detail: (id: RowId) => at(`${base}/${encodeURIComponent(id)}`),
  }
}
