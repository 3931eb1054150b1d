import { CheckCircleOutlined, ClockCircleOutlined, ExclamationCircleOutlined } from '@ant-design/icons'
import { writeCell } from '@sallyport/contract/cell-values'
import { Button, Input } from 'antd'
import { memo, useId, useState } from 'react'
import { useKitText } from '../text.ts'
import { Explained } from '../values/explained.tsx'
import { editedValue, type ImportColumn, type ImportMode, shownValue } from './import-file.ts'
import type { ImportRow } from './import-task.ts'
import { useTransferText } from './messages.ts'
import styles from './transfer.module.css'

const pageSize = 10
const mask = '******'

interface PreviewProps {
  mode: ImportMode
  columns: readonly ImportColumn[]
  rows: readonly ImportRow[]
  onEdit: (key: number, name: string, value: unknown) => void
}

/** Ten rows of an import with what became of them; every cell can be changed. */
export function ImportPreview({ mode, columns, rows, onEdit }: PreviewProps) {
  const t = useTransferText()
  const kit = useKitText()
  const pages = Math.max(1, Math.ceil(rows.length / pageSize))
  const [wanted, setPage] = useState(1)
  const page = Math.min(wanted, pages)
  const shown = rows.slice((page - 1) * pageSize, page * pageSize)
  return (
    <>
      <div className={styles.scroll}>
        <table className={styles.table} aria-label={t('preview')}>
          <thead>
            <tr>
              <th scope="col" aria-label={t('status')} />
              {columns.map(({ name, title }) => (
                <th key={name} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <PreviewRow key={row.key} mode={mode} row={row} columns={columns} onEdit={onEdit} />
            ))}
          </tbody>
        </table>
      </div>
      <div className={styles.pages}>
        <Button size="small" disabled={page <= 1} onClick={() => setPage(page - 1)}>
          {kit('previousPage')}
        </Button>
        <span>
          {page} / {pages}
        </span>
        <Button size="small" disabled={page >= pages} onClick={() => setPage(page + 1)}>
          {kit('nextPage')}
        </Button>
      </div>
    </>
  )
}

const PreviewRow = memo(function PreviewRow({
  mode,
  row,
  columns,
  onEdit,
}: Omit<PreviewProps, 'rows'> & { row: ImportRow }) {
  return (
    <tr>
      <td>
        <StatusIcon status={row.status} />
      </td>
      {columns.map((column) => (
        <td key={column.name}>
          <PreviewCell
            mode={mode}
            column={column}
            value={row.values[column.name]}
            problem={typeof row.status === 'object' ? row.status.fields[column.name] : undefined}
            onChange={(value) => onEdit(row.key, column.name, value)}
          />
        </td>
      ))}
    </tr>
  )
})

/** What became of a row, and why, as a tooltip for the mouse, the keyboard and screen readers. */
function StatusIcon({ status }: Pick<ImportRow, 'status'>) {
  const t = useTransferText()
  if (status === 'pending') return <ClockCircleOutlined aria-label={t('pending')} />
  if (status === 'ok')
    return <CheckCircleOutlined aria-label={t('success')} style={{ color: 'var(--k-success)' }} />
  const text = status.lines.join('\n')
  return (
    <Explained
      label={`${t('failed')}: ${text}`}
      title={<span style={{ whiteSpace: 'pre-line' }}>{text}</span>}
    >
      <ExclamationCircleOutlined aria-hidden style={{ color: 'var(--k-danger)' }} />
    </Explained>
  )
}

interface CellProps {
  mode: ImportMode
  column: ImportColumn
  value: unknown
  /** Why the server refused it. */
  problem: string | undefined
  onChange: (value: unknown) => void
}

function PreviewCell({ problem, ...cell }: CellProps) {
  const id = useId()
  const isWrong = problem !== undefined
  return (
    <div className={isWrong ? styles.wrong : undefined}>
      <CellContent {...cell} described={isWrong ? id : undefined} />
      {isWrong && <p id={id}>{problem}</p>}
    </div>
  )
}

function CellContent({
  mode,
  column: { title, isSecret, reading },
  value,
  described,
  onChange,
}: Omit<CellProps, 'problem'> & { described: string | undefined }) {
  const t = useTransferText()
  const [text, setText] = useState<string>()
  const [isBack, setBack] = useState(false)
  const editable = isSecret ? '' : writeCell(value, reading)
  if (text === undefined) {
    const shown = isSecret && value ? mask : shownValue(value)
    return (
      <button
        type="button"
        className={styles.cell}
        autoFocus={isBack}
        title={shown}
        aria-label={t('editCell', { title, value: shown })}
        aria-describedby={described}
        onClick={() => {
          setText(editable)
          setBack(false)
        }}
      >
        {shown}
      </button>
    )
  }
  const end = () => {
    setText(undefined)
    // A secret is not shown, so nothing typed is nothing said.
    if (text !== editable) onChange(editedValue(text, mode, reading))
  }
  return (
    <Input
      size="small"
      autoFocus
      type={isSecret ? 'password' : 'text'}
      autoComplete={isSecret ? 'new-password' : 'off'}
      aria-label={title}
      aria-describedby={described}
      status={described === undefined ? '' : 'error'}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={end}
      onPressEnter={(event) => {
        // It would open the cell again, which has the focus by then.
        event.preventDefault()
        setBack(true)
        end()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        setBack(true)
        setText(undefined)
      }}
    />
  )
}
