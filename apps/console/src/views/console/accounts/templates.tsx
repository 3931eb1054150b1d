import { AccountTemplate } from '@sallyport/contract/resources/account-templates'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import type { Action } from '../../../kit/actions/action.ts'
import { facts, quick } from '../../../kit/detail/parts.tsx'
import { screens } from '../../../kit/screens/screens.tsx'
import { Tick } from './tick.tsx'
import { templateForm } from './template-form.ts'

const SecretDialog = lazyPart(() => import('./secret-dialog.tsx'))

const viewSecret: Action<AccountTemplate> = {
  name: 'view',
  title: 'console:viewSecret',
  label: 'console:view',
  order: 1,
  permission: 'accounts.view_accounttemplatesecret',
  when: (template) => template.has_secret,
  dialog: (template, close) => <SecretDialog template={template} onClose={close} />,
}

export default screens(AccountTemplate, {
  list: {
    exclude: ['spec_info', 'id'],
    defaultColumns: ['name', 'username', 'secret_type', 'has_secret', 'privileged'],
    cells: {
      has_secret: { render: (row) => <Tick on={row.has_secret} /> },
      privileged: { render: (row) => <Tick on={row.privileged} /> },
    },
    can: { import: false, export: false },
    rowActions: [viewSecret],
  },
  form: templateForm,
  detail: {
    tabs: [
      {
        name: 'Detail',
        title: 'basicInformation',
        main: facts(AccountTemplate, {
          fields: [
            'id',
            'name',
            'username',
            'secret_type',
            'has_secret',
            'is_active',
            'created_by',
            'date_created',
            'date_updated',
            'comment',
          ],
        }),
        side: quick(AccountTemplate, {
          toggles: [{ field: 'privileged', title: 'console:privileged' }],
          actions: [viewSecret],
        }),
      },
    ],
  },
})
