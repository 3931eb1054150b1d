import { Asset } from '@sallyport/contract/resources/assets'
import { useMemo } from 'react'
import type { Row } from '../../../kit/api/resource.ts'
import { PickDialog } from '../../../kit/list/pick-dialog.tsx'
import { labelOf, type Related, type RelationSource } from '../../../kit/relation/relation.ts'
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

const columns = ['name', 'address', 'platform', 'protocols'] as const

/** Assets to tick in a list beside the trees that narrow it. */
export default function AssetDialog(props: AssetDialogProps) {
  const { title, source, chosen = [], isPlain = false, onChoose, onClose } = props
  const tree = useTreeSelection(false)
  const query = useMemo(() => {
    const { fields_size: _short, ...narrowed } = source.query ?? {}
    return { ...narrowed, ...tree.query }
  }, [source, tree.query])
  return (
    <PickDialog
      title={title}
      list={{ resource: Asset, query, columns, cells: assetCells }}
      listKey={JSON.stringify(tree.query)}
      chosen={chosen.flatMap(({ id, label }) => (id === undefined ? [] : [{ id, label }]))}
      except={source.except}
      beside={isPlain ? undefined : <SelectingTree counts="asset" selection={tree} />}
      onChoose={(rows) =>
        onChoose(rows.map((row) => ({ id: row.id, label: labelIn(row) ?? labelOf(row, source) })))
      }
      onClose={onClose}
    />
  )
}

const labelIn = ({ label }: Row) => (typeof label === 'string' ? label : undefined)
