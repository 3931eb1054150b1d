import { DownOutlined, PlusOutlined, ReloadOutlined, SettingOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Row } from '../api/resource.ts'
import { useKitText } from '../text.ts'
import type { Column } from './columns.ts'
import styles from './list.module.css'
import type { ListSpec } from './list-spec.ts'
import type { Filters } from './list-state.ts'
import type { SearchOption } from './search-options.ts'
import type { Selection } from './selection.ts'
import { TagSearch } from './tag-search.tsx'
import type { ListActions } from './use-list-actions.ts'

const ColumnSettings = lazy(() => import('./column-settings.tsx'))
const DateRange = lazy(() => import('./date-range-picker.tsx'))

interface ListToolbarProps<R extends Row> {
  spec: ListSpec<R>
  actions: ListActions<R>
  selection: Selection<R>
  options: readonly SearchOption[]
  filters: Filters
  onFilters: (filters: Filters) => void
  columns: {
    candidates: readonly Column<R>[]
    visible: readonly string[]
    locked: readonly string[]
    save: (columns: string[] | undefined) => void
  }
  refreshing: boolean
  onRefresh: () => void
}

/** The bar above a list: create, further actions, search, and the table's own settings. */
export function ListToolbar<R extends Row>(props: ListToolbarProps<R>) {
  const { spec, actions, selection, columns } = props
  const t = useKitText()
  const [settingsOpen, setSettingsOpen] = useState(false)
  const count = selection.ids.length
  return (
    <div className={styles.toolbar}>
      {actions.create && (
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={actions.create}>
          {spec.createTitle ?? t('create')}
        </Button>
      )}
      {spec.headerActions}
      {actions.bulk.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: actions.bulk.map((action) => ({
              key: action.name,
              label: action.title,
              danger: action.danger,
              disabled: count === 0 && !action.always,
              onClick: () => action.run(selection),
            })),
          }}
        >
          <Button>
            {t('actions')}
            {count > 0 && ` (${count})`} <DownOutlined aria-hidden />
          </Button>
        </Dropdown>
      )}
      {spec.dateRange && (
        <Suspense>
          <DateRange filters={props.filters} onChange={props.onFilters} />
        </Suspense>
      )}
      <TagSearch options={props.options} filters={props.filters} onChange={props.onFilters} />
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
          icon={<ReloadOutlined aria-hidden spin={props.refreshing} />}
          aria-label={t('refresh')}
          title={t('refresh')}
          onClick={props.onRefresh}
        />
      </div>
      {settingsOpen && (
        <Suspense>
          <ColumnSettings
            candidates={columns.candidates}
            visible={columns.visible}
            locked={columns.locked}
            onSave={columns.save}
            onClose={() => setSettingsOpen(false)}
          />
        </Suspense>
      )}
    </div>
  )
}
