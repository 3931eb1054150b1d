import type { Resource } from '@sallyport/contract/resource/resource'
import { Alert } from 'antd'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../api/errors.ts'
import type { Row } from '../api/resource.ts'
import { Dialog } from '../dialog/dialog.tsx'
import { toastText } from '../feedback/errors.ts'
import { type KitText, useKitText } from '../text.ts'
import { TreeTable } from '../tree/tree-table.tsx'
import type { ListOf } from './list-spec.ts'
import { ResourceList } from './resource-list.tsx'
import { Selection, useSelected } from './selection.ts'

interface PickDialogProps<T extends Resource> {
  title: string
  list: Omit<ListOf<T>, 'inAddress' | 'can' | 'detailTo' | 'selection'>
  /** Ticked at first. */
  chosen?: readonly Row[]
  /** A tree by which the list is narrowed. */
  beside?: ReactNode
  /** Another list begins at its first page. */
  listKey?: string
  /** The dialog stays open when it fails. */
  onChoose: (rows: readonly Row[]) => unknown
  onClose: () => void
}

const width = { xs: '96%', lg: '80vw' }
const place = { top: '1vh' }

/** Rows to tick, over pages and searches, for whoever opened it. */
export function PickDialog<T extends Resource>(props: PickDialogProps<T>) {
  const { title, list, chosen = [], beside, listKey, onChoose, onClose } = props
  const t = useKitText()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [ticked] = useState(() => {
    const selection = new Selection()
    selection.set(chosen, true)
    return selection
  })
  const count = useSelected(ticked, ({ rows }) => rows.length)
  const choose = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await onChoose(ticked.rows)
      onClose()
    } catch (error) {
      setFailure(refusal(error, t))
      setBusy(false)
    }
  }
  const rows = (
    <ResourceList<T>
      key={listKey}
      {...list}
      inAddress={false}
      can="look"
      detailTo={false}
      selection={ticked}
    />
  )
  return (
    <Dialog
      open
      width={width}
      style={place}
      title={title}
      mask={{ closable: false }}
      okButtonProps={{ loading: busy, disabled: count === 0 && chosen.length === 0 }}
      onOk={() => void choose()}
      onCancel={onClose}
    >
      <p role="status">{t('rowsChosen', { count })}</p>
      {failure && <Alert type="error" showIcon role="alert" title={failure} />}
      {beside === undefined ? rows : <TreeTable tree={beside}>{rows}</TreeTable>}
    </Dialog>
  )
}

/** What the server says of the rows, or of the whole. */
function refusal(error: unknown, t: KitText): string | undefined {
  const ofFields = error instanceof ApiError ? Object.values(error.fieldErrors) : []
  return ofFields.length > 0 ? ofFields.join('; ') : toastText(error, t)
}
