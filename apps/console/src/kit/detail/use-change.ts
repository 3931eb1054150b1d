import type { Resource, RowOf } from '@sallyport/contract/resource/resource'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { queryKeys } from '../api/keys.ts'
import { detailPath, type RowId } from '../api/resource.ts'

/**
 * Changes a field that is sent as a whole (a set of related rows, a list of names) by what it holds at that moment,
 * not by what the page showed, so that nobody else's change is written back. Rejects with ApiError.
 */
export function useChange<R extends Resource>(resource: R) {
  const client = useQueryClient()
  return async (id: RowId, changed: (now: RowOf<R>) => Readonly<Record<string, unknown>>): Promise<void> => {
    const address = detailPath(resource.path, id)
    await api.patch(address, changed(await api.get<RowOf<R>>(address)))
    await client.invalidateQueries({ queryKey: queryKeys.resource(resource.path) })
  }
}
