import { UploadOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Progress, Radio, Spin } from 'antd'
import { useCallback, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { maxImportBytes } from '@sallyport/contract/constants'
import type { Query } from '../api/client.ts'
import { selectionToken } from '../api/hooks.ts'
import { queryKeys } from '../api/keys.ts'
import { listPath, type ResourceRef, type RowId } from '../api/resource.ts'
import { withConfirmation } from '../confirm/step-up.ts'
import { describeError, toastText } from '../feedback/errors.ts'
import { toast } from '../feedback/toast.ts'
import { useKitText } from '../text.ts'
import { UnsavedContext, useLeave, useUnsaved } from '../unsaved/unsaved.ts'
import { download } from './download.ts'
import { type ImportMode, type ImportTable, problemOf, readTable, sendRow } from './import-file.ts'
import { ImportPreview } from './import-preview.tsx'
import { hasFailed, type ImportRow, ImportTask, type TaskState } from './import-task.ts'
import { type TransferText, useTransferText } from './messages.ts'
import { RadioField } from './radio-field.tsx'
import styles from './transfer.module.css'
import { TransferDialog } from './transfer-dialog.tsx'

interface ImportDialogProps {
  /** Whose list takes the rows. */
  resource: ResourceRef
  modes: readonly ImportMode[]
  /** The rows a template for changes is filled with; of none, the first one. */
  selected: readonly RowId[]
  onClose: () => void
}

const pauseMs = 100
const bytesOfMb = 1 << 20

/** Imports a csv or xlsx file row by row: new rows, or changes of those that are there. */
export default function ImportDialog({ resource, modes, selected, onClose }: ImportDialogProps) {
  const path = listPath(resource.path)
  const client = useQueryClient()
  const t = useTransferText()
  const [mode, setMode] = useState<ImportMode>(modes[0] ?? 'create')
  const [table, setTable] = useState<ImportTable>()
  useEffect(
    () => () => void client.invalidateQueries({ queryKey: queryKeys.resource(resource.path) }),
    [client, resource.path],
  )
  return (
    <TransferDialog
      title={t(mode === 'create' ? 'importCreate' : 'importUpdate')}
      onCancel={onClose}
      footer={null}
    >
      {table === undefined ? (
        <ChooseFile
          path={path}
          modes={modes}
          mode={mode}
          selected={selected}
          onMode={setMode}
          onTable={setTable}
        />
      ) : (
        <Run
          path={path}
          table={table}
          modes={modes}
          mode={mode}
          onOther={(chosen) => {
            setMode(chosen)
            setTable(undefined)
          }}
          onClose={onClose}
        />
      )}
    </TransferDialog>
  )
}

interface ModeProps {
  modes: readonly ImportMode[]
  mode: ImportMode
  onMode: (mode: ImportMode) => void
}

function ModeField({ modes, mode, onMode, isClosed = false }: ModeProps & { isClosed?: boolean }) {
  const t = useTransferText()
  const labels = { create: t('create'), update: t('update') }
  return (
    <dl className={styles.fields}>
      <RadioField
        label={t('importMode')}
        value={mode}
        options={modes.map((value) => ({ value, label: labels[value] }))}
        isClosed={isClosed}
        onChange={onMode}
      />
    </dl>
  )
}

interface ChooseProps extends ModeProps {
  path: string
  selected: readonly RowId[]
  onTable: (table: ImportTable) => void
}

function ChooseFile({ path, modes, mode, selected, onMode, onTable }: ChooseProps) {
  const t = useTransferText()
  const kit = useKitText()
  const [isReading, setReading] = useState(false)
  const [problem, setProblem] = useState<string>()
  const size = { max: maxImportBytes / bytesOfMb }

  const template = async (format: string) => {
    const rows: Query =
      mode === 'update' && selected.length > 0 ? { spm: await selectionToken(selected) } : { limit: 1 }
    const query = { ...rows, format, template: mode === 'create' ? 'import' : 'update' }
    await download(path, { query, signal: new AbortController().signal })
  }
  const read = async (file: File | null | undefined) => {
    if (!file || isReading) return
    const wrong = problemOf(file)
    setProblem(wrong && t(wrong, size))
    if (wrong) return
    setReading(true)
    try {
      onTable(await readTable(path, file))
    } catch (error) {
      setProblem(describeError(error, kit))
      setReading(false)
    }
  }
  return (
    <>
      <ModeField modes={modes} mode={mode} onMode={onMode} />
      <p>
        {t(mode === 'create' ? 'templateCreate' : 'templateUpdate')}{' '}
        {['csv', 'xlsx'].map((format) => (
          <Button
            key={format}
            type="link"
            size="small"
            onClick={() => void template(format).catch((error: unknown) => setProblem(toastText(error, kit)))}
          >
            {format.toUpperCase()}
          </Button>
        ))}
      </p>
      <label className={styles.drop}>
        {isReading ? <Spin /> : <UploadOutlined aria-hidden />}
        <span role="status">{isReading ? t('reading') : t('chooseFile')}</span>
        <span>{t('fileLimits', size)}</span>
        {/* It lies over all of this, and takes files that are dropped on it by itself. Disabled, it would lose the focus. */}
        <input
          type="file"
          accept=".csv,.xlsx"
          aria-disabled={isReading}
          onChange={(event) => {
            void read(event.target.files?.item(0))
            // The same file can be chosen again once it is mended.
            event.target.value = ''
          }}
        />
      </label>
      {problem !== undefined && (
        <Alert type="error" showIcon role="alert" title={problem} style={{ marginTop: 12 }} />
      )}
    </>
  )
}

interface RunProps extends Omit<ModeProps, 'onMode'> {
  path: string
  table: ImportTable
  /** Another file is chosen, in that mode. */
  onOther: (mode: ImportMode) => void
  onClose: () => void
}

function Run({ path, table, modes, mode, onOther, onClose }: RunProps) {
  const t = useTransferText()
  const kit = useKitText()
  const scope = useContext(UnsavedContext)
  const leave = useLeave()
  const [filter, setFilter] = useState<Filter>('total')
  const [corrected, setCorrected] = useState(noRows)
  const [interruption, setInterruption] = useState<string>()
  const show = (chosen: Filter) => {
    setFilter(chosen)
    setCorrected(noRows)
  }
  const [task] = useState(
    () =>
      new ImportTask({
        rows: table.rows,
        send: (values) => withConfirmation(() => sendRow(path, mode, values)),
        pauseMs,
        labelOf: (field) => table.columns.find(({ name }) => name === field)?.title ?? field,
        describe: (error) => describeError(error, kit),
        onInterrupted: (error) => setInterruption(toastText(error, kit)),
        onDone: (failed) => {
          show(failed > 0 ? 'failed' : 'total')
          if (failed > 0) toast.error(t('importFailed', { count: failed }))
          else toast.success(t('importDone'))
        },
      }),
  )
  const state = useSyncExternalStore(task.subscribe, () => task.state)
  useUnsaved(useCallback(() => task.isUnfinished, [task]))
  useEffect(() => task.stop, [task])
  const found = useMemo(() => countRows(state.rows), [state.rows])
  // A row that is being corrected stays in its place, whatever becomes of it.
  const shown = useMemo(
    () => state.rows.filter((row) => isIn[filter](row) || corrected.has(row.key)),
    [state.rows, filter, corrected],
  )
  const edit = useCallback(
    (key: number, name: string, value: unknown) => {
      setCorrected((keys) => new Set(keys).add(key))
      task.edit(key, name, value)
    },
    [task],
  )
  const start = () => {
    setInterruption(undefined)
    show('pending')
    void task.start()
  }
  const other = (chosen: ImportMode) => leave(scope, () => onOther(chosen))
  const written = found.success + found.failed
  return (
    <>
      <ModeField modes={modes} mode={mode} onMode={other} isClosed={state.status === 'started'} />
      <div className={styles.bar}>
        <Radio.Group
          aria-label={t('show')}
          optionType="button"
          size="small"
          value={filter}
          onChange={(event) => show(event.target.value as Filter)}
          options={filters.map((value) => ({ value, label: `${t(value)} (${found[value]})` }))}
        />
        <Progress
          style={{ flex: 1, minWidth: 120 }}
          percent={Math.floor((written * 100) / Math.max(1, state.rows.length))}
          status={found.failed > 0 ? 'exception' : undefined}
          aria-label={t('progress')}
        />
      </div>
      {table.unknown.length > 0 && (
        <Alert type="info" showIcon title={t('unknownColumns', { titles: table.unknown.join(', ') })} />
      )}
      <ImportPreview key={filter} mode={mode} columns={table.columns} rows={shown} onEdit={edit} />
      {interruption !== undefined && (
        <Alert type="warning" showIcon role="alert" title={t('interrupted', { why: interruption })} />
      )}
      <div className={styles.bar} style={{ justifyContent: 'flex-end' }}>
        <Button disabled={state.status === 'started'} onClick={() => other(mode)}>
          {t('otherFile')}
        </Button>
        <MainButton
          state={state}
          failed={found.failed}
          t={t}
          onStart={start}
          onStop={task.stop}
          onClose={onClose}
        />
      </div>
    </>
  )
}

const filters = ['total', 'success', 'failed', 'pending'] as const
type Filter = (typeof filters)[number]

const isIn: Record<Filter, (row: ImportRow) => boolean> = {
  total: () => true,
  success: ({ status }) => status === 'ok',
  failed: hasFailed,
  pending: ({ status }) => status === 'pending',
}
const noRows: ReadonlySet<number> = new Set()

const countRows = (rows: readonly ImportRow[]): Record<Filter, number> => ({
  total: rows.length,
  success: rows.filter(isIn.success).length,
  failed: rows.filter(isIn.failed).length,
  pending: rows.filter(isIn.pending).length,
})

interface MainProps {
  state: TaskState
  failed: number
  t: TransferText
  onStart: () => void
  onStop: () => void
  onClose: () => void
}

/** Import, Stop, Continue, and Finished once all rows are there. */
function MainButton({ state: { status, rows }, failed, t, onStart, onStop, onClose }: MainProps) {
  if (status === 'started') return <Button onClick={onStop}>{t('stop')}</Button>
  const isFinished = status === 'done' && failed === 0 && rows.every((row) => row.status === 'ok')
  const text = isFinished ? 'finished' : status === 'pending' ? 'import' : 'continue'
  return (
    <Button type="primary" autoFocus onClick={isFinished ? onClose : onStart}>
      {t(text)}
    </Button>
  )
}
