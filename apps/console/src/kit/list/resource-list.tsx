import { useEffect, useMemo, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { useAccess } from '../access/access.ts'
import { useList, useMetadata } from '../api/hooks.ts'
import { listPath, type Row } from '../api/resource.ts'
import { useKitText, useMessages } from '../text.ts'
import { nameOf } from '../values/name-of.ts'
import { cellOf } from './cells.tsx'
import { candidateColumns, type Column, lockedColumns, visibleColumns } from './columns.ts'
import { tableKey, useSavedColumns } from './column-settings-store.ts'
import { DataTable } from './data-table.tsx'
import { defaultDateRange } from './date-range.ts'
import styles from './list.module.css'
import type { ListSpec } from './list-spec.ts'
import { nextOrder, useListState } from './list-state.ts'
import { ListMessage } from './list-message.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { Pager } from './pager.tsx'
import { searchOptions } from './search-options.ts'
import { useSelection } from './selection.ts'
import { useListActions } from './use-list-actions.ts'

/** A list of a resource, described by the server's metadata and a few words of the screen. */
export function ResourceList<R extends Row = Row>(spec: ListSpec<R>) {
  const t = useKitText()
  const text = useMessages()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const access = useAccess()
  const path = listPath(spec.path ?? spec.resource.path)
  const state = useListState(spec.inAddress)
  const [period] = useState(defaultDateRange)
  const metadata = useMetadata(spec.describedBy === undefined ? path : listPath(spec.describedBy))
  const list = useList<R>(
    path,
    { ...(spec.dateRange && period), ...state.query, ...spec.query },
    { refreshMs: spec.refreshMs },
  )
  const selection = useSelection<R>()
  const actions = useListActions(spec, path, selection)
  const [savedColumns, saveColumns] = useSavedColumns(tableKey(pathname, path))

  const metas = useMemo(() => metadata.data?.actions?.GET ?? {}, [metadata.data])
  const candidates = useMemo(() => {
    const labels = { is_valid: t('validity') }
    return candidateColumns(metas, spec, text, labels)
  }, [metas, spec, text, t])
  const columns = visibleColumns(candidates, spec, savedColumns)
  const options = useMemo(
    () => searchOptions(metas, [t('yes'), t('no')], spec.searchOptions, spec.searchExclude),
    [metas, spec.searchOptions, spec.searchExclude, t],
  )
  useStepBack(list.isPlaceholderData ? undefined : list.data, state)
  useClearOnNewSearch(state.filters, selection.clear)

  const detailTo = (row: R) => {
    if (spec.detailTo === false || !access.canDo('view', spec.resource)) {
      return undefined
    }
    return spec.detailTo ? spec.detailTo(row) : actions.paths.detail(row.id)
  }
  const cell = (column: Column<R>, row: R) => {
    if (column.render) {
      return column.render(row)
    }
    const value =
      column.meta?.type === 'choice' ? (row[`${column.name}_display`] ?? row[column.name]) : row[column.name]
    const target = column.name === 'name' ? detailTo(row) : undefined
    return target ? <Link to={target}>{nameOf(row)}</Link> : cellOf(column.name, value, column.meta, t)
  }
  const rows = list.data?.results ?? []
  const error = list.error ?? metadata.error
  const waiting = list.isPending || metadata.isPending
  return (
    <section className={styles.list}>
      <ListToolbar
        spec={spec}
        actions={actions}
        selection={selection}
        options={options}
        filters={state.filters}
        onFilters={(filters) => state.change({ filters })}
        columns={{
          candidates,
          visible: columns.map((column) => column.name),
          locked: lockedColumns(spec),
          save: saveColumns,
        }}
        refreshing={list.isFetching}
        onRefresh={() => {
          selection.clear()
          void list.refetch()
        }}
      />
      {error || waiting || rows.length === 0 ? (
        <ListMessage
          error={error}
          waiting={waiting}
          filtered={Object.keys(state.filters).length > 0}
          onRetry={() => void Promise.all([list.refetch(), metadata.isError && metadata.refetch()])}
          onClear={() => state.change({ filters: {} })}
        />
      ) : (
        <DataTable
          label={metadata.data?.name ?? ''}
          columns={columns}
          rows={rows}
          cell={cell}
          order={state.order}
          onSort={(column) => state.change({ order: nextOrder(state.order, column) })}
          selection={actions.bulk.length > 0 ? selection : undefined}
          actions={actions.row}
          onOpen={(row) => {
            const target = detailTo(row)
            if (target) {
              void navigate(target)
            }
          }}
          stale={list.isPlaceholderData}
        />
      )}
      <Pager
        page={state.page}
        pageSize={state.pageSize}
        count={list.error ? 0 : (list.data?.count ?? 0)}
        onPage={(page) => state.change({ page })}
        onPageSize={state.resize}
      />
    </section>
  )
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
