import { Account } from '@sallyport/contract/resources/accounts'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { addressOf } from '../../../kit/api/call.ts'
import type { Choice } from '../../../kit/api/metadata.ts'
import type { RowId } from '../../../kit/api/resource.ts'
import { resourceForm } from '../../../kit/form/declare-form.ts'
import { assetField, assetSource } from '../sources.ts'

const AccountSecret = lazyPart(() => import('./account-secret.tsx'))

const superusers = new Set(['root', 'administrator'])

function privilegedBy(username: unknown): { privileged?: true } {
  return typeof username === 'string' && superusers.has(username.toLowerCase()) ? { privileged: true } : {}
}

const exists = ({ id }: { id?: unknown }) => id !== undefined

interface Surroundings {
  /** Chosen in the form itself when there is neither an asset nor a platform. */
  asksForAssets: boolean
  /** Kinds of secret the platform's protocols take; undefined: all. */
  secretTypes: readonly Choice[] | undefined
  /** The account or asset among whose accounts one may be switched from. */
  switchFrom: { account?: RowId; asset?: RowId } | undefined
}

/** The form of an account. The sign-in name follows the name until it is typed. */
export function accountForm({ asksForAssets, secretTypes, switchFrom }: Surroundings) {
  return resourceForm(Account, {
    groups: [
      ['assetsGroup', ['assets']],
      ['basic', ['name', 'username', 'privileged', 'su_from']],
      ['secretGroup', ['secret_type', 'secret', 'passphrase']],
      ['other', ['is_active', 'comment']],
    ],
    fields: {
      name: {
        consequences: (name, values) =>
          exists(values) || values.username_typed ? {} : { username: name, ...privilegedBy(name) },
      },
      username: {
        disabled: exists,
        consequences: (username) => ({ username_typed: true, ...privilegedBy(username) }),
      },
      su_from: {
        relation: {
          path: addressOf(Account, 'suFrom', {}),
          query: { ...switchFrom, fields_size: 'mini' },
          labelOf: (row) => `${String(row['name'])}(${String(row['username'])})`,
        },
        hidden: switchFrom === undefined,
      },
      secret_type: {
        ...(secretTypes && { choices: secretTypes }),
        consequences: () => ({ secret: '', passphrase: '' }),
      },
      secret: { widget: AccountSecret },
      passphrase: { hidden: (values) => values.secret_type !== 'ssh_key' },
    },
    own: {
      username_typed: 'unshown',
      assets: {
        widget: assetField.widget,
        label: 'assetsGroup',
        relation: { ...assetSource, plain: true },
        required: true,
        hidden: !asksForAssets,
        submit: true,
      },
    },
  })
}
