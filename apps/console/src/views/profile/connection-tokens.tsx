import { ConnectionToken } from '@sallyport/contract/resources/authentication'
import { useQueryClient } from '@tanstack/react-query'
import { useAccess } from '../../kit/access/access.ts'
import { api } from '../../kit/api/client.ts'
import { queryKeys } from '../../kit/api/keys.ts'
import { detailPath, type Row } from '../../kit/api/resource.ts'
import { toast } from '../../kit/feedback/toast.ts'
import { useErrorToast } from '../../kit/feedback/errors.ts'
import { ResourceList } from '../../kit/list/resource-list.tsx'
import { Page } from '../../kit/page/page.tsx'
import { useMessages } from '../../kit/text.ts'

const listed = { create: false, update: false, remove: false, clone: false, bulkRemove: false } as const

/** One's own permissions to open a connection, as long as they last, and an early end for them. */
export default function ConnectionTokens() {
  const text = useMessages()
  const { can } = useAccess()
  const client = useQueryClient()
  const showError = useErrorToast()
  const expire = async (row: Row) => {
    try {
      await api.patch(`${detailPath(ConnectionToken.path, row.id)}expire/`)
      toast.success(text('tokenExpired'))
      await client.invalidateQueries({ queryKey: queryKeys.resource(ConnectionToken.path) })
    } catch (error) {
      showError(error)
    }
  }
  return (
    <Page help={text('connectionTokensHelp')}>
      <ResourceList
        resource={ConnectionToken}
        can={listed}
        detailTo={false}
        exclude={['value']}
        defaultColumns={[
          'id',
          'asset',
          'account',
          'protocol',
          'connect_method',
          'date_created',
          'date_expired',
        ]}
        minColumns={['id']}
        rowActions={[
          {
            name: 'expire',
            title: text('expire'),
            danger: true,
            disabled: (row) => row['is_expired'] === true || !can('authentication.change_connectiontoken'),
            run: (row) => void expire(row),
          },
        ]}
      />
    </Page>
  )
}
