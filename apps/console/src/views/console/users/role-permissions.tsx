import type { OrgRole, SystemRole } from '@sallyport/contract/resources/rbac'
import { OrgRole as OrgRoles, SystemRole as SystemRoles } from '@sallyport/contract/resources/rbac'
import { useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useMemo, useState } from 'react'
import { useAccess } from '../../../kit/access/access.ts'
import { call } from '../../../kit/api/call.ts'
import { useSave } from '../../../kit/api/hooks.ts'
import { queryKeys } from '../../../kit/api/keys.ts'
import { Card } from '../../../kit/detail/card.tsx'
import { describeError, useErrorToast } from '../../../kit/feedback/errors.ts'
import { toast } from '../../../kit/feedback/toast.ts'
import { Skeleton } from '../../../kit/page/skeleton.tsx'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { checkStates } from '../../../kit/tree/tree-checks.ts'
import { levelsOf, type TreeNode } from '../../../kit/tree/tree-node.ts'
import { treeOf } from '../../../kit/tree/tree-source.ts'
import { TreeView } from '../../../kit/tree/tree-view.tsx'
import { useTree } from '../../../kit/tree/use-tree.ts'
import { useUnsaved } from '../../../kit/unsaved/unsaved.ts'
import { permissionsOf, withoutTicked, withTicked } from './permission-rules.ts'

type AnyRole = SystemRole | OrgRole

/** What a role may, as a tree with ticks; saved as a whole. */
export default function RolePermissions({ role }: { role: AnyRole }) {
  const t = useKitText()
  const text = useMessages()
  const resource = role.scope.value === 'system' ? SystemRoles : OrgRoles
  const tree = useQuery({
    queryKey: [...queryKeys.detail(resource.path, role.id), 'permissions'],
    queryFn: ({ signal }) => call(resource, 'permissionTree', { id: role.id }, { signal }),
  })
  if (tree.error) return <Card title={text('permissions')}>{describeError(tree.error, t)}</Card>
  if (!tree.data) {
    return (
      <Card title={text('permissions')}>
        <Skeleton />
      </Card>
    )
  }
  return <PermissionTree key={tree.dataUpdatedAt} role={role} nodes={tree.data} />
}

const counted = /\(\d+\/\d+\)$/u

function PermissionTree({ role, nodes }: { role: AnyRole; nodes: readonly TreeNode[] }) {
  const t = useKitText()
  const text = useMessages()
  const showError = useErrorToast()
  const { canDo } = useAccess()
  const resource = role.scope.value === 'system' ? SystemRoles : OrgRoles
  const save = useSave(resource.path)
  const leaves = useMemo(() => nodes.filter(({ isParent }) => !isParent), [nodes])
  const known = useMemo(() => permissionsOf(nodes), [nodes])
  const stored = useMemo(
    () => new Set(leaves.filter((node) => 'checked' in node && node.checked === true).map(({ id }) => id)),
    [leaves],
  )
  const [ticked, setTicked] = useState<ReadonlySet<string>>(stored)
  const [search, setSearch] = useState('')
  const isChanged = ticked.size !== stored.size || [...ticked].some((id) => !stored.has(id))
  useUnsaved(isChanged)
  const mayChange = canDo('change', resource) && !role.builtin
  const levels = useMemo(() => levelsOf(nodes), [nodes])
  const states = useMemo(() => checkStates(levels, ticked), [levels, ticked])
  const below = useMemo(() => leavesBelow(nodes), [nodes])
  const tree = useTree(
    useMemo(() => treeOf(nodes), [nodes]),
    search.trim(),
  )
  const named = useNames(nodes, below, ticked)
  const visible = tree.visible.map((item) => ({ ...item, node: named.get(item.node.id) ?? item.node }))
  const toggle = (id: string) => {
    const ids = below.get(id) ?? [id]
    setTicked(states.get(id) === 'on' ? withoutTicked(known, ticked, ids) : withTicked(known, ticked, ids))
  }
  const store = async () => {
    try {
      const permissions = leaves.filter(({ id }) => ticked.has(id)).map(({ id }) => Number(id))
      await save.mutateAsync({ id: role.id, method: 'PATCH', values: { permissions } })
      toast.success(t('updateSuccess'))
    } catch (error) {
      showError(error)
    }
  }
  return (
    <Card
      title={text('permissions')}
      extra={
        <Button
          type="primary"
          size="small"
          loading={save.isPending}
          disabled={!mayChange || !isChanged}
          onClick={() => void store()}
        >
          {t('update')}
        </Button>
      }
    >
      <Input.Search
        allowClear
        size="small"
        maxLength={128}
        aria-label={t('search')}
        placeholder={t('search')}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <TreeView
        label={text('permissions')}
        tree={{ ...tree, visible }}
        checks={{ stateOf: (id) => states.get(id) ?? 'off', toggle }}
        disabled={!mayChange}
      />
    </Card>
  )
}

/** The leaves below each node that has any. */
function leavesBelow(nodes: readonly TreeNode[]): ReadonlyMap<string, readonly string[]> {
  const parents = new Map(nodes.map(({ id, pId }) => [id, pId]))
  const below = new Map<string, string[]>()
  for (const { id, isParent } of nodes) {
    if (isParent) continue
    const path = new Set<string>()
    for (let at = parents.get(id); at !== undefined && at !== '' && !path.has(at); at = parents.get(at)) {
      path.add(at)
      below.set(at, [...(below.get(at) ?? []), id])
    }
  }
  return below
}

/** Nodes with others below them by their names and how many of those are ticked now. */
function useNames(
  nodes: readonly TreeNode[],
  below: ReadonlyMap<string, readonly string[]>,
  ticked: ReadonlySet<string>,
): ReadonlyMap<string, TreeNode> {
  return useMemo(
    () =>
      new Map(
        nodes
          .filter(({ id }) => below.has(id))
          .map((node) => {
            const all = below.get(node.id) ?? []
            const checked = all.filter((id) => ticked.has(id)).length
            const name = `${node.name.replace(counted, '')}(${checked}/${all.length})`
            return [node.id, name === node.name ? node : { ...node, name }]
          }),
      ),
    [nodes, below, ticked],
  )
}
