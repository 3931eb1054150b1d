import { AccountTemplate } from '@sallyport/contract/resources/account-templates'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { resourceForm } from '../../../kit/form/declare-form.ts'
import { superuserBy } from './superusers.ts'

const AccountSecret = lazyPart(() => import('./account-secret.tsx'))

/** The form of a template, on its own screen and in dialogs. */
export const templateForm = resourceForm(AccountTemplate, {
  groups: [
    ['basic', ['name', 'username', 'privileged']],
    ['console:secretGroup', ['secret_type', 'secret', 'passphrase']],
    ['other', ['comment']],
  ],
  fields: {
    username: { consequences: superuserBy },
    privileged: { consequences: () => ({ privileged_by_name: false }) },
    secret_type: { widget: 'radio', consequences: () => ({ secret: '', passphrase: '' }) },
    secret: { widget: AccountSecret },
    passphrase: { hidden: (values) => values.secret_type !== 'ssh_key' },
  },
  own: { privileged_by_name: 'unshown' },
})
