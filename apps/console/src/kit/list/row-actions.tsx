import { DownOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useNavigate } from 'react-router'
import type { Row } from '../api/resource.ts'
import { useKitText } from '../text.ts'
import styles from './list.module.css'

type Of<R, T> = T | ((row: R) => T)

/** Something that can be done with a row. `to` leads somewhere, `run` does it here. */
export interface RowAction<R extends Row = Row> {
  name: string
  title: Of<R, string>
  /** Update 10, delete 20, duplicate 30; 100 unless said. */
  order?: number
  danger?: boolean
  hidden?: Of<R, boolean>
  disabled?: Of<R, boolean>
  to?: (row: R) => string
  run?: (row: R) => void
}

const defaultOrder = 100
const buttonsAtMost = 2

function valueFor<R, T extends string | boolean>(value: Of<R, T>, row: R): T {
  return typeof value === 'function' ? value(row) : value
}

/** Actions in their order, a later one with the same name replacing the earlier. */
export function orderedActions<R extends Row>(actions: readonly RowAction<R>[]): RowAction<R>[] {
  const byName = new Map(actions.map((action) => [action.name, action]))
  return [...byName.values()].sort((a, b) => (a.order ?? defaultOrder) - (b.order ?? defaultOrder))
}

/** Two actions or fewer are buttons; of more, the first is a button and the rest are under "More". */
export function RowActions<R extends Row>({ actions, row }: { actions: readonly RowAction<R>[]; row: R }) {
  const t = useKitText()
  const navigate = useNavigate()
  const visible = actions.filter((action) => !valueFor(action.hidden ?? false, row))
  const start = (action: RowAction<R>) => {
    if (action.to) {
      void navigate(action.to(row))
    } else {
      action.run?.(row)
    }
  }
  const shown = visible.length <= buttonsAtMost ? visible : visible.slice(0, 1)
  const rest = visible.slice(shown.length)
  const isDisabled = (action: RowAction<R>) => valueFor(action.disabled ?? false, row)
  return (
    <div className={styles.rowActions}>
      {shown.map((action) => (
        <Button
          key={action.name}
          size="small"
          danger={action.danger}
          disabled={isDisabled(action)}
          onClick={() => start(action)}
        >
          {valueFor(action.title, row)}
        </Button>
      ))}
      {rest.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: rest.map((action) => ({
              key: action.name,
              label: valueFor(action.title, row),
              danger: action.danger,
              disabled: isDisabled(action),
              onClick: () => start(action),
            })),
          }}
        >
          <Button size="small">
            {t('more')} <DownOutlined aria-hidden />
          </Button>
        </Dropdown>
      )}
    </div>
  )
}
