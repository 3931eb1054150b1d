import { ConnectionToken } from '@sallyport/contract/resources/authentication'
import { Components } from '@sallyport/contract/resources/components'
import { useQuery } from '@tanstack/react-query'
import { ResourceList } from '../../kit/list/resource-list.tsx'
import { Page } from '../../kit/page/page.tsx'
import type { Action } from '../../kit/actions/action.ts'
import { calling } from '../../kit/actions/calling.ts'
import { call } from '../../kit/api/call.ts'
import { useMessages } from '../../kit/text.ts'

const expire: Action<ConnectionToken> = {
  ...calling(ConnectionToken, 'expire'),
  title: 'profile:expire',
  danger: true,
  when: (token, { can }) => !token.is_expired && can('authentication.change_connectiontoken'),
  done: 'profile:tokenExpired',
}

/** A way to connect as it is called where it is chosen. */
function ConnectMethod({ method }: { method: string }) {
  const { data = {} } = useQuery({
    queryKey: ['connect-methods'],
    queryFn: ({ signal }) => call(Components, 'connectMethods', {}, { signal }),
  })
  return (
    Object.values(data)
      .flat()
      .find(({ value }) => value === method)?.label ?? method
  )
}

/** One's own permissions to open a connection, as long as they last, and an early end for them. */
export default function ConnectionTokens() {
  const text = useMessages()
  return (
    <Page help={text('profile:connectionTokensHelp')}>
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
        cells={{ connect_method: { render: (token) => <ConnectMethod method={token.connect_method} /> } }}
        rowActions={[expire]}
      />
    </Page>
  )
}
