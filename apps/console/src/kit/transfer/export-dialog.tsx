import { Alert, Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { Query } from '../api/client.ts'
import { selectionToken } from '../api/hooks.ts'
import type { RowId } from '../api/resource.ts'
import { withConfirmation } from '../confirm/step-up.ts'
import { toastText } from '../feedback/errors.ts'
import { toast } from '../feedback/toast.ts'
import { useKitText } from '../text.ts'
import { download } from './download.ts'
import { useTransferText } from './messages.ts'
import { RadioField } from './radio-field.tsx'
import styles from './transfer.module.css'
import { TransferDialog } from './transfer-dialog.tsx'

type Range = 'all' | 'selected' | 'filtered'

interface ExportDialogProps {
  /** The list that is exported. */
  path: string
  /** What the list is always asked for. */
  query: Query
  /** What the person narrowed it by; nothing: all rows are shown. */
  filters: Query
  order: string
  selected: readonly RowId[]
  onClose: () => void
}

const closeAfterMs = 100
const bytesOfMb = 1_000_000
const formats = [
  { value: 'csv', label: 'CSV' },
  { value: 'xlsx', label: 'Excel' },
]

/** Exports a list as a file: all of it, what is ticked, or what it is narrowed to. */
export default function ExportDialog({ path, query, filters, order, selected, onClose }: ExportDialogProps) {
  const t = useTransferText()
  const kit = useKitText()
  const isFiltered = Object.values(filters).some((value) => value !== undefined && value !== '')
  const [format, setFormat] = useState('csv')
  const [range, setRange] = useState<Range>(
    selected.length > 0 ? 'selected' : isFiltered ? 'filtered' : 'all',
  )
  const [received, setReceived] = useState<number>()
  const [failure, setFailure] = useState<string>()
  const under = useRef<AbortController>(undefined)
  useEffect(() => () => under.current?.abort(), [])

  const rows = async (): Promise<Query> => {
    if (range === 'selected') return { spm: await selectionToken(selected) }
    return range === 'filtered' ? filters : {}
  }
  const run = async () => {
    const own = new AbortController()
    under.current = own
    setFailure(undefined)
    setReceived(0)
    try {
      await withConfirmation(async () =>
        download(path, {
          query: { ...query, ...(await rows()), order, format },
          signal: own.signal,
          onProgress: setReceived,
        }),
      )
      toast.success(t('exportDone'))
      onClose()
    } catch (error) {
      if (!own.signal.aborted) setFailure(toastText(error, kit))
      setReceived(undefined)
    }
  }
  const isRunning = received !== undefined
  const cancel = () => {
    under.current?.abort()
    setTimeout(onClose, closeAfterMs)
  }
  return (
    <TransferDialog
      title={t('exportTitle')}
      onCancel={cancel}
      footer={
        <>
          <Button onClick={cancel}>{kit('cancel')}</Button>
          <Button type="primary" loading={isRunning} onClick={() => void run()}>
            {t('exportTitle')}
          </Button>
        </>
      }
    >
      <dl className={styles.fields}>
        <RadioField
          label={t('fileType')}
          value={format}
          options={formats}
          isClosed={isRunning}
          onChange={setFormat}
        />
        <RadioField
          label={t('exportRange')}
          value={range}
          options={[
            { value: 'all', label: t('exportAll'), disabled: isFiltered },
            {
              value: 'selected',
              label: t('exportSelected', { count: selected.length }),
              disabled: selected.length === 0,
            },
            { value: 'filtered', label: t('exportFiltered'), disabled: !isFiltered },
          ]}
          isClosed={isRunning}
          onChange={setRange}
        />
      </dl>
      {isRunning && <p role="status">{t('exportReceived', { amount: (received / bytesOfMb).toFixed(1) })}</p>}
      {failure !== undefined && (
        <Alert type="error" showIcon role="alert" title={failure} style={{ marginTop: 12 }} />
      )}
    </TransferDialog>
  )
}
