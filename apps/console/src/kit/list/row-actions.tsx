import { memo } from 'react'
import { useAccess } from '../access/access.ts'
import type { Action } from '../actions/action.ts'
import { isOpen, refusalOf, titleOf } from '../actions/action-state.ts'
import type { Row } from '../api/resource.ts'
import { useMenu } from '../menu/menu.tsx'
import { useKitText, useMessages } from '../text.ts'
import styles from './table.module.css'

const buttonsAtMost = 2

interface RowActionsProps {
  actions: readonly Action<Row>[]
  row: Row
  run: (action: Action<Row>, row: Row) => void
}

/**
 * Two actions or fewer are buttons; of more, the first is a button and the rest are under "More". Buttons of the browser's: of the widgets'
 * a hundred rows are half of what it takes to draw them.
 */
export const RowActions = memo(function RowActions({ actions, row, run }: RowActionsProps) {
  const text = useMessages()
  const access = useAccess()
  const shown = actions.length <= buttonsAtMost ? actions : actions.slice(0, 1)
  // What destroys something comes last, and is not what a menu begins with.
  const rest = actions
    .slice(shown.length)
    .toSorted((a, b) => Number(a.danger ?? false) - Number(b.danger ?? false))
  return (
    <div className={styles.rowActions} data-actions>
      {shown.map((action) => (
        <button
          key={action.name}
          type="button"
          data-danger={action.danger || undefined}
          disabled={!isOpen(action, row, access)}
          title={refusalOf(action, row)}
          onClick={() => run(action, row)}
        >
          {text(titleOf(action, row))}
        </button>
      ))}
      {rest.length > 0 && <MoreActions actions={rest} row={row} run={run} />}
    </div>
  )
})

function MoreActions({ actions, row, run }: RowActionsProps) {
  const t = useKitText()
  const text = useMessages()
  const access = useAccess()
  const { trigger, menu } = useMenu({
    label: t('more'),
    entries: actions.map((action) => ({
      key: action.name,
      label: text(titleOf(action, row)),
      title: refusalOf(action, row),
      danger: action.danger,
      disabled: !isOpen(action, row, access),
      onSelect: () => run(action, row),
    })),
  })
  return (
    <>
      <button type="button" data-menu {...trigger}>
        {t('more')}
      </button>
      {menu}
    </>
  )
}
