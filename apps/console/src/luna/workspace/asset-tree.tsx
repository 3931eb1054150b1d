import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { toast } from '../../kit/feedback/toast.ts'
import { useErrorText } from '../error-text.ts'
import { useText } from '../text.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'
import { favoriteKey, isAssetNode, type TreeNode, useFavorites, useTreeLevel } from './granted.ts'

/** A level with more rows than this is shown piece by piece; searching is the better way into it. */
const rowsAtOnce = 200

interface Actions {
  onConnect: (assetId: string, ask: boolean) => void
  favorites: ReturnType<typeof useFavorites>
}

/** The person's assets in their nodes, loaded level by level. Arrow keys move, Enter connects. */
export function AssetTree({ onConnect }: { onConnect: Actions['onConnect'] }) {
  const t = useText()
  const client = useQueryClient()
  const errorText = useErrorText()
  const favorites = useFavorites((error) => toast.error(errorText(error)))
  const top = useTreeLevel(undefined)
  const refresh = () => void client.invalidateQueries({ queryKey: ['granted-tree'] })
  return (
    <section className="tree" aria-labelledby="tree-title">
      <header className="tree-head">
        <h2 id="tree-title">{t('myAssets')}</h2>
        <IconButton icon="refresh" label={t('refresh')} onClick={refresh} aria-busy={top.isFetching} />
      </header>
      {top.error && (
        <p className="hint is-error" role="alert">
          {errorText(top.error)} <Button onClick={refresh}>{t('retry')}</Button>
        </p>
      )}
      {top.data?.every((node) => node.id === favoriteKey) && <p className="hint">{t('noAssets')}</p>}
      {top.data && (
        <ul className="tree-list" role="tree" aria-label={t('myAssets')} onKeyDown={onTreeKey}>
          <Rows nodes={topOf(top.data)} depth={0} actions={{ onConnect, favorites }} />
        </ul>
      )}
    </section>
  )
}

/** With one root the server sends its children along with it; they are shown where they belong, below it. */
function topOf(nodes: TreeNode[]) {
  const ids = new Set(nodes.map(({ id }) => id))
  return nodes.filter(({ pId }) => !ids.has(pId))
}

function Rows({ nodes, depth, actions }: { nodes: TreeNode[]; depth: number; actions: Actions }) {
  const t = useText()
  const [limit, setLimit] = useState(rowsAtOnce)
  return (
    <>
      {nodes
        .slice(0, limit)
        .map((node, index) =>
          isAssetNode(node) ? (
            <AssetRow
              key={node.id}
              node={node}
              depth={depth}
              actions={actions}
              isFirst={depth === 0 && index === 0}
            />
          ) : (
            <NodeRow
              key={node.id}
              node={node}
              depth={depth}
              actions={actions}
              isFirst={depth === 0 && index === 0}
            />
          ),
        )}
      {nodes.length > limit && (
        <li role="none" style={{ paddingInlineStart: 12 + depth * 14 }}>
          <Button
            role="treeitem"
            tabIndex={-1}
            aria-level={depth + 1}
            aria-selected={false}
            onClick={() => setLimit(limit + rowsAtOnce)}
          >
            {t('showMore', { count: nodes.length - limit })}
          </Button>
        </li>
      )}
    </>
  )
}

interface RowProps {
  node: TreeNode
  depth: number
  actions: Actions
  isFirst: boolean
}

function NodeRow({ node, depth, actions, isFirst }: RowProps) {
  const t = useText()
  // The only root comes with its children beside it in the same answer; they are its level, so it starts open.
  const [isOpen, setOpen] = useState(depth === 0 && node.id !== favoriteKey)
  const level = useTreeLevel(node.id, isOpen)
  const errorText = useErrorText()
  return (
    <li role="none">
      <div
        role="treeitem"
        tabIndex={isFirst ? 0 : -1}
        aria-expanded={isOpen}
        aria-level={depth + 1}
        aria-selected={false}
        className="tree-row"
        style={{ paddingInlineStart: 6 + depth * 14 }}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' || event.key === ' ') setOpen(!isOpen)
          else if (event.key === 'ArrowRight' && !isOpen) setOpen(true)
          else if (event.key === 'ArrowLeft' && isOpen) setOpen(false)
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      >
        <span className={isOpen ? 'tree-chevron is-open' : 'tree-chevron'}>
          <Icon name="chevron" />
        </span>
        <Icon name={node.id === favoriteKey ? 'star' : 'folder'} />
        <span className="tree-name">{node.name}</span>
      </div>
      {isOpen && (
        <ul role="group">
          {level.isPending && (
            <li className="hint" role="none">
              {t('loading')}
            </li>
          )}
          {level.error && (
            <li className="hint is-error" role="none">
              {errorText(level.error)}{' '}
              <Button
                role="treeitem"
                tabIndex={-1}
                aria-level={depth + 2}
                aria-selected={false}
                onClick={() => void level.refetch()}
              >
                {t('retry')}
              </Button>
            </li>
          )}
          {level.data?.length === 0 && (
            <li className="hint" role="none">
              {t('emptyNode')}
            </li>
          )}
          {level.data && <Rows nodes={level.data} depth={depth + 1} actions={actions} />}
        </ul>
      )}
    </li>
  )
}

function AssetRow({ node, depth, actions, isFirst }: RowProps) {
  const t = useText()
  const { favorites, onConnect } = actions
  const isFavorite = favorites.isFavorite(node.id)
  const connect = (ask: boolean) => {
    if (!node.chkDisabled) onConnect(node.id, ask)
  }
  return (
    <li role="none" className="tree-asset">
      <div
        role="treeitem"
        tabIndex={isFirst ? 0 : -1}
        aria-level={depth + 1}
        aria-selected={false}
        aria-disabled={node.chkDisabled ?? false}
        className="tree-row"
        style={{ paddingInlineStart: 24 + depth * 14 }}
        title={node.chkDisabled ? t('assetInactive') : `${node.name} ${node.title}`}
        onClick={(event) => {
          // The second click of a double click asks for nothing new: each connection is a recorded session.
          if (event.detail <= 1) connect(false)
        }}
        onContextMenu={(event) => {
          event.preventDefault()
          connect(true)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.target !== event.currentTarget) return
          event.preventDefault()
          connect(event.shiftKey)
        }}
      >
        <Icon name="host" />
        <span className="tree-name">{node.name}</span>
        <span className="tree-address">{node.title}</span>
        <IconButton
          icon="star"
          className="tree-star"
          tabIndex={-1}
          filled={isFavorite}
          aria-pressed={isFavorite}
          label={isFavorite ? t('favoriteRemove') : t('favoriteAdd')}
          onClick={(event) => {
            event.stopPropagation()
            favorites.toggle.mutate(node.id)
          }}
        />
      </div>
    </li>
  )
}

/** Moves the focus between the rows on screen, in the order they stand in. */
function onTreeKey(event: KeyboardEvent<HTMLElement>) {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=treeitem]')]
  const index = rows.findIndex((row) => row === document.activeElement)
  const level = Number(rows[index]?.ariaLevel ?? 1)
  const target = {
    ArrowDown: rows[index + 1],
    ArrowUp: rows[index - 1],
    ArrowRight: rows[index + 1],
    ArrowLeft: rows.slice(0, Math.max(0, index)).findLast((row) => Number(row.ariaLevel) < level),
    Home: rows[0],
    End: rows.at(-1),
  }[event.key]
  if (!target) return
  event.preventDefault()
  for (const row of rows) row.tabIndex = row === target ? 0 : -1
  target.focus()
}
