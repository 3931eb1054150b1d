import { connectivities, secretTypes } from '../assets/types.ts'
import { answer, onList, onRow } from '../resource/calls.ts'
import { choices } from '../resource/choices.ts'
import {
  boolean,
  choice,
  computed,
  datetime,
  ids,
  integer,
  object,
  one,
  plainChoice,
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
/** What becomes of an account that is there already where one is added to many assets. */
export const accountsThere = choices('account_there', ['skip', 'update', 'error'])
/** What became of each of the assets an account was added to. */
export const accountOutcomes = choices('account_outcome', ['created', 'updated', 'skipped', 'error'])
/** Of one call. */
export const maxAssetsOfAccount = 5000
/** Accounts sent along with assets, of all assets of one call. */
export const maxAccountsSent = 5000
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

/** What is sent of an account, and never told. */
const accountSecrets = {
  secret: secret({ max: 40_960, nullable: true }),
  passphrase: secret({ max: 512, nullable: true }),
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
  order: ['-date_updated'],
  filters: accountFilters,
  mini: ['id', 'name', 'username'],
  small: ['id', 'name', 'username', 'secret_type', 'has_secret', 'privileged', 'is_active', 'spec_info'],
  fields: {
    ...accountFields,
    ...accountSecrets,
    /** `id` names an account template, whose secret is taken. */
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
    /**
     * One account on each of many assets: those named, and all below the nodes named. Of a template what is not sent is the template's.
     * Tells for each asset what became of it; `on_invalid` says what happens where such an account is there already.
     */
    addToMany: onList({
      method: 'POST',
      path: 'bulk',
      access: 'accounts.add_account',
      body: {
        assets: ids({ maxItems: maxAssetsOfAccount, default: [] }),
        nodes: ids({ maxItems: 100, default: [] }),
        template: uuid({ nullable: true }),
        on_invalid: plainChoice(accountsThere, { default: 'skip' }),
        name: text({ max: 128, nullable: true }),
        username: text({ max: 128 }),
        secret_type: plainChoice(secretTypes),
        privileged: boolean(),
        is_active: boolean(),
        comment: text(),
        ...accountSecrets,
      },
      answer: answer.list({
        asset: object({ id: uuid(), name: text(), address: text() }),
        state: choice(accountOutcomes),
        error: text({ nullable: true }),
        account: uuid({ nullable: true }),
      }),
      records: 'changes',
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
        history_user_name: text({ nullable: true }),
      }),
    }),
  },
})
export type AccountSecret = RowOf<typeof AccountSecret>
