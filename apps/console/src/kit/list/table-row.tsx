import { type KeyboardEvent, memo, type ReactNode } from 'react'
import type { Action } from '../actions/action.ts'
import type { Row } from '../api/resource.ts'
import { useKitText } from '../text.ts'
import { nameOf } from '../values/name-of.ts'
import { cellOf } from './cells.tsx'
import type { Column } from './columns.ts'
import { type Selection, useTicked } from './selection.ts'
import styles from './table.module.css'
import { RowActions } from './row-actions.tsx'
import { Link } from '../routes/navigation.tsx'

interface TableRowProps {
  row: Row
  columns: readonly Column[]
  detailTo: (row: Row) => string | undefined
  isFirst: boolean
  /** Left out: rows cannot be ticked. */
  selection: Selection | undefined
  actions: readonly Action<Row>[]
  run: (action: Action<Row>, row: Row) => void
  onOpen: (row: Row) => void
}

/** A row of a table. It is drawn again only when something of its own changes: a tick draws one row and none of its cells. */
export const TableRow = memo(function TableRow(props: TableRowProps) {
  const { row, columns, selection, actions, run } = props
  const t = useKitText()
  const isTicked = useTicked(selection, row.id)
  return (
    <tr
      role="row"
      tabIndex={props.isFirst ? 0 : -1}
      data-selected={isTicked || undefined}
      onKeyDown={(event) => onRowKey(event, props)}
    >
      {selection && (
        <td role="cell" className={styles.tick}>
          <input
            type="checkbox"
            aria-label={t('selectRow', { name: nameOf(row) })}
            checked={isTicked}
            onChange={(event) => selection.set([row], event.target.checked)}
          />
        </td>
      )}
      {columns.map((column) => (
        <BodyCell key={column.name} column={column} row={row} detailTo={props.detailTo} />
      ))}
      {actions.length > 0 && (
        <td role="cell" className={styles.actions}>
          <RowActions actions={actions} row={row} run={run} />
        </td>
      )}
    </tr>
  )
})

interface BodyCellProps {
  column: Column
  row: Row
  detailTo: (row: Row) => string | undefined
}

const BodyCell = memo(function BodyCell({ column, row, detailTo }: BodyCellProps) {
  const content = useCell(column, row, detailTo)
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
})

/** What a cell shows: the screen's own way, the name as a link, or the value by its kind. */
function useCell(column: Column, row: Row, detailTo: BodyCellProps['detailTo']): ReactNode {
  const t = useKitText()
  const { name, meta, render } = column
  if (render) {
    return render(row)
  }
  const target = name === 'name' ? detailTo(row) : undefined
  if (target) {
    return <Link to={target}>{nameOf(row)}</Link>
  }
  const value = meta?.type === 'choice' ? (row[`${name}_display`] ?? row[name]) : row[name]
  return cellOf(name, value, meta, t)
}

function onRowKey(
  event: KeyboardEvent<HTMLTableRowElement>,
  { row, selection, onOpen }: TableRowProps,
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
  } else if (event.key === 'Enter') {
    event.preventDefault()
    onOpen(row)
  } else if (event.key === ' ' && selection) {
    event.preventDefault()
    selection.set([row], !selection.has(row.id))
  }
}
