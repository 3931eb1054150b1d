import { Asset } from '@sallyport/contract/resources/assets'
import { Alert } from 'antd'
import { useMemo, useState } from 'react'
import type { Row } from '../../../kit/api/resource.ts'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { ApiError } from '../../../kit/api/errors.ts'
import { toastText } from '../../../kit/feedback/errors.ts'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { Selection, useSelected } from '../../../kit/list/selection.ts'
import { labelOf, type Related, type RelationSource } from '../../../kit/relation/relation.ts'
import { type KitText, useKitText, useMessages } from '../../../kit/text.ts'
import { TreeTable } from '../../../kit/tree/tree-table.tsx'
import { assetCells } from './asset-cells.tsx'
import { SelectingTree } from './asset-tree.tsx'
import { useTreeSelection } from './use-tree-selection.ts'

interface AssetDialogProps {
  title: string
  /** What its query narrows the list to is all there is to choose from. */
  source: RelationSource
  /** Ticked at first. */
  chosen?: readonly Related[]
  /** Without the trees, where the list is that of one node. */
  isPlain?: boolean
  /** The dialog stays open when it fails. */
  onChoose: (assets: Related[]) => unknown
  onClose: () => void
}

const width = { xs: '96%', lg: '80vw' }
const columns = ['name', 'address', 'platform', 'protocols'] as const

/** Assets to tick, over pages and searches, in a list beside the trees that narrow it. */
export default function AssetDialog(props: AssetDialogProps) {
  const { title, source, chosen = [], isPlain = false, onChoose, onClose } = props
  const text = useMessages()
  const t = useKitText()
  const tree = useTreeSelection(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [ticked] = useState(() => tickedAtFirst(chosen))
  const count = useSelected(ticked, ({ rows }) => rows.length)
  const query = useMemo(() => {
    const { fields_size: _short, ...narrowed } = source.query ?? {}
    return { ...narrowed, ...tree.query }
  }, [source, tree.query])
  const choose = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await onChoose(ticked.rows.map((row) => ({ id: row.id, label: labelIn(row) ?? labelOf(row, source) })))
      onClose()
    } catch (error) {
      setFailure(refusal(error, t))
      setBusy(false)
    }
  }
  const list = (
    <ResourceList
      // Another node begins at its first page.
      key={JSON.stringify(tree.query)}
      resource={Asset}
      query={query}
      inAddress={false}
      can="look"
      columns={columns}
      cells={assetCells}
      detailTo={false}
      selection={ticked}
    />
  )
  return (
    <Dialog
      open
      width={width}
      style={{ top: '1vh' }}
      title={title}
      mask={{ closable: false }}
      okButtonProps={{ loading: busy, disabled: count === 0 && chosen.length === 0 }}
      onOk={() => void choose()}
      onCancel={onClose}
    >
      <p role="status">{text('assetsChosen', { count })}</p>
      {failure && <Alert type="error" showIcon role="alert" title={failure} />}
      {isPlain ? (
        list
      ) : (
        <TreeTable tree={<SelectingTree counts="asset" selection={tree} />}>{list}</TreeTable>
      )}
    </Dialog>
  )
}

/** What the server says of the assets, or of the whole. */
function refusal(error: unknown, t: KitText): string | undefined {
  const ofFields = error instanceof ApiError ? Object.values(error.fieldErrors) : []
  return ofFields.length > 0 ? ofFields.join('; ') : toastText(error, t)
}

const labelIn = ({ label }: Row) => (typeof label === 'string' ? label : undefined)

function tickedAtFirst(chosen: readonly Related[]): Selection {
  const selection = new Selection()
  selection.set(
    chosen.flatMap(({ id, label }) => (id === undefined ? [] : [{ id, label }])),
    true,
  )
  return selection
}
