import { RightOutlined } from '@ant-design/icons'
import { type KeyboardEvent, memo, type ReactNode, useId, useState } from 'react'
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
  called: (row: Row) => string
  isFirst: boolean
  /** Left out: rows cannot be ticked. */
  selection: Selection | undefined
  actions: readonly Action<Row>[]
  expanded: ((row: Row) => ReactNode) | undefined
  run: (action: Action<Row>, row: Row) => void
  onOpen: (row: Row) => void
}

/** A row of a table. It is drawn again only when something of its own changes: a tick draws one row and none of its cells. */
export const TableRow = memo(function TableRow(props: TableRowProps) {
  const { row, columns, selection, actions, expanded, run } = props
  const t = useKitText()
  const id = useId()
  const isTicked = useTicked(selection, row.id)
  const [isUnfolded, unfold] = useState(false)
  const cells = columns.length + 1 + (selection ? 1 : 0) + (actions.length > 0 ? 1 : 0)
  return (
    <>
      <tr
        role="row"
        tabIndex={props.isFirst ? 0 : -1}
        data-selected={isTicked || undefined}
        onKeyDown={(event) => onRowKey(event, props, unfold)}
      >
        {selection && (
          <td role="cell" className={styles.tick}>
            <input
              type="checkbox"
              aria-label={t('selectRow', { name: props.called(row) })}
              checked={isTicked}
              disabled={selection.open([row]).length === 0}
              onChange={(event) => selection.set([row], event.target.checked)}
            />
          </td>
        )}
        {expanded && (
          <td role="cell" className={styles.unfold}>
            <button
              type="button"
              aria-label={t('detail')}
              aria-expanded={isUnfolded}
              aria-controls={isUnfolded ? id : undefined}
              onClick={() => unfold(!isUnfolded)}
            >
              <RightOutlined aria-hidden rotate={isUnfolded ? 90 : 0} />
            </button>
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
      {expanded && isUnfolded && (
        <tr role="row" id={id} className={styles.unfolded}>
          <td role="cell" colSpan={cells}>
            {expanded(row)}
          </td>
        </tr>
      )}
    </>
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
      style={{
        textAlign: column.align,
        minWidth: column.wrap ? (column.widthPx ?? column.leastPx) : undefined,
      }}
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
  { row, selection, expanded, onOpen }: TableRowProps,
  unfold: (isUnfolded: boolean) => void,
): void {
  const element = event.currentTarget
  if (event.target !== element) {
    return
  }
  // What is unfolded below a row is none.
  const rows = [...(element.parentElement?.querySelectorAll(':scope > tr[tabindex]') ?? [])]
  const at = rows.indexOf(element)
  const moves: Record<string, Element | undefined> = {
    ArrowDown: rows[at + 1],
    ArrowUp: rows[at - 1],
    Home: rows[0],
    End: rows.at(-1),
  }
  if (event.key in moves) {
    event.preventDefault()
    const target = moves[event.key]
    if (target instanceof HTMLElement) {
      target.focus()
    }
  } else if (expanded && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
    event.preventDefault()
    unfold(event.key === 'ArrowRight')
  } else if (event.key === 'Enter') {
    event.preventDefault()
    onOpen(row)
  } else if (event.key === ' ' && selection) {
    event.preventDefault()
    selection.set([row], !selection.has(row.id))
  }
}
