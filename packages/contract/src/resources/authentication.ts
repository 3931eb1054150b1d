import type { CreatedToken, TokenSecretTold } from '../gateway/grants.ts'
import { answer, onList, onRow, service } from '../resource/calls.ts'
import { choices } from '../resource/choices.ts'
import {
  boolean,
  computed,
  datetime,
  flags,
  integer,
  one,
  plainChoice,
  secret,
  text,
  uuid,
  value,
} from '../resource/field.ts'
import { identified, organized, resource, type RowOf } from '../resource/resource.ts'
import { permissionActions } from './permission-actions.ts'
import type { ReviewInfo } from './reviews.ts'

/** Signs requests of programs in its owner's name. The secret is shown once, in the answer to its creation. */
export const AccessKey = resource({
  app: 'authentication',
  model: 'accesskey',
  path: 'authentication/access-keys',
  scope: 'system',
  order: ['-date_created'],
  actions: ['list', 'retrieve', 'update', 'delete'],
  bulk: false,
  fields: {
    id: uuid({ readOnly: true, search: 'prefix' }),
    is_active: boolean({ default: true, filter: true }),
    date_created: datetime({ readOnly: true }),
  },
  calls: {
    /** Tells the secret, once: unlike the compatible system's, lists never show it. */
    create: onList({
      method: 'POST',
      path: '',
      access: 'authentication.add_accesskey',
      confirm: 'password',
      answer: answer.json<AccessKey & { secret: string }>(),
      status: 201,
      records: 'changes',
    }),
  },
})
export interface AccessKey {
  id: string
  is_active: boolean
  date_created: string
}

const shown = ['id', 'name'] as const
/** What is said of a connection that is wanted. */
const wanted = {
  account: text({ max: 128, required: true }),
  input_username: text({ max: 128, default: '' }),
  input_secret: secret({ max: 40_960, nullable: true }),
  connect_method: text({ max: 32, required: true }),
  protocol: text({ max: 16, default: 'ssh' }),
  asset: one('assets.asset', shown, { required: true }),
  is_active: boolean({ default: true }),
}
const named = { id: uuid({ required: true }) }
/** Where a rule wants the connection approved, a ticket is opened, and the token is good from its approval on; without it, `acl_review`. */
const reviewing = { create_ticket: boolean() }
const tokenFields = {
  ...identified,
  ...wanted,
  actions: computed(flags(permissionActions)),
  from_ticket: value<string | null>(),
  /** Of a token that waits for an approval; else empty. */
  from_ticket_info: value<ReviewInfo | Record<string, never>>(),
  expire_time: computed(integer()),
  user_display: text({ max: 128, readOnly: true, filter: true, search: true }),
  asset_display: text({ max: 128, readOnly: true, filter: true, search: true }),
  created_by: text({ max: 128, readOnly: true }),
  updated_by: text({ max: 128, readOnly: true }),
  ...organized,
  is_expired: computed(boolean()),
  date_expired: datetime({ readOnly: true }),
  date_created: datetime({ readOnly: true }),
  date_updated: datetime({ readOnly: true }),
}

const shortLived = { unrecorded: 'A token lives for minutes; the session that begins with it is recorded.' }

/** One person's permission to open one connection, for five minutes. */
export const ConnectionToken = resource({
  app: 'authentication',
  model: 'connectiontoken',
  path: 'authentication/connection-token',
  alias: 'users/connection-token',
  scope: 'system',
  order: ['-date_expired'],
  actions: ['list', 'retrieve'],
  bulk: false,
  audited: false,
  fields: {
    ...tokenFields,
    /** With the id it opens the connection, so lists do not tell it. */
    value: text({ max: 64, readOnly: true, show: 'detail' }),
    user: computed(one('users.user', shown)),
  },
  calls: {
    create: onList({
      method: 'POST',
      path: '',
      access: 'authentication.add_connectiontoken',
      query: reviewing,
      body: wanted,
      answer: answer.row,
      status: 201,
      records: shortLived,
    }),
    expire: onRow({
      method: 'PATCH',
      path: 'expire',
      access: 'authentication.change_connectiontoken',
      records: shortLived,
    }),
    /** A new one instead of one of the caller's own, used up or not, to connect again. */
    exchange: onList({
      method: 'POST',
      path: 'exchange',
      access: 'authentication.add_connectiontoken',
      body: named,
      answer: answer.row,
      status: 201,
      records: shortLived,
    }),
    /** What the desktop helper of the compatible system opens. */
    clientUrl: onRow({
      method: ['GET', 'POST'],
      path: 'client-url',
      access: 'authentication.add_connectiontoken',
      answer: answer.object({ url: text() }),
      records: { unrecorded: 'It only tells how to connect.' },
    }),
  },
})
export type ConnectionToken = RowOf<typeof ConnectionToken>

