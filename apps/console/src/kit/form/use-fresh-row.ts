import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { api } from '../api/client.ts'
import type { FormValues } from './paths.ts'

/**
 * The row a form stands on: read when the form opens, whatever is known from before, and again when the person comes
 * back to the page. `read` asks for it as it is now and for its version, as before it is saved. Without an address there is none.
 */
export function useFreshRow(key: readonly unknown[], address: string | undefined) {
  const [openedAt] = useState(() => Date.now())
  const client = useQueryClient()
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.get<FormValues>(address ?? '', { signal }),
    enabled: address !== undefined,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  })
  const { refetch } = query
  const isFresh = query.dataUpdatedAt >= openedAt
  return {
    row: isFresh ? query.data : undefined,
    isPending: address !== undefined && !isFresh && (query.isFetching || !query.error),
    error: isFresh || query.isFetching ? null : query.error,
    retry: useCallback(() => void refetch(), [refetch]),
    read: async () => {
      const read = await api.versioned(address ?? '')
      client.setQueryData(key, read.row)
      return read
    },
  }
}
