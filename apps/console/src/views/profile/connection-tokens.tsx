import { ConnectionToken } from '@sallyport/contract/resources/authentication'
import { ResourceList } from '../../kit/list/resource-list.tsx'
import { Page } from '../../kit/page/page.tsx'
import type { Action } from '../../kit/actions/action.ts'
import { calling } from '../../kit/actions/calling.ts'
import { useMessages } from '../../kit/text.ts'

const expire: Action<ConnectionToken> = {
  ...calling(ConnectionToken, 'expire'),
  title: 'expire',
  danger: true,
  when: (token, { can }) => !token.is_expired && can('authentication.change_connectiontoken'),
  done: 'tokenExpired',
}

/** One's own permissions to open a connection, as long as they last, and an early end for them. */
export default function ConnectionTokens() {
  const text = useMessages()
  return (
    <Page help={text('connectionTokensHelp')}>
      <ResourceList
        resource={ConnectionToken}
        can="look"
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
        rowActions={[expire]}
      />
    </Page>
  )
}
