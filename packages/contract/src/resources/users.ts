import { languages } from '../messages/language.ts'
import { choices } from '../resource/choices.ts'
import { answer, onList, onOne, onRow } from '../resource/calls.ts'
import {
  boolean,
  choice,
  computed,
  datetime,
  type Fields,
  ids,
  integer,
  many,
  phone,
  plainChoice,
  plainOne,
  secret,
  text,
  value,
} from '../resource/field.ts'
import { commented, created, identified, organized, resource, type RowOf } from '../resource/resource.ts'
import { singleton } from '../resource/singleton.ts'

export const mfaLevels = choices('mfa_level', [0, 1, 2])
/** Where a person's account comes from; decides who checks the password. */
export const userSources = choices('user_source', [
  'local',
  'ldap',
  'openid',
  'radius',
  'cas',
  'saml2',
  'oauth2',
  'custom',
])
export const passwordStrategies = choices('password_strategy', ['email', 'custom'])

const readingLanguages = choices('language', languages)

const roleNames = ['id', 'display_name'] as const
const orgRoleNames = ['id', 'display_name', 'name'] as const
const shortText = { max: 128, default: '' } as const
const externalId = { max: 128, nullable: true, readOnly: true } as const

/** What an account shows of itself, whoever looks. */
const account = {
  wechat: text(shortText),
  phone: phone({ nullable: true }),
  wecom_id: text(externalId),
  dingtalk_id: text(externalId),
  feishu_id: text(externalId),
  created_by: text({ max: 30, readOnly: true }),
  updated_by: text({ max: 30, readOnly: true }),
  comment: text({ nullable: true }),
  avatar_url: computed(text({ exported: false })),
  is_service_account: boolean({ readOnly: true }),
  is_valid: computed(boolean()),
  is_expired: computed(boolean()),
  is_otp_secret_key_bound: computed(boolean()),
  can_public_key_auth: computed(boolean()),
  mfa_enabled: computed(boolean()),
  mfa_force_enabled: computed(boolean()),
  login_blocked: computed(boolean()),
  date_joined: datetime({ readOnly: true }),
  last_login: datetime({ readOnly: true, nullable: true }),
  date_updated: datetime({ readOnly: true }),
  date_password_last_updated: datetime({ readOnly: true, nullable: true }),
}

const updating = { method: ['PATCH', 'PUT'], access: 'users.change_user', records: 'update' } as const

export const User = resource({
  app: 'users',
  model: 'user',
  path: 'users/users',
  scope: 'system',
  deletesNarrowed: true,
  order: ['name'],
  mini: ['id', 'name', 'username'],
  small: [
    'id',
    'name',
    'username',
    'password',
    'public_key',
    'email',
    'wechat',
    'phone',
    'mfa_level',
    'source',
    'wecom_id',
    'dingtalk_id',
    'feishu_id',
    'created_by',
    'updated_by',
    'comment',
  ],
  fields: {
    ...identified,
    name: text({ max: 128, required: true, filter: true, search: true }),
    username: text({ max: 128, required: true, filter: true, search: true }),
    email: text({ max: 128, required: true, pattern: 'email', filter: true, search: true }),
    password: secret({ max: 1024, nullable: true }),
    public_key: text({ max: 16_384, nullable: true, writeOnly: true, multiline: true }),
    mfa_level: choice(mfaLevels, { default: 0 }),
    source: choice(userSources, { default: 'local', filter: true }),
    ...account,
    groups: many('users.usergroup', ['id', 'name']),
    system_roles: many('rbac.systemrole', roleNames, {
      readPermission: 'rbac.view_systemrolebinding',
      writePermission: 'rbac.add_systemrolebinding',
    }),
    org_roles: many('rbac.orgrole', orgRoleNames, {
      readPermission: 'rbac.view_orgrolebinding',
      writePermission: 'rbac.add_orgrolebinding',
    }),
    password_strategy: choice(passwordStrategies, { default: 'email' }),
    is_active: boolean({ default: true, filter: true }),
    need_update_password: boolean({ default: false }),
    is_first_login: boolean({ readOnly: true }),
    date_expired: datetime({ nullable: true }),
  },
  filters: { system_roles: { kind: 'text' }, org_roles: { kind: 'text' } },
  calls: {
    /** The first few people found, in every organization the caller may see. */
    suggestions: onList({
      method: 'GET',
      path: 'suggestions',
      access: 'users.match_user',
      // Who they are: nobody finds out letter by letter what else is known of people, as their addresses.
      answer: answer.rowsOnly(['id', 'name', 'username']),
    }),
    /** Gives people these roles in the current organization instead of those they have there. */
    invite: onList({
      method: 'POST',
      path: 'invite',
      access: 'users.invite_user',
      body: { users: ids({ required: true }), org_roles: ids() },
      answer: answer.json<{
        users: string[]
        org_roles: { id: string; name: string; display_name: string }[]
      }>(),
      status: 201,
      records: 'update',
    }),
    /** Ends the membership in the current organization; in the view of all of them nothing happens. */
    remove: onRow({ method: 'POST', path: 'remove', access: 'users.remove_user', records: 'update' }),
    /** The same for everybody the list shows. */
    removeListed: onList({ method: 'POST', path: 'remove', access: 'users.remove_user', records: 'update' }),
    setPassword: onRow({
      ...updating,
      path: 'password',
      body: { password: secret({ max: 128, required: true }) },
      answer: answer.json<Record<string, never>>(),
    }),
    sendPasswordReset: onRow({ ...updating, path: 'password/reset', answer: answer.row }),
    resetPublicKey: onRow({ ...updating, path: 'pubkey/reset', answer: answer.row }),
    unblock: onRow({ ...updating, path: 'unblock', answer: answer.row }),
    /** A GET on the wire, although it writes. */
    resetMfa: onRow({
      ...updating,
      method: 'GET',
      isUnsafe: true,
      path: 'mfa/reset',
      answer: answer.json<{ msg: 'success' }>(),
    }),
  },
})
export type User = RowOf<typeof User>

