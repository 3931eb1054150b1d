import { Asset } from '@sallyport/contract/resources/assets'
import type { AssetCategory } from '@sallyport/contract/resources/categories'
import { Node } from '@sallyport/contract/resources/nodes'
import { Platform } from '@sallyport/contract/resources/platforms'
import { Button } from 'antd'
import { ApiError } from '../../../kit/api/errors.ts'
import { useDetail } from '../../../kit/api/hooks.ts'
import { pageOf, type Row } from '../../../kit/api/resource.ts'
import { useMessages } from '../../../kit/text.ts'
import styles from './assets.module.css'
import { useCategories } from './use-categories.ts'
import type { TreeSelection } from './use-tree-selection.ts'

/** What a list is narrowed to where the tree does not show it, as after a reload: its name, and the way back to all. */
export function ChosenElsewhere({ selection: { query, clear } }: { selection: TreeSelection }) {
  const text = useMessages()
  const node = useDetail(Node.path, query['node_id'])
  const asset = useDetail(Asset.path, query['asset_id'])
  const platform = useDetail(Platform.path, query['platform'])
  const categories = pageOf(useCategories().data ?? []).results
  const error = node.error ?? asset.error ?? platform.error
  const isGone = error instanceof ApiError && error.status === 404
  const name =
    nameIn(node.data, 'full_value') ??
    nameIn(asset.data, 'name') ??
    nameIn(platform.data, 'name') ??
    nameOfKind(categories, query) ??
    '…'
  return (
    <div className={styles.narrowed} role="status">
      <span>{isGone ? text('console:narrowedToGone') : text('console:narrowedTo', { name })}</span>{' '}
      <Button
        size="small"
        onClick={({ currentTarget }) => {
          // The notice goes with what it is about: keyboards go on in the tree.
          currentTarget
            .closest('section')
            ?.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]')
            ?.focus()
          clear()
        }}
      >
        {text('console:narrowedToAll')}
      </Button>
    </div>
  )
}

/** A type or a category as it is called; by its value only where nobody knows it. */
function nameOfKind(
  categories: readonly AssetCategory[],
  { type, category }: TreeSelection['query'],
): string | undefined {
  const kinds = type === undefined ? categories : categories.flatMap(({ types }) => types)
  const wanted = type ?? category
  return kinds.find(({ value }) => value === wanted)?.label ?? wanted
}

function nameIn(row: Row | undefined, field: string): string | undefined {
  const value = row?.[field]
  return typeof value === 'string' ? value : undefined
}
