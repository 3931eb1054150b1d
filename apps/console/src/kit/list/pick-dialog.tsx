import type { Resource } from '@sallyport/contract/resource/resource'
import { Alert } from 'antd'
import { type ReactNode, useCallback, useState } from 'react'
import type { Row } from '../api/resource.ts'
import { Dialog } from '../dialog/dialog.tsx'
import { toastText } from '../feedback/errors.ts'
import { useKitText } from '../text.ts'
import { TreeTable } from '../tree/tree-table.tsx'
import { useUnsaved } from '../unsaved/unsaved.ts'
import styles from './list.module.css'
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
  /** Rows that cannot be ticked. */
  except?: ((row: Row) => boolean) | undefined
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
  const { title, list, chosen = [], except, beside, listKey, onChoose, onClose } = props
  const t = useKitText()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [ticked] = useState(() => {
    const selection = new Selection(except)
    selection.set(chosen, true)
    return selection
  })
  const [atFirst] = useState(chosen)
  const count = useSelected(ticked, ({ rows }) => rows.length)
  const choose = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await onChoose(ticked.rows)
      onClose()
    } catch (error) {
      setFailure(toastText(error, t))
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
      width={width}
      style={place}
      title={title}
      classNames={{ footer: styles.footerInView }}
      mask={{ closable: false }}
      okButtonProps={{ loading: busy, disabled: count === 0 && chosen.length === 0 }}
      onOk={() => void choose()}
      onCancel={onClose}
    >
      <Ticks ticked={ticked} chosen={atFirst} />
      <p role="status">{t('rowsChosen', { count })}</p>
      {failure && <Alert type="error" showIcon role="alert" title={failure} />}
      <div className={styles.inDialog}>
        {beside === undefined ? rows : <TreeTable tree={beside}>{rows}</TreeTable>}
      </div>
    </Dialog>
  )
}

/** Has the person asked before ticks are lost. */
function Ticks({ ticked, chosen }: { ticked: Selection; chosen: readonly Row[] }) {
  const isChanged = useCallback(
    () => ticked.rows.length !== chosen.length || chosen.some(({ id }) => !ticked.has(id)),
    [ticked, chosen],
  )
  useUnsaved(isChanged)
  return null
}
