import { useQueryClient } from '@tanstack/react-query'
import { User } from '@sallyport/contract/resources/users'
import { useAccess } from '../../../kit/access/access.ts'
import { api } from '../../../kit/api/client.ts'
import { selectionToken, useBulkUpdate } from '../../../kit/api/hooks.ts'
import { queryKeys } from '../../../kit/api/keys.ts'
import type { RowId } from '../../../kit/api/resource.ts'
import { ask } from '../../../kit/confirm/ask.ts'
import { useErrorToast } from '../../../kit/feedback/errors.ts'
import { toast } from '../../../kit/feedback/toast.ts'
import type { BulkAction } from '../../../kit/list/list-spec.ts'
import type { RowAction } from '../../../kit/list/row-actions.tsx'
import { useMessages } from '../../../kit/text.ts'

/** What can be done with people besides the usual: leave the organization, be switched on and off. */
export function useUserActions() {
  const text = useMessages()
  const client = useQueryClient()
  const access = useAccess()
  const showError = useErrorToast()
  const update = useBulkUpdate(User.path)
  const canRemove = access.hasLicence && !access.inRoot
  const mayRemove = access.can('users.remove_user')
  // In the root organization nothing is updated in bulk.
  const mayChange = !access.inRoot && access.canDo('change', User)

  const askToRemove = (names: string, work: () => Promise<unknown>) =>
    ask({
      title: text('removeFromOrg'),
      content: text('removeFromOrgConfirm', { name: names }),
      confirmText: text('removeFromOrg'),
      danger: true,
      onConfirm: async () => {
        await work()
        await client.invalidateQueries({ queryKey: queryKeys.resource(User.path) })
        toast.success(text('removed'))
      },
    })
  const switchAll = (ids: readonly RowId[], isActive: boolean) =>
    update.mutate(
      { ids, changes: { is_active: isActive } },
      { onSuccess: () => toast.success(text(isActive ? 'activated' : 'deactivated')), onError: showError },
    )

  const rowActions: RowAction[] = [
    {
      name: 'remove',
      title: text('removeFromOrg'),
      danger: true,
      hidden: !canRemove || !mayRemove,
      run: (row) => askToRemove(String(row['name']), () => api.post(`users/users/${row.id}/remove/`)),
    },
  ]
  const bulkActions: BulkAction[] = [
    {
      name: 'disable',
      title: text('disableSelected'),
      hidden: !mayChange,
      run: ({ ids }) => switchAll(ids, false),
    },
    {
      name: 'activate',
      title: text('activateSelected'),
      hidden: !mayChange,
      run: ({ ids }) => switchAll(ids, true),
    },
  ]
  if (canRemove && mayRemove) {
    bulkActions.push({
      name: 'remove',
      title: text('removeSelected'),
      danger: true,
      run: ({ ids, rows, clear }) =>
        askToRemove(rows.map((row) => String(row['name'])).join(', '), async () => {
          await api.post('users/users/remove/', undefined, { query: { spm: await selectionToken(ids) } })
          clear()
        }),
    })
  }
  return { rowActions, bulkActions }
}
