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

/** What this person can do in a list: with the list, with ticked rows and with one row. */
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
  if (can.update !== false) {
    usual.push({
      name: 'update',
      title: t('update'),
      order: 10,
      disabled: (row) => rooted || !access.canDo('change', resource) || !allows(can.update, row),
      run: (row) => goTo(paths.update(row.id)),
    })
  }
  if (can.remove !== false) {
    usual.push({
      name: 'delete',
      title: t('delete'),
      order: 20,
      danger: true,
      disabled: (row) => rooted || !access.canDo('delete', resource) || !allows(can.remove, row),
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
  if (can.clone !== false && can.create !== false) {
    usual.push({
      name: 'clone',
      title: t('duplicate'),
      order: 30,
      disabled: rooted || !access.canDo('add', resource),
      run: (row) => goTo(paths.clone(row.id)),
    })
  }

  const bulk: BulkAction<R>[] = [...(spec.bulkActions ?? [])]
  if (can.bulkRemove !== false) {
    bulk.push({
      name: 'bulkDelete',
      title: t('deleteSelected'),
      danger: true,
      disabled: !access.canDo('delete', resource),
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
    create:
      can.create === false
        ? undefined
        : {
            allowed: !rooted && access.canDo('add', resource),
            rooted,
            run: spec.onCreate ?? (() => goTo(paths.create)),
          },
  }
}

function allows<R extends Row>(ability: boolean | ((row: R) => boolean) | undefined, row: R): boolean {
  return typeof ability === 'function' ? ability(row) : ability !== false
}

export type ListActions<R extends Row> = ReturnType<typeof useListActions<R>>
