import { connectivities, secretTypes } from '../assets/types.ts'
import { answer, onList, onRow } from '../resource/calls.ts'
import { choices } from '../resource/choices.ts'
import {
  boolean,
  choice,
  computed,
  datetime,
  integer,
  object,
  one,
  secret,
  text,
  uuid,
} from '../resource/field.ts'
import {
  active,
  commented,
  created,
  type Filter,
  organized,
  resource,
  type RowOf,
  updated,
} from '../resource/resource.ts'

export const accountSources = choices('account_source', ['local', 'collected'])
/** Entries of a grant's account list that are no usernames. */
export const accountAliases = { all: '@ALL', input: '@INPUT', user: '@USER', spec: '@SPEC' } as const

const accountFields = {
  /** Sent with a new account, it names the one whose secret is copied; the new one gets an id of its own. */
  id: uuid({ createOnly: true, filter: true }),
  name: text({ max: 128, required: true, nullable: true }),
  username: text({ max: 128, createOnly: true, default: '', filter: true }),
  secret_type: choice(secretTypes, { required: true, default: 'password' }),
  spec_info: object({ ssh_key_fingerprint: text({ max: 128 }) }, { readOnly: true }),
  su_from: one('accounts.account', ['id', 'name', 'username'], { nullable: true }),
  asset: one('assets.asset', ['id', 'name', 'address', 'type', 'category', 'platform', 'auto_info'], {
    required: true,
    nested: true,
  }),
  version: integer({ readOnly: true }),
  source: choice(accountSources, { readOnly: true }),
  connectivity: choice(connectivities, { readOnly: true }),
  date_verified: datetime({ readOnly: true, nullable: true }),
  /** Why the last test of it failed. */
  connectivity_reason: computed(text({ order: false })),
  ...commented,
  ...organized,
  has_secret: computed(boolean()),
  privileged: boolean({ default: false }),
  ...active,
  ...created,
  ...updated,
}

const text1 = { kind: 'text' } as const satisfies Filter
const uuid1 = { kind: 'uuid' } as const satisfies Filter
const accountFilters = {
  asset_id: uuid1,
  asset: uuid1,
  assets: uuid1,
  address: text1,
  hostname: text1,
  ip: text1,
  nodes: text1,
  node_id: text1,
  has_secret: { kind: 'boolean' },
  platform: { kind: 'integer' },
  category: text1,
  type: text1,
} as const

export const Account = resource({
  app: 'accounts',
  model: 'account',
  path: 'accounts/accounts',
  scope: 'org',
  within: 'asset',
  order: ['name'],
  filters: accountFilters,
  mini: ['id', 'name', 'username'],
  small: ['id', 'name', 'username', 'secret_type', 'has_secret', 'privileged', 'is_active', 'spec_info'],
  fields: {
    ...accountFields,
    secret: secret({ max: 40_960, nullable: true }),
    passphrase: secret({ max: 512, nullable: true }),
    template: boolean({ writeOnly: true, default: false }),
    push_now: boolean({ writeOnly: true, default: false }),
  },
  calls: {
    /** Accounts one can switch from: of the same asset as that account, or of that asset. */
    suFrom: onList({
      method: 'GET',
      path: 'su-from-accounts',
      access: 'accounts.view_account',
      query: { account: uuid(), asset: uuid() },
      answer: answer.rows,
    }),
    /** At most ten usernames in use that contain the text, of all assets or those listed (ids, with commas). */
    usernames: onList({
      method: 'GET',
      path: 'username-suggestions',
      access: 'accounts.view_account',
      query: { username: text({ max: 128 }), assets: text({ max: 40_000 }) },
      answer: answer.json<string[]>(),
    }),
  },
})
export type Account = RowOf<typeof Account>

const opening = {
  method: 'GET',
  access: 'accounts.view_accountsecret',
  confirm: 'mfa',
  records: 'changes',
} as const

/** Accounts with what they open; read after a confirmation, and each reading is recorded. */
export const AccountSecret = resource({
  app: 'accounts',
  model: 'accountsecret',
  path: 'accounts/account-secrets',
  scope: 'org',
  order: ['name'],
  bulk: false,
  actions: ['list', 'retrieve'],
  filters: accountFilters,
  mini: ['id', 'name', 'username'],
  fields: { ...accountFields, secret: text({ readOnly: true, max: 40_960, nullable: true, order: false }) },
  calls: {
    /** Told of all at once: an export of accounts. */
    open: onList({ ...opening, path: '', answer: answer.rows }),
    openOne: onRow({ ...opening, path: '', answer: answer.row }),
    /** What opened it before, newest first. */
    histories: onRow({
      ...opening,
      path: 'histories',
      answer: answer.list({
        id: uuid(),
        secret: text({ nullable: true }),
        secret_type: choice(secretTypes),
        version: integer(),
        history_date: datetime(),
        history_user: uuid({ nullable: true }),
      }),
    }),
  },
})
export type AccountSecret = RowOf<typeof AccountSecret>
