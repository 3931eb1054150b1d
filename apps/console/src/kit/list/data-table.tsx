import { CaretDownOutlined, CaretUpOutlined } from '@ant-design/icons'
import { type CSSProperties, type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef } from 'react'
import type { Action } from '../actions/action.ts'
import { useRunAction } from '../actions/use-run-action.ts'
import type { ResourceRef, Row } from '../api/resource.ts'
import { useKitText } from '../text.ts'
import { type Column, shareOf } from './columns.ts'
import styles from './table.module.css'
import { type Selection, useSelected } from './selection.ts'
import { TableRow } from './table-row.tsx'

interface DataTableProps {
  label: string
  resource: ResourceRef
  columns: readonly Column[]
  rows: readonly Row[]
  /** Where the name of a row leads. */
  detailTo: (row: Row) => string | undefined
  /** What a row is called for who cannot see the table. */
  called: (row: Row) => string
  order: string
  onSort: (column: string) => void
  /** The same by name: a field, `-` before it for descending, empty for the server's own order. */
  onOrder: (order: string) => void
  /** Left out: rows cannot be ticked. */
  selection?: Selection
  actions: readonly Action<Row>[]
  /** What a row shows below itself when it is opened; left out: rows do not open. */
  expanded: ((row: Row) => ReactNode) | undefined
  /** What Enter on a row does. */
  onOpen: (row: Row) => void
  /** Old rows are shown while new ones are under way. */
  stale: boolean
}

const tickPx = 28
const unfoldPx = 30
const actionsPaddingPx = 8

/**
 * A page of rows as a table; on a phone each row is a card (the style sheet turns cells into labelled lines, the
 * roles keep it a table for screen readers). Arrow keys walk the rows, right and left unfold and fold them, Enter opens, Space ticks.
 */
export function DataTable(props: DataTableProps) {
  const { label, columns, rows, selection, actions } = props
  const t = useKitText()
  const run = useRunAction(props.resource)
  const now = { run, open: props.onOpen }
  const latest = useRef(now)
  useLayoutEffect(() => {
    latest.current = now
  })
  // The same functions wherever the address leads, so that rows are not drawn for them.
  const acts = useMemo(
    () => ({
      run: (action: Action<Row>, row: Row) =>
        void latest.current.run(action, [row], () => selection?.set([row], false)),
      open: (row: Row) => latest.current.open(row),
    }),
    [selection],
  )
  const table = useRef<HTMLTableElement>(null)
  useActionsWidth(table)
  const shares = columns.map(shareOf)
  const besides = (selection ? tickPx : 0) + (props.expanded ? unfoldPx : 0)
  const leastPx = shares.reduce((sum, { px }) => sum + px, besides)
  const parts = shares.reduce((sum, share) => sum + share.parts, 0)
  return (
    <div className={styles.scroll} data-stale={props.stale || undefined}>
      <SortBy columns={columns} order={props.order} onOrder={props.onOrder} />
      <table
        ref={table}
        className={styles.table}
        role="table"
        aria-label={label}
        aria-busy={props.stale}
        style={{ '--least': `${leastPx}px`, '--parts': Math.max(1, parts) } as CSSProperties}
      >
        <thead role="rowgroup">
          <tr role="row">
            {selection && (
              <th role="columnheader" scope="col" className={styles.tick}>
                <PageTick rows={rows} selection={selection} />
              </th>
            )}
            {props.expanded && (
              <th role="columnheader" scope="col" className={styles.unfold}>
                <span className={styles.unseen}>{t('detail')}</span>
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
            <TableRow
              key={row.id}
              row={row}
              columns={columns}
              detailTo={props.detailTo}
              called={props.called}
              isFirst={index === 0}
              selection={selection}
              actions={actions}
              expanded={props.expanded}
              run={acts.run}
              onOpen={acts.open}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** On a phone the headings are not there to be pressed. */
function SortBy({ columns, order, onOrder }: Pick<DataTableProps, 'columns' | 'order' | 'onOrder'>) {
  const t = useKitText()
  const sortable = columns.filter((column) => column.sortable)
  if (sortable.length === 0) return null
  return (
    <label className={styles.sortBy}>
      {t('sortBy')}
      <select value={order} onChange={(event) => onOrder(event.target.value)}>
        <option value="">{t('sortByNothing')}</option>
        {sortable.flatMap(({ name, label }) => [
          <option key={name} value={name}>{`${label} ↑`}</option>,
          <option key={`-${name}`} value={`-${name}`}>{`${label} ↓`}</option>,
        ])}
      </select>
    </label>
  )
}

/** How wide what can be done with a row is: of columns that share a width, that is found out by nobody else. */
function useActionsWidth(table: RefObject<HTMLTableElement | null>): void {
  // Whenever the table is drawn, for its first row may be another.
  useLayoutEffect(() => {
    const first = table.current?.querySelector('[data-actions]')
    if (!first) return undefined
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.borderBoxSize[0]?.inlineSize
      if (width)
        table.current?.style.setProperty('--actions-width', `${Math.ceil(width) + actionsPaddingPx}px`)
    })
    observer.observe(first)
    return () => observer.disconnect()
  })
}

function HeaderCell({
  column,
  order,
  onSort,
}: {
  column: Column
  order: string
  onSort: (column: string) => void
}) {
  const up = order === column.name
  const down = order === `-${column.name}`
  const { px, parts } = shareOf(column)
  const widths = {
    '--width': column.wrap ? undefined : column.widthPx && `${column.widthPx}px`,
    '--own': `${px}px`,
    '--share': parts,
  } as CSSProperties
  return (
    <th
      role="columnheader"
      scope="col"
      style={{ ...widths, textAlign: column.align }}
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

function PageTick({ rows, selection }: { rows: readonly Row[]; selection: Selection }) {
  const t = useKitText()
  const open = selection.open(rows)
  const ticked = useSelected(selection, ({ has }) => open.filter((row) => has(row.id)).length)
  return (
    <input
      type="checkbox"
      aria-label={t('selectPage')}
      disabled={open.length === 0}
      checked={open.length > 0 && ticked === open.length}
      ref={(element) => {
        if (element) {
          element.indeterminate = ticked > 0 && ticked < open.length
        }
      }}
      onChange={(event) => selection.set(rows, event.target.checked)}
    />
  )
}