/** The same, as a gateway asks for it in the name of a person. Nobody is shown the value of somebody else's token. */
export const SuperConnectionToken = resource({
  app: 'authentication',
  model: 'superconnectiontoken',
  path: 'authentication/super-connection-token',
  scope: 'org',
  order: ['-date_expired'],
  actions: ['list', 'retrieve'],
  bulk: false,
  audited: false,
  fields: { ...tokenFields, user: one('users.user', shown, { required: true }) },
  // Only components: a person, however powerful, does not connect as somebody else or read secrets without confirming.
  calls: {
    create: onList({
      method: 'POST',
      path: '',
      access: 'component',
      query: reviewing,
      body: { ...wanted, user: one('users.user', shown, { required: true }) },
      answer: answer.json<CreatedToken>(),
      status: 201,
      records: shortLived,
    }),
    renew: onList({
      method: 'PATCH',
      path: 'renewal',
      access: 'component',
      body: named,
      answer: answer.object({ ok: boolean(), msg: text() }),
      records: shortLived,
    }),
    /** Whose a usable token is. Uses nothing up. */
    owner: onList({
      method: 'GET',
      path: 'owner',
      access: 'component',
      query: named,
      answer: answer.object({ username: text() }),
    }),
    /** Everything it takes to connect, for a token that is used up by it: with `value`, only where that is the token's. */
    take: onList({
      method: 'POST',
      path: 'secret',
      access: 'component',
      body: { ...named, value: text({ max: 64 }) },
      answer: answer.json<TokenSecretTold>(),
      records: shortLived,
    }),
  },
})
export type SuperConnectionToken = RowOf<typeof SuperConnectionToken>

export const confirmTypes = choices('confirm_type', ['relogin', 'password', 'mfa'])
/** How somebody can say again who they are; `content` lists ways where there are several. */
export interface ConfirmChallenge {
  confirm_type: 'relogin' | 'password' | 'mfa'
  content: { name: string; display_name: string; disabled: boolean; placeholder: string }[] | ''
}
const confirmType = plainChoice(confirmTypes)

/** Asking people again who they are before something sensitive. */
export const Confirm = service({
  app: 'authentication',
  model: 'confirm',
  path: 'authentication',
  calls: {
    challenge: onList({
      method: 'GET',
      path: 'confirm',
      access: 'valid_user',
      query: { confirm_type: confirmType },
      answer: answer.json<ConfirmChallenge>(),
    }),
    confirm: onList({
      method: 'POST',
      path: 'confirm',
      access: 'valid_user',
      body: {
        confirm_type: plainChoice(confirmTypes, { required: true }),
        mfa_type: text({ max: 32 }),
        secret_key: secret({ max: 1024 }),
      },
      answer: answer.json<'ok'>(),
      records: {
        unrecorded: 'It changes how sure the platform is of the caller; wrong answers are counted.',
      },
    }),
    /** Whether signing in was lately enough. */
    relogin: onList({
      method: 'GET',
      path: 'confirm-oauth',
      access: 'valid_user',
      confirm: 'relogin',
      answer: answer.json<'ok'>(),
    }),
  },
})

/** How gateways and other components get an account of their own. */
export const ServiceAccount = service({
  app: 'users',
  model: 'serviceaccount',
  path: 'users/service-account-registrations',
  calls: {
    register: onList({
      method: 'POST',
      path: '',
      access: 'bootstrap',
      body: { name: text({ max: 128, required: true }), comment: text({ max: 4096, multiline: true }) },
      answer: answer.json<{
        id: string
        name: string
        comment: string
        access_key: AccessKey & { secret: string }
      }>(),
      status: 201,
      records: 'changes',
    }),
  },
})
