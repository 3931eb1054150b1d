import { useLocation, useNavigate } from 'react-router'
import { useAccess } from '../access/access.ts'
import { useBulkRemove, useRemove } from '../api/hooks.ts'
import type { Row } from '../api/resource.ts'
import { ask } from '../confirm/ask.ts'
import { toast } from '../feedback/toast.ts'
import { screenPaths } from '../screens/paths.ts'
import { useKitText } from '../text.ts'
import { nameOf } from '../values/name-of.ts'
import type { BulkAction, ListSpec } from './list-spec.ts'
import { orderedActions, type RowAction } from './row-actions.tsx'
import type { Selection } from './selection.ts'

/**
 * What this person can do in a list: with the list, with ticked rows and with one row. What he has no right to is not
 * offered; in the root organization, which takes nothing new, neither are create, update and clone.
 */
export function useListActions<R extends Row>(spec: ListSpec<R>, path: string, selection: Selection<R>) {
  const t = useKitText()
  const navigate = useNavigate()
  const location = useLocation()
  const access = useAccess()
  const remove = useRemove(path)
  const bulkRemove = useBulkRemove(path)
  const { resource, can = {} } = spec
  const paths = screenPaths(spec.base ?? location.pathname)
  const rooted = resource.scope === 'org' && access.inRoot
  // The form leads back to the list as it was left.
  const goTo = (to: string) => void navigate(to, { state: { backTo: location.pathname + location.search } })

  const usual: RowAction<R>[] = []
  const mayCreate = can.create !== false && !rooted && access.canDo('add', resource)
  if (can.update !== false && !rooted && access.canDo('change', resource)) {
    usual.push({
      name: 'update',
      title: t('update'),
      order: 10,
      disabled: (row) => !allows(can.update, row),
      run: (row) => goTo(paths.update(row.id)),
    })
  }
  if (can.remove !== false && access.canDo('delete', resource)) {
    usual.push({
      name: 'delete',
      title: t('delete'),
      order: 20,
      danger: true,
      disabled: (row) => rooted || !allows(can.remove, row),
      run: (row) =>
        ask({
          title: t('deleteTitle'),
          content: t('deleteConfirm', { name: nameOf(row) }),
          confirmText: t('delete'),
          danger: true,
          onConfirm: async () => {
            await remove.mutateAsync(row.id)
            selection.set([row], false)
            toast.success(t('deleteSuccess'))
          },
        }),
    })
  }
  if (can.clone !== false && mayCreate) {
    usual.push({
      name: 'clone',
      title: t('duplicate'),
      order: 30,
      run: (row) => goTo(paths.clone(row.id)),
    })
  }

  const bulk: BulkAction<R>[] = (spec.bulkActions ?? []).filter((action) => !action.hidden)
  if (can.bulkRemove !== false && access.canDo('delete', resource)) {
    bulk.push({
      name: 'bulkDelete',
      title: t('deleteSelected'),
      danger: true,
      run: ({ ids, clear }) =>
        ask({
          title: t('deleteTitle'),
          content: t('bulkDeleteConfirm', { count: ids.length }),
          confirmText: t('delete'),
          danger: true,
          onConfirm: async () => {
            await bulkRemove.mutateAsync(ids)
            clear()
            toast.success(t('bulkDeleteSuccess'))
          },
        }),
    })
  }

  return {
    paths,
    row: orderedActions([...usual, ...(spec.rowActions ?? [])]),
    bulk,
    create: mayCreate ? (spec.onCreate ?? (() => goTo(paths.create))) : undefined,
  }
}

function allows<R extends Row>(ability: boolean | ((row: R) => boolean) | undefined, row: R): boolean {
  return typeof ability === 'function' ? ability(row) : ability !== false
}

export type ListActions<R extends Row> = ReturnType<typeof useListActions<R>>
