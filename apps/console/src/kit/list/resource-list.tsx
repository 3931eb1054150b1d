import type { Resource } from '@sallyport/contract/resource/resource'
import { useCallback } from 'react'
import type { Row } from '../api/resource.ts'
import { DataTable } from './data-table.tsx'
import styles from './list.module.css'
import { type ListOf, plainList } from './list-spec.ts'
import { ListMessage } from './list-message.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { Pager } from './pager.tsx'
import { searchTags, withoutTags } from './search-options.ts'
import { useListController } from './use-list-controller.ts'
import { useSameSpec } from './use-same-spec.ts'
import { useKeptFocus } from '../focus/kept-focus.ts'
import { useGo } from '../routes/navigation.tsx'

/** A list of a resource, described by the server's metadata and a few words of the screen. */
export function ResourceList<T extends Resource, X extends string = never>(props: ListOf<T, X>) {
  // What is asked for may change without a column or an action changing with it.
  const { query, ...said } = plainList(props)
  const spec = useSameSpec(said)
  const list = useListController(spec, query)
  const go = useGo()
  const { state, rows, error, waiting, detailTo } = list
  const open = useCallback(
    (row: Row) => {
      const target = detailTo(row)
      if (target) {
        void go(target)
      }
    },
    [detailTo, go],
  )
  return (
    <section className={styles.list} {...useKeptFocus('tbody > tr[tabindex]')}>
      <ListToolbar spec={spec} list={list} />
      {error || waiting || rows.length === 0 ? (
        <ListMessage
          error={error}
          waiting={waiting}
          filtered={searchTags(state.filters, list.options).length > 0}
          period={list.period}
          onRetry={list.retry}
          onClear={() => state.change({ filters: withoutTags(state.filters, list.options) })}
        />
      ) : (
        <DataTable
          label={list.title}
          resource={spec.resource}
          columns={list.columns}
          rows={rows}
          detailTo={detailTo}
          called={list.called}
          order={state.order}
          onSort={list.sort}
          onOrder={(order) => state.change({ order })}
          selection={spec.selection ?? (list.actions.bulk.length > 0 ? list.selection : undefined)}
          actions={list.actions.row}
          expanded={spec.expanded}
          onOpen={open}
          stale={list.stale}
        />
      )}
      {list.paging.sizeKey !== undefined && (
        <Pager
          page={state.page}
          pageSize={state.pageSize}
          pageSizes={list.paging.sizes}
          canJump={list.paging.canJump}
          count={list.count}
          onPage={(page) => state.change({ page })}
          onPageSize={state.resize}
        />
      )}
    </section>
  )
}
