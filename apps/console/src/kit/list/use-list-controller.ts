import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useAccess } from '../access/access.ts'
import type { Query } from '../api/client.ts'
import { useList, useMetadata } from '../api/hooks.ts'
import { listPath, type Row } from '../api/resource.ts'
import { ownNameOf } from '../values/name-of.ts'
import { plainValue } from '../values/plain-value.ts'
import { type KitText, type Text, useKitText, useMessages } from '../text.ts'
import { candidateColumns, lockedColumns, visibleColumns } from './columns.ts'
import { tableKey, useSavedColumns } from './column-settings-store.ts'
import { showDateTime } from '../dates/dates.ts'
import { defaultDateRange } from './date-range.ts'
import type { ListSpec, SaidOfList } from './list-spec.ts'
import { nextOrder, useListState } from './list-state.ts'
import { type Paging, pagings } from './paging.ts'
import { searchOptions } from './search-options.ts'
import { useSelection } from './selection.ts'
import { useListActions } from './use-list-actions.ts'

/** A list without looks: its rows and columns, what it is narrowed by, what is ticked and what can be done. */
export function useListController(spec: SaidOfList, query: Query | undefined) {
  const t = useKitText()
  const text = useMessages()
  const { pathname } = useLocation()
  const access = useAccess()
  const path = listPath(spec.path ?? spec.resource.path)
  const paging = pagings[spec.paging ?? 'offset']
  const state = useListState(spec.inAddress ?? true, paging)
  const [period] = useState(defaultDateRange)
  const metadata = useMetadata(spec.describedBy === undefined ? path : listPath(spec.describedBy))
  const list = useList(
    path,
    {
      ...(spec.dateRange && period),
      ...state.query,
      ...query,
      ...(spec.unread && { 'fields!': spec.unread.join() }),
    },
    { refreshMs: spec.refreshMs, of: spec.resource.path },
  )
  const own = useSelection()
  const selection = spec.selection ?? own
  const actions = useListActions(spec)
  const [savedColumns, saveColumns] = useSavedColumns(tableKey(pathname, path))
  useStepBack(list.isPlaceholderData ? undefined : list.data, state)
  useClearOnNewSearch(state.filters, own.clear)

  const metas = useMemo(() => metadata.data?.actions?.GET ?? {}, [metadata.data])
  const candidates = useMemo(
    () => candidateColumns(metas, spec, text, { is_valid: t('validity') }),
    [metas, spec, text, t],
  )
  const columns = useMemo(
    () => visibleColumns(candidates, spec, savedColumns),
    [candidates, spec, savedColumns],
  )
  const options = useMemo(
    () => searchOptions(metas, [t('yes'), t('no')], furtherOptions(spec, text, t), spec.searchExclude),
    [metas, spec, text, t],
  )
  const { paths } = actions
  const canView = access.canDo('view', spec.resource)
  const detailTo = useCallback(
    (row: Row) =>
      spec.detailTo === false || !canView ? undefined : (spec.detailTo?.(row) ?? paths.detail(row.id)),
    [spec, canView, paths],
  )
  const [first] = columns
  const called = useCallback(
    (row: Row) => ownNameOf(row) ?? spec.called?.(row) ?? (first ? plainValue(row[first.name], t) : ''),
    [spec, first, t],
  )
  const error = list.error ?? metadata.error
  const filters = { ...(spec.dateRange && period), ...state.filters }
  return {
    title: metadata.data?.name ?? '',
    rows: list.data?.results ?? noRows,
    count: list.error ? 0 : (list.data?.count ?? 0),
    columns,
    columnSettings: { candidates, locked: lockedColumns(spec), save: saveColumns },
    options,
    /** What an export asks for, besides what is chosen there. */
    exported: {
      path: spec.exportAs ? listPath(spec.exportAs.path) : path,
      query: query ?? {},
      filters,
    },
    period: spec.dateRange
      ? { from: showDateTime(filters['date_from']), to: showDateTime(filters['date_to']) }
      : undefined,
    state,
    paging: paging as Paging,
    sort: (column: string) => state.change({ order: nextOrder(state.order, column) }),
    selection,
    actions,
    detailTo,
    called,
    error,
    waiting: list.isPending || metadata.isPending,
    /** Old rows are shown while new ones are under way. */
    stale: list.isPlaceholderData,
    refreshing: list.isFetching,
    refresh: () => {
      own.clear()
      void list.refetch()
    },
    retry: () => void Promise.all([list.refetch(), metadata.isError && metadata.refetch()]),
  }
}

export type ListController = ReturnType<typeof useListController>

const noRows: readonly Row[] = []

function furtherOptions({ searchFields = [] }: ListSpec, text: Text, t: KitText) {
  const yesNo = [
    { value: 'true', label: t('yes') },
    { value: 'false', label: t('no') },
  ]
  return searchFields.map((field) => ({
    name: field.name,
    label: text(field.label),
    choices: field.yesNo ? yesNo : field.choices,
  }))
}

/** Goes to the last page when the current one is gone, as after deleting its last row. */
function useStepBack(
  data: { count: number; results: readonly unknown[] } | undefined,
  state: Pick<ReturnType<typeof useListState>, 'page' | 'pageSize' | 'change'>,
): void {
  const { page, pageSize, change } = state
  const gone = data !== undefined && data.results.length === 0 && page > 1
  const last = Math.max(1, Math.ceil((data?.count ?? 0) / pageSize))
  useEffect(() => {
    if (gone) {
      change({ page: last }, true)
    }
  }, [gone, last, change])
}

/** A new search starts a new choice of rows. */
function useClearOnNewSearch(filters: Readonly<Record<string, string>>, clear: () => void): void {
  const text = JSON.stringify(filters)
  const last = useRef(text)
  useEffect(() => {
    if (last.current !== text) {
      last.current = text
      clear()
    }
  }, [text, clear])
}
