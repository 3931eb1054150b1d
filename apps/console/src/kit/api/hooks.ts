import { selectionPath } from '@sallyport/contract/addresses'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type CallOptions, type Query } from './client.ts'
import { queryKeys } from './keys.ts'
import type { Metadata, WriteMethod } from './metadata.ts'
import {
  detailPath,
  listPath,
  type NumberedPage,
  type Page,
  pageOf,
  type Row,
  type RowId,
} from './resource.ts'

interface ReadOptions {
  enabled?: boolean
  /** Ask again every so many milliseconds while the page is in view. */
  refreshMs?: number
}

/** A page of rows. The last page stays in view while the next one loads (`isPlaceholderData`). */
export function useList<R extends Row = Row>(
  path: string,
  query: Query,
  options: ReadOptions & {
    /** The list path of the resource whose rows they are, where that is another: what is done to it concerns them. */
    of?: string
  } = {},
) {
  return useQuery({
    queryKey: queryKeys.list(path, query, options.of),
    queryFn: async ({ signal }) => {
      const answer = await api.get<Page<R> | NumberedPage<R> | R[]>(listPath(path), {
        query: { ...query, display: 1, draw: 1 },
        signal,
      })
      return pageOf(answer)
    },
    placeholderData: keepPreviousData,
    enabled: options.enabled,
    refetchInterval: options.refreshMs,
  })
}

/** One row. */
export function useDetail<R extends Row = Row>(
  path: string,
  id: RowId | undefined,
  options: ReadOptions = {},
) {
  return useQuery({
    queryKey: queryKeys.detail(path, id ?? ''),
    queryFn: ({ signal }) => api.get<R>(detailPath(path, id ?? ''), { signal }),
    enabled: id !== undefined && options.enabled !== false,
    refetchInterval: options.refreshMs,
  })
}

/** The server's description of a list or detail address: asked once for each address and kept. */
export function useMetadata(path: string, options: ReadOptions = {}) {
  return useQuery({
    queryKey: queryKeys.metadata(path),
    queryFn: ({ signal }) => api.options<Metadata>(path, { query: { display: 1, draw: 1 }, signal }),
    staleTime: Infinity,
    enabled: options.enabled,
  })
}

export interface SaveInput {
  /** Left out to create. */
  id?: RowId
  values: unknown
  /** Without it: PUT with an id, POST without. */
  method?: WriteMethod
  query?: Query
  headers?: CallOptions['headers']
}

/** Creates or updates a row; lists and details of the resource are asked again afterwards. */
export function useSave<R extends Row = Row>(path: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, values, method = id === undefined ? 'POST' : 'PUT', ...options }: SaveInput) => {
      const target = id === undefined ? listPath(path) : detailPath(path, id)
      const verb = { POST: api.post, PUT: api.put, PATCH: api.patch }[method]
      return verb<R>(target, values, options)
    },
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.resource(path) }),
  })
}

/** Deletes a row. */
export function useRemove(path: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: RowId) => api.delete(detailPath(path, id)),
    onSuccess: (_answer, id) => {
      client.removeQueries({ queryKey: queryKeys.detail(path, id) })
      return client.invalidateQueries({ queryKey: queryKeys.lists(path) })
    },
  })
}

/** A token that stands for these ids in list, export and bulk calls for five minutes. */
export async function selectionToken(ids: readonly RowId[]): Promise<string> {
  const answer = await api.post<{ spm: string }>(selectionPath, { resources: ids })
  return answer.spm
}

/** Deletes the chosen rows in one call: by a selection token, or at the address `deletedAt` says. */
export function useBulkRemove(path: string, deletedAt?: (ids: readonly RowId[]) => string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (ids: readonly RowId[]) => {
      if (deletedAt) await api.delete(listPath(`${listPath(path)}${deletedAt(ids)}`))
      else await api.delete(listPath(path), { query: { spm: await selectionToken(ids) } })
    },
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.resource(path) }),
  })
}

/** Sends the same changes to every chosen row in one call. */
export function updateMany(
  path: string,
  rows: readonly { id: RowId }[],
  changes: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  return api.patch(
    listPath(path),
    rows.map(({ id }) => ({ id, ...changes })),
  )
}
