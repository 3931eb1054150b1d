import { CaretDownOutlined, CaretUpOutlined } from '@ant-design/icons'
import type { KeyboardEvent, ReactNode } from 'react'
import type { Row } from '../api/resource.ts'
import { useKitText } from '../text.ts'
import { nameOf } from '../values/name-of.ts'
import type { Column } from './columns.ts'
import styles from './list.module.css'
import { type RowAction, RowActions } from './row-actions.tsx'
import type { Selection } from './selection.ts'

interface DataTableProps<R extends Row> {
  label: string
  columns: readonly Column<R>[]
  rows: readonly R[]
  cell: (column: Column<R>, row: R) => ReactNode
  order: string
  onSort: (column: string) => void
  /** Left out: rows cannot be ticked. */
  selection?: Selection<R>
  actions: readonly RowAction<R>[]
  /** What Enter on a row does. */
  onOpen?: (row: R) => void
  /** Old rows are shown while new ones are under way. */
  stale: boolean
}

/**
 * A page of rows as a table; on a phone each row is a card (the style sheet turns cells into labelled lines, the
 * roles keep it a table for screen readers). Arrow keys walk the rows, Enter opens, Space ticks.
 */
export function DataTable<R extends Row>(props: DataTableProps<R>) {
  const { label, columns, rows, selection, actions } = props
  const t = useKitText()
  return (
    <div className={styles.scroll} data-stale={props.stale || undefined}>
      <table className={styles.table} role="table" aria-label={label} aria-busy={props.stale}>
        <thead role="rowgroup">
          <tr role="row">
            {selection && (
              <th role="columnheader" scope="col" className={styles.tick}>
                <PageTick rows={rows} selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <HeaderCell key={column.name} column={column} order={props.order} onSort={props.onSort} />
            ))}
            {actions.length > 0 && (
              <th role="columnheader" scope="col" className={styles.actions}>
                {t('actions')}
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row, index) => (
            <tr
              key={row.id}
              role="row"
              tabIndex={index === 0 ? 0 : -1}
              data-selected={selection?.has(row.id) || undefined}
              onKeyDown={(event) => onRowKey(event, row, props)}
            >
              {selection && (
                <td role="cell" className={styles.tick}>
                  <input
                    type="checkbox"
                    aria-label={t('selectRow', { name: nameOf(row) })}
                    checked={selection.has(row.id)}
                    onChange={(event) => selection.set([row], event.target.checked)}
                  />
                </td>
              )}
              {columns.map((column) => (
                <BodyCell key={column.name} column={column} content={props.cell(column, row)} />
              ))}
              {actions.length > 0 && (
                <td role="cell" className={styles.actions}>
                  <RowActions actions={actions} row={row} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function HeaderCell<R extends Row>({
  column,
  order,
  onSort,
}: {
  column: Column<R>
  order: string
  onSort: (column: string) => void
}) {
  const up = order === column.name
  const down = order === `-${column.name}`
  return (
    <th
      role="columnheader"
      scope="col"
      style={{ width: column.widthPx, textAlign: column.align }}
      aria-sort={up ? 'ascending' : down ? 'descending' : undefined}
    >
      {column.sortable ? (
        <button type="button" className={styles.sort} onClick={() => onSort(column.name)}>
          {column.label}
          <span className={styles.carets} aria-hidden>
            <CaretUpOutlined data-on={up} />
            <CaretDownOutlined data-on={down} />
          </span>
        </button>
      ) : (
        column.label
      )}
    </th>
  )
}

function BodyCell<R extends Row>({ column, content }: { column: Column<R>; content: ReactNode }) {
  return (
    <td
      role="cell"
      data-label={column.label}
      data-name={column.name}
      data-wrap={column.wrap || undefined}
      style={{ textAlign: column.align }}
      title={typeof content === 'string' && !column.wrap ? content : undefined}
    >
      {content}
    </td>
  )
}

function PageTick<R extends Row>({ rows, selection }: { rows: readonly R[]; selection: Selection<R> }) {
  const t = useKitText()
  const ticked = rows.filter((row) => selection.has(row.id)).length
  return (
    <input
      type="checkbox"
      aria-label={t('selectPage')}
      disabled={rows.length === 0}
      checked={rows.length > 0 && ticked === rows.length}
      ref={(element) => {
        if (element) {
          element.indeterminate = ticked > 0 && ticked < rows.length
        }
      }}
      onChange={(event) => selection.set(rows, event.target.checked)}
    />
  )
}

function onRowKey<R extends Row>(
  event: KeyboardEvent<HTMLTableRowElement>,
  row: R,
  { onOpen, selection }: DataTableProps<R>,
): void {
  const element = event.currentTarget
  if (event.target !== element) {
    return
  }
  const moves: Record<string, Element | null | undefined> = {
    ArrowDown: element.nextElementSibling,
    ArrowUp: element.previousElementSibling,
    Home: element.parentElement?.firstElementChild,
    End: element.parentElement?.lastElementChild,
  }
  if (event.key in moves) {
    event.preventDefault()
    const target = moves[event.key]
    if (target instanceof HTMLElement) {
      target.focus()
    }
  } else if (event.key === 'Enter' && onOpen) {
    event.preventDefault()
    onOpen(row)
  } else if (event.key === ' ' && selection) {
    event.preventDefault()
    selection.set([row], !selection.has(row.id))
  }
}
