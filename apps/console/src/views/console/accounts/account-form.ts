import { Account } from '@sallyport/contract/resources/accounts'
import type { PermissionName } from '@sallyport/contract/rbac/permissions'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { addressOf } from '../../../kit/api/call.ts'
import type { Choice } from '../../../kit/api/metadata.ts'
import type { RowId } from '../../../kit/api/resource.ts'
import { resourceForm } from '../../../kit/form/declare-form.ts'
import { assetField, assetSource, nodeSource, templateSource } from '../sources.ts'
import { superuserBy } from './superusers.ts'

const AccountSecret = lazyPart(() => import('./account-secret.tsx'))

const exists = ({ id }: { id?: unknown }) => id !== undefined
const viewTemplates: PermissionName = 'accounts.view_accounttemplate'

interface Surroundings {
  /** Chosen in the form itself when there is neither an asset nor a platform. */
  asksForAssets: boolean
  /** Made of a template, where one is chosen. */
  asksForTemplate: boolean
  /** Kinds of secret the platform's protocols take; undefined: all. */
  secretTypes: readonly Choice[] | undefined
  /** Names of these protocols; undefined: any. */
  protocols: readonly string[] | undefined
  /** The account or asset among whose accounts one may be switched from. */
  switchFrom: { account?: RowId; asset?: RowId } | undefined
  /** What becomes of accounts that are there already. */
  ofThose: readonly Choice[]
}

/** The form of an account. The sign-in name follows the name until it is typed; of a template all of it is the template's. */
export function accountForm(surroundings: Surroundings) {
  const { asksForAssets, asksForTemplate, secretTypes, protocols, switchFrom, ofThose } = surroundings
  const isOfTemplate = ({ from_template }: { from_template?: unknown }) => Boolean(from_template)
  return resourceForm(Account, {
    groups: [
      ['console:assetsGroup', ['assets', 'nodes', 'on_invalid']],
      ['console:accountTemplateGroup', ['from_template']],
      ['basic', ['name', 'username', 'privileged', 'su_from']],
      ['console:secretGroup', ['secret_type', 'secret', 'passphrase']],
      ['other', ['is_active', 'comment']],
    ],
    fields: {
      name: {
        hidden: isOfTemplate,
        consequences: (name, values) =>
          exists(values) || values.username_typed ? {} : { username: name, ...superuserBy(name, values) },
      },
      username: {
        disabled: exists,
        hidden: isOfTemplate,
        consequences: (username, values) => ({ username_typed: true, ...superuserBy(username, values) }),
      },
      privileged: { hidden: isOfTemplate, consequences: () => ({ privileged_by_name: false }) },
      su_from: {
        relation: {
          path: addressOf(Account, 'suFrom', {}),
          query: { ...switchFrom, fields_size: 'mini' },
          labelOf: (row) => `${String(row['name'])}(${String(row['username'])})`,
          plain: true,
        },
        hidden: (values) => switchFrom === undefined || isOfTemplate(values),
      },
      secret_type: {
        ...(secretTypes && { choices: secretTypes }),
        widget: 'radio',
        hidden: isOfTemplate,
        consequences: () => ({ secret: '', passphrase: '' }),
      },
      secret: { widget: AccountSecret, hidden: isOfTemplate },
      passphrase: { hidden: (values) => values.secret_type !== 'ssh_key' || isOfTemplate(values) },
      is_active: { hidden: isOfTemplate },
      comment: { hidden: isOfTemplate },
    },
    own: {
      username_typed: 'unshown',
      privileged_by_name: 'unshown',
      from_template: {
        widget: 'relation',
        label: 'console:accountTemplateGroup',
        help: 'console:accountTemplateHelp',
        relation: templateSource(protocols),
        hidden: (_values, { access }) => !asksForTemplate || !access.can(viewTemplates),
        submit: true,
      },
      assets: {
        widget: assetField.widget,
        label: 'console:assetsGroup',
        relation: { ...assetSource, plain: true },
        required: ({ nodes }) => !Array.isArray(nodes) || nodes.length === 0,
        hidden: !asksForAssets,
        submit: true,
      },
      nodes: {
        widget: 'relations',
        label: 'console:nodesOfAccounts',
        help: 'console:nodesOfAccountsHelp',
        relation: { ...nodeSource, plain: true },
        hidden: !asksForAssets,
        submit: true,
      },
      on_invalid: {
        widget: 'radio',
        label: 'console:accountThere',
        choices: ofThose,
        initial: 'skip',
        hidden: !asksForAssets,
        submit: true,
      },
    },
  })
}
