import {
  DownloadOutlined,
  DownOutlined,
  PlusOutlined,
  ReloadOutlined,
  SettingOutlined,
  UploadOutlined,
} from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, Suspense, useState } from 'react'
import { lazyPart } from '../loading/lazy-part.tsx'
import { useAccess } from '../access/access.ts'
import type { Action } from '../actions/action.ts'
import { isOpen, titleOf } from '../actions/action-state.ts'
import { useRunAction } from '../actions/use-run-action.ts'
import type { Row } from '../api/resource.ts'
import { useMenu } from '../menu/menu.tsx'
import { useKitText, useMessages } from '../text.ts'
import { ExportDialog, ImportDialog } from '../transfer/parts.ts'
import styles from './list.module.css'
import type { SaidOfList } from './list-spec.ts'
import { useSelected } from './selection.ts'
import { TagSearch } from './tag-search.tsx'
import type { ListController } from './use-list-controller.ts'

const ColumnSettings = lazyPart(() => import('./column-settings.tsx'))
const DateRange = lazyPart(() => import('./date-range-picker.tsx'))

/** The bar above a list: create, further actions, search, and the table's own settings. */
export function ListToolbar({ spec, list }: { spec: SaidOfList; list: ListController }) {
  const t = useKitText()
  const text = useMessages()
  const [dialog, setDialog] = useState<'columns' | 'import' | 'export'>()
  const close = () => setDialog(undefined)
  // Nothing is ticked behind a dialog.
  const selected = () => list.selection.rows.map(({ id }) => id)
  const { actions, state, columns, columnSettings } = list
  const narrow = (filters: typeof state.filters) => state.change({ filters })
  return (
    <div className={styles.toolbar}>
      {actions.create && (
        <Button
          type="primary"
          icon={<PlusOutlined aria-hidden />}
          onClick={({ ctrlKey, metaKey }) => actions.create?.(ctrlKey || metaKey)}
        >
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
      <TagSearch label={list.title} options={list.options} filters={state.filters} onChange={narrow} />
      <div className={styles.tools}>
        <Tool
          title={t('columnSettings')}
          icon={<SettingOutlined aria-hidden />}
          onClick={() => setDialog('columns')}
        />
        {actions.importModes.length > 0 && (
          <Tool
            title={t('import')}
            icon={<UploadOutlined aria-hidden />}
            onClick={() => setDialog('import')}
          />
        )}
        {actions.canExport && (
          <Tool
            title={t('export')}
            icon={<DownloadOutlined aria-hidden />}
            onClick={() => setDialog('export')}
          />
        )}
        <Tool
          title={t('refresh')}
          icon={<ReloadOutlined aria-hidden spin={list.refreshing} />}
          onClick={list.refresh}
        />
      </div>
      {dialog === 'import' && (
        <Suspense>
          <ImportDialog
            resource={spec.resource}
            modes={actions.importModes}
            selected={selected()}
            onClose={close}
          />
        </Suspense>
      )}
      {dialog === 'export' && (
        <Suspense>
          <ExportDialog {...list.exported} order={state.order} selected={selected()} onClose={close} />
        </Suspense>
      )}
      {dialog === 'columns' && (
        <Suspense>
          <ColumnSettings
            candidates={columnSettings.candidates}
            visible={columns.map((column) => column.name)}
            locked={columnSettings.locked}
            onSave={columnSettings.save}
            onClose={close}
          />
        </Suspense>
      )}
    </div>
  )
}

function Tool({ title, ...props }: { title: string; icon: ReactNode; onClick: () => void }) {
  return <Button type="text" aria-label={title} title={title} {...props} />
}

/** What can be done with the ticked rows together: with those of them that it can be done with. */
function BulkMenu({ spec, list }: { spec: SaidOfList; list: ListController }) {
  const t = useKitText()
  const text = useMessages()
  const access = useAccess()
  const run = useRunAction(spec.resource)
  const { clear } = list.selection
  const rows = useSelected(list.selection, (selection) => selection.rows)
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
