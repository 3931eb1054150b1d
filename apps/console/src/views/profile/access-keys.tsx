import { AccessKey } from '@sallyport/contract/resources/authentication'
import type { Action } from '../../kit/actions/action.ts'
import { openDialog } from '../../kit/actions/open-dialog.tsx'
import { call } from '../../kit/api/call.ts'
import { api } from '../../kit/api/client.ts'
import { detailPath } from '../../kit/api/resource.ts'
import { withConfirmation } from '../../kit/confirm/step-up.ts'
import { ResourceList } from '../../kit/list/resource-list.tsx'
import { Page } from '../../kit/page/page.tsx'
import { useMessages } from '../../kit/text.ts'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { useMake } from './use-make.ts'

const toggle: Action<AccessKey> = {
  name: 'toggle',
  title: (key) => (key.is_active ? 'kit:disable' : 'activate'),
  permission: 'authentication.change_accesskey',
  // Switching one on again makes it as good as a new one: the server asks for a confirmation.
  call: (keys) =>
    Promise.all(
      keys.map((key) =>
        withConfirmation(() => api.patch(detailPath(AccessKey.path, key.id), { is_active: !key.is_active })),
      ),
    ),
}

/** One's own keys that sign requests of programs. What a key signs with is shown once, when it is made. */
export default function AccessKeys() {
  const text = useMessages()
  const make = useMake(
    AccessKey,
    () => call(AccessKey, 'create', {}),
    (made) => openDialog((close) => <NewKeyDialog made={made} onClose={close} />),
  )
  return (
    <Page help={text('profile:accessKeysHelp')}>
      <ResourceList
        resource={AccessKey}
        can={{ update: false, clone: false, bulkRemove: false, import: false, export: false }}
        onCreate={make}
        detailTo={false}
        defaultColumns={['id', 'is_active', 'date_created']}
        minColumns={['id']}
        rowActions={[toggle]}
      />
    </Page>
  )
}
