import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../api/client.ts'
import { selectionToken } from '../api/hooks.ts'
import { queryKeys } from '../api/keys.ts'
import { listPath, type Page, pageOf, type Row, type RowId } from '../api/resource.ts'
import type { RelationSource } from './relation.ts'

const pageSize = 10
const typingPauseMs = 400

/**
 * Candidates of a relation, ten at a time, searched by the server. Asked for when `open`. `rows` are always those of
 * what is typed: none while they are `awaited`.
 */
export function useCandidates(source: RelationSource | undefined, open: boolean) {
  const [typed, setTyped] = useState('')
  const search = useSettled(typed.trim(), typingPauseMs)
  const path = listPath(source?.path ?? '')
  const pages = useInfiniteQuery({
    queryKey: [...queryKeys.lists(path), 'candidates', path, source?.query, search],
    queryFn: async ({ pageParam, signal }) =>
      pageOf(
        await api.get<Page<Row> | Row[]>(path, {
          query: { ...source?.query, search, offset: pageParam, limit: pageSize },
          signal,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: (last, all) => {
      const loaded = all.reduce((sum, page) => sum + page.results.length, 0)
      return last.results.length > 0 && loaded < last.count ? loaded : undefined
    },
    enabled: open && source !== undefined,
    retry: false,
  })
  const isSettled = search === typed.trim()
  const rows = (isSettled && pages.data?.pages.flatMap((page) => page.results)) || []
  return {
    typed,
    rows: source?.except ? rows.filter((row) => !source.except?.(row)) : rows,
    awaited: !isSettled || pages.isPending,
    loading: pages.isFetching || !isSettled,
    error: pages.error,
    search: setTyped,
    loadMore: () => {
      if (pages.hasNextPage && !pages.isFetchingNextPage) {
        void pages.fetchNextPage()
      }
    },
  }
}

/** The rows behind bare ids, asked for in one go; undefined until there is an answer, none where there is no good one. */
export function useResolvedRows(source: RelationSource | undefined, ids: readonly RowId[]) {
  const path = listPath(source?.path ?? '')
  const { data, isError } = useQuery({
    queryKey: [...queryKeys.lists(path), 'resolved', ids],
    queryFn: async ({ signal }) => {
      const spm = await selectionToken(ids)
      const limit = Math.min(ids.length, 100)
      return pageOf(await api.get<Page<Row> | Row[]>(path, { query: { spm, limit }, signal })).results
    },
    enabled: source !== undefined && ids.length > 0,
    staleTime: Infinity,
  })
  return isError ? [] : data
}

function useSettled<T>(value: T, pauseMs: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return settled
}
