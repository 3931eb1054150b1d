/** What many accounts have in common: kept once, and copied into accounts when they are made. */
import { secretTypes } from '../assets/types.ts'
import { answer, onList, onRow } from '../resource/calls.ts'
import { boolean, choice, computed, object, secret, text } from '../resource/field.ts'
import {
  active,
  commented,
  created,
  identified,
  organized,
  resource,
  type RowOf,
  updated,
} from '../resource/resource.ts'

const templateFields = {
  ...identified,
  name: text({ max: 128, required: true, filter: true, search: true }),
  username: text({ max: 128, default: '', filter: true, search: true }),
  secret_type: choice(secretTypes, { required: true, default: 'password' }),
  spec_info: object({ ssh_key_fingerprint: text({ max: 128 }) }, { readOnly: true }),
  has_secret: computed(boolean()),
  privileged: boolean({ default: false }),
  ...active,
  ...commented,
  ...organized,
  ...created,
  ...updated,
}
/** Names of protocols, with commas: templates any of them can use. */
const filters = { protocols: { kind: 'text' } } as const

export const AccountTemplate = resource({
  app: 'accounts',
  model: 'accounttemplate',
  path: 'accounts/account-templates',
  scope: 'org',
  order: ['name'],
  filters,
  mini: ['id', 'name', 'username'],
  small: ['id', 'name', 'username', 'secret_type', 'has_secret', 'privileged', 'is_active', 'spec_info'],
  fields: {
    ...templateFields,
    secret: secret({ max: 40_960, nullable: true }),
    passphrase: secret({ max: 512, nullable: true }),
  },
})
export type AccountTemplate = RowOf<typeof AccountTemplate>

const opening = {
  method: 'GET',
  access: 'accounts.view_accounttemplatesecret',
  confirm: 'mfa',
  records: 'changes',
} as const

/** Templates with their secrets; read after a confirmation, and each reading is recorded. */
export const AccountTemplateSecret = resource({
  app: 'accounts',
  model: 'accounttemplatesecret',
  path: 'accounts/account-template-secrets',
  scope: 'org',
  order: ['name'],
  bulk: false,
  actions: ['list', 'retrieve'],
  filters,
  mini: ['id', 'name', 'username'],
  fields: { ...templateFields, secret: text({ readOnly: true, max: 40_960, nullable: true, order: false }) },
  calls: {
    open: onList({ ...opening, path: '', answer: answer.rows }),
    openOne: onRow({ ...opening, path: '', answer: answer.row }),
  },
})
export type AccountTemplateSecret = RowOf<typeof AccountTemplateSecret>
