import { DownOutlined, PlusOutlined, ReloadOutlined, SettingOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { lazyPart } from '../loading/lazy-part.tsx'
import { useAccess } from '../access/access.ts'
import type { Action } from '../actions/action.ts'
import { isOpen, titleOf } from '../actions/action-state.ts'
import { useRunAction } from '../actions/use-run-action.ts'
import type { Row } from '../api/resource.ts'
import { useMenu } from '../menu/menu.tsx'
import { useKitText, useMessages } from '../text.ts'
import styles from './list.module.css'
import type { ListSpec } from './list-spec.ts'
import { TagSearch } from './tag-search.tsx'
import type { ListController } from './use-list-controller.ts'

const ColumnSettings = lazyPart(() => import('./column-settings.tsx'))
const DateRange = lazyPart(() => import('./date-range-picker.tsx'))

/** The bar above a list: create, further actions, search, and the table's own settings. */
export function ListToolbar({ spec, list }: { spec: ListSpec; list: ListController }) {
  const t = useKitText()
  const text = useMessages()
  const [settingsOpen, setSettingsOpen] = useState(false)
  const { actions, state, columns, columnSettings } = list
  const narrow = (filters: typeof state.filters) => state.change({ filters })
  return (
    <div className={styles.toolbar}>
      {actions.create && (
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={actions.create}>
          {text(spec.createTitle ?? 'kit:create')}
        </Button>
      )}
      {spec.headerActions}
      {actions.bulk.length > 0 && <BulkMenu spec={spec} list={list} />}
      {spec.dateRange && (
        <Suspense>
          <DateRange filters={state.filters} onChange={narrow} />
        </Suspense>
      )}
      <TagSearch options={list.options} filters={state.filters} onChange={narrow} />
      <div className={styles.tools}>
        <Button
          type="text"
          icon={<SettingOutlined aria-hidden />}
          aria-label={t('columnSettings')}
          title={t('columnSettings')}
          onClick={() => setSettingsOpen(true)}
        />
        <Button
          type="text"
          icon={<ReloadOutlined aria-hidden spin={list.refreshing} />}
          aria-label={t('refresh')}
          title={t('refresh')}
          onClick={list.refresh}
        />
      </div>
      {settingsOpen && (
        <Suspense>
          <ColumnSettings
            candidates={columnSettings.candidates}
            visible={columns.map((column) => column.name)}
            locked={columnSettings.locked}
            onSave={columnSettings.save}
            onClose={() => setSettingsOpen(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

/** What can be done with the ticked rows together: with those of them that it can be done with. */
function BulkMenu({ spec, list }: { spec: ListSpec; list: ListController }) {
  const t = useKitText()
  const text = useMessages()
  const access = useAccess()
  const run = useRunAction(spec.resource)
  const { rows, clear } = list.selection
  const entry = (action: Action<Row>) => {
    const open = rows.filter((row) => isOpen(action, row, access))
    const [row] = open
    return {
      key: action.name,
      label: text(action.titleMany ?? titleOf(action, row ?? { id: '' })),
      danger: action.danger,
      disabled: row === undefined,
      onSelect: () => void run(action, open, clear),
    }
  }
  const { trigger, menu } = useMenu({ label: t('actions'), entries: list.actions.bulk.map(entry) })
  return (
    <>
      <Button {...trigger}>
        {t('actions')}
        {rows.length > 0 && ` (${rows.length})`} <DownOutlined aria-hidden />
      </Button>
      {menu}
    </>
  )
}
