import { Asset } from '@sallyport/contract/resources/assets'
import { useQueryClient } from '@tanstack/react-query'
import type { MenuProps } from 'antd'
import { Modal } from 'antd'
import { useState } from 'react'
import { useAccess } from '../../../kit/access/access.ts'
import { api } from '../../../kit/api/client.ts'
import { useDetail } from '../../../kit/api/hooks.ts'
import { queryKeys } from '../../../kit/api/keys.ts'
import { describeError } from '../../../kit/feedback/errors.ts'
import { toast } from '../../../kit/feedback/toast.ts'
import { Form } from '../../../kit/form/form.tsx'
import { assetSource } from '../../../kit/relation/sources.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import type { TreeNode } from '../../../kit/tree/tree-node.ts'
import styles from './assets.module.css'

type Change = 'add' | 'replace' | 'remove'
type Refresh = () => Promise<unknown>

interface ChangeRequest {
  change: Change
  node: TreeNode
  refresh: Refresh
}

const titles = {
  add: 'addAssetsToNode',
  replace: 'moveAssetsToNode',
  remove: 'removeAssetsFromNode',
} as const

const nodeId = (node: TreeNode) => node.meta?.data?.id ?? node.id

/** What can be done with the assets of a node, and how much of it the list shows. */
export function useNodeMenu(onlyDirect: boolean, setOnlyDirect: (only: boolean) => void) {
  const text = useMessages()
  const { can, inRoot } = useAccess()
  const [request, setRequest] = useState<ChangeRequest>()
  const [shown, setShown] = useState<TreeNode>()

  const menu = (node: TreeNode, refresh: Refresh): NonNullable<MenuProps['items']> => {
    if (node.meta?.type !== 'node') return []
    const forbidden = inRoot || !can('assets.change_assetnodes')
    const ask = (change: Change) => ({
      key: change,
      label: text(titles[change]),
      disabled: forbidden,
      onClick: () => setRequest({ change, node, refresh }),
    })
    return [
      { type: 'divider' },
      ask('add'),
      ask('replace'),
      ask('remove'),
      { type: 'divider' },
      {
        key: 'direct',
        label: text(onlyDirect ? 'showAllBelow' : 'showOnlyDirect'),
        onClick: () => setOnlyDirect(!onlyDirect),
      },
      { type: 'divider' },
      { key: 'info', label: text('nodeInformation'), onClick: () => setShown(node) },
    ]
  }
  const dialogs = (
    <>
      {request && <AssetsOfNodeDialog {...request} onClose={() => setRequest(undefined)} />}
      {shown && <NodeInfoDialog node={shown} onClose={() => setShown(undefined)} />}
    </>
  )
  return { menu, dialogs }
}

const assetsField = { type: 'm2m_related_field', required: true, label: '' }

function AssetsOfNodeDialog({ change, node, refresh, onClose }: ChangeRequest & { onClose: () => void }) {
  const t = useKitText()
  const text = useMessages()
  const client = useQueryClient()
  const source =
    change === 'remove'
      ? { ...assetSource, query: { ...assetSource.query, node_id: nodeId(node), show_current_asset: 1 } }
      : assetSource
  return (
    <Modal
      open
      width={640}
      title={`${text(titles[change])}: ${node.meta?.data?.value ?? node.name}`}
      footer={null}
      closable={{ 'aria-label': t('close') }}
      mask={{ closable: false }}
      onCancel={onClose}
    >
      <Form
        groups={[['assets', ['assets']]]}
        metas={{ assets: { ...assetsField, label: text('assets') } }}
        fields={{ assets: { relation: { ...source, plain: true } } }}
        initial={{ assets: [] }}
        updating={false}
        submitText={t('confirm')}
        onSubmit={async ({ assets }) => {
          await api.put(`assets/nodes/${encodeURIComponent(nodeId(node))}/assets/${change}/`, { assets })
          toast.success(t('updateSuccess'))
          onClose()
          await Promise.all([
            client.invalidateQueries({ queryKey: queryKeys.resource(Asset.path) }),
            refresh(),
          ])
        }}
      />
    </Modal>
  )
}

function NodeInfoDialog({ node, onClose }: { node: TreeNode; onClose: () => void }) {
  const t = useKitText()
  const text = useMessages()
  const { data, error } = useDetail('assets/nodes/', nodeId(node))
  return (
    <Modal
      open
      title={text('nodeInformation')}
      footer={null}
      loading={!data && !error}
      closable={{ 'aria-label': t('close') }}
      onCancel={onClose}
    >
      {error ? (
        <p role="alert">{describeError(error, t)}</p>
      ) : (
        data && (
          <dl className={styles.facts}>
            <dt>ID</dt>
            <dd>{data.id}</dd>
            <dt>{t('name')}</dt>
            <dd>{String(data['value'])}</dd>
            <dt>{text('fullName')}</dt>
            <dd>{String(data['full_value'])}</dd>
          </dl>
        )
      )}
    </Modal>
  )
}
