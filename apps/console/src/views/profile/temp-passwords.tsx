import { TempToken } from '@sallyport/contract/resources/temp-tokens'
import type { Action } from '../../kit/actions/action.ts'
import { calling } from '../../kit/actions/calling.ts'
import { call } from '../../kit/api/call.ts'
import { ResourceList } from '../../kit/list/resource-list.tsx'
import { Page } from '../../kit/page/page.tsx'
import { useMessages } from '../../kit/text.ts'
import { SecretText } from '../../kit/values/secret-text.tsx'
import { useMake } from './use-make.ts'

const expire: Action<TempToken> = {
  ...calling(TempToken, 'expire'),
  title: 'profile:expire',
  danger: true,
  when: (token, { can }) => token.is_valid && can('authentication.change_temptoken'),
}

/** Passwords for one login within minutes, where one's own should not be typed. */
export default function TempPasswords() {
  const text = useMessages()
  const make = useMake(TempToken, () => call(TempToken, 'create', {}))
  return (
    <Page help={text('profile:tempPasswordsHelp')}>
      <ResourceList
        resource={TempToken}
        can={{ update: false, remove: false, clone: false, bulkRemove: false }}
        onCreate={make}
        detailTo={false}
        exclude={['id', 'verified', 'date_updated']}
        defaultColumns={['username', 'secret', 'date_expired', 'date_verified', 'is_valid']}
        minColumns={['username']}
        cells={{ secret: { sortable: false, render: ({ secret }) => <SecretText secret={secret} /> } }}
        rowActions={[expire]}
      />
    </Page>
  )
}