/** An organization a person may choose in a view. */
export interface OfferedOrg {
  id: string
  name: string
  is_default: boolean
  is_root: boolean
}

const typed = () => secret({ max: 128, required: true })
const changing = { method: ['PUT', 'PATCH'], access: 'valid_user' } as const
/** What older clients look for before they show a form. */
const looking = { method: 'GET', access: 'valid_user' } as const
const nothing = answer.json<Record<string, never>>()
/** Answers nothing of them: a client is told what the form asks. */
const formOf = (fields: Fields) => answer.jsonAs<Record<string, never>>(fields)
const passwordForm = {
  old_password: secret({ max: 1024, required: true }),
  new_password: typed(),
  new_password_again: typed(),
} as const
const secretKeyForm = { new_secret_key: typed(), new_secret_key_again: typed() } as const
const keyParts = answer.object({ public_key_comment: text(), public_key_hash_md5: text() })

/** The caller's own account. */
export const Profile = singleton({
  app: 'users',
  model: 'profile',
  path: 'users/profile',
  access: { read: 'valid_user', update: 'valid_user' },
  fields: {
    id: computed(identified.id),
    name: text({ max: 128, readOnly: true }),
    username: text({ max: 128, readOnly: true }),
    email: text({ max: 128, pattern: 'email', readOnly: true }),
    public_key: text({ max: 2048, nullable: true, writeOnly: true, multiline: true }),
    mfa_level: choice(mfaLevels),
    source: computed(choice(userSources)),
    ...account,
    groups: computed(many('users.usergroup', ['id', 'name'])),
    system_roles: computed(many('rbac.systemrole', roleNames)),
    org_roles: computed(many('rbac.orgrole', orgRoleNames)),
    password_strategy: computed(choice(passwordStrategies)),
    public_key_comment: value<string>(),
    public_key_hash_md5: value<string>(),
    guide_url: value<string>(),
    receive_backends: value<string[]>(),
    /** Where the caller may go, by view; `perms` are those of the current organization. */
    console_orgs: value<OfferedOrg[]>(),
    audit_orgs: value<OfferedOrg[]>(),
    workbench_orgs: value<OfferedOrg[]>(),
    perms: value<string[]>(),
    is_active: boolean({ readOnly: true }),
    need_update_password: boolean({ readOnly: true }),
    is_first_login: boolean(),
    date_expired: datetime({ nullable: true, readOnly: true }),
    /** Which one's mail is written in; the one of the sign-in page until another is chosen. */
    language: plainChoice(readingLanguages, { nullable: true }),
  },
  calls: {
    passwordForm: onOne({ ...looking, path: 'password', answer: formOf(passwordForm) }),
    setPassword: onOne({
      ...changing,
      path: 'password',
      body: passwordForm,
      answer: nothing,
      records: 'changes',
    }),
    secretKeyForm: onOne({ ...looking, path: 'secret-key', answer: formOf(secretKeyForm) }),
    /** What files with one's secrets are encrypted with. */
    setSecretKey: onOne({
      ...changing,
      path: 'secret-key',
      body: secretKeyForm,
      answer: nothing,
      records: 'update',
    }),
    publicKey: onOne({ ...looking, path: 'public-key', answer: keyParts }),
    setPublicKey: onOne({
      ...changing,
      path: 'public-key',
      body: { public_key: text({ max: 2048, required: true, multiline: true }) },
      answer: keyParts,
      records: 'changes',
    }),
    /** Always refused: nobody resets their own here. */
    resetMfa: onOne({ ...looking, path: 'mfa/reset', access: 'users.view_user', answer: nothing }),
  },
})
export type Profile = RowOf<typeof Profile>

export const UserGroup = resource({
  app: 'users',
  model: 'usergroup',
  path: 'users/groups',
  scope: 'org',
  order: ['name'],
  mini: ['id', 'name'],
  small: ['id', 'name', 'comment', 'date_created', 'created_by'],
  fields: {
    ...identified,
    name: text({ max: 128, required: true, filter: true, search: true }),
    ...commented,
    users: many('users.user', ['id', 'name']),
    users_amount: computed(integer()),
    ...organized,
    ...created,
  },
})
export type UserGroup = RowOf<typeof UserGroup>

/** Who is in which group, one row each. */
export const UserGroupRelation = resource({
  app: 'users',
  model: 'usergrouprelation',
  path: 'users/users-groups-relations',
  scope: 'system',
  permission: 'usergroup',
  integerId: true,
  pair: ['user', 'usergroup'],
  order: ['id'],
  audited: false,
  fields: {
    id: computed(integer()),
    user: plainOne('users.user', { required: true, filter: true }),
    user_display: computed(text()),
    usergroup: plainOne('users.usergroup', { required: true, filter: true }),
    usergroup_display: computed(text()),
  },
})
export type UserGroupRelation = RowOf<typeof UserGroupRelation>
