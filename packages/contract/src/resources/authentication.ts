import {
  boolean,
  computed,
  datetime,
  flags,
  integer,
  one,
  secret,
  text,
  uuid,
  value,
} from '../resource/field.ts'
import { identified, organized, resource, type RowOf } from '../resource/resource.ts'
import { permissionActions } from './permission-actions.ts'

/** Signs requests of programs in its owner's name. The secret is shown once, in the answer to its creation. */
export const AccessKey = resource({
  app: 'authentication',
  model: 'accesskey',
  path: 'authentication/access-keys',
  scope: 'system',
  order: ['-date_created'],
  bulk: false,
  fields: {
    id: uuid({ readOnly: true, search: 'prefix' }),
    is_active: boolean({ default: true, filter: true }),
    date_created: datetime({ readOnly: true, order: true }),
  },
})
export type AccessKey = RowOf<typeof AccessKey>

const shown = ['id', 'name'] as const
const tokenFields = {
  ...identified,
  account: text({ max: 128, required: true }),
  input_username: text({ max: 128, default: '' }),
  input_secret: secret({ max: 40_960, nullable: true }),
  connect_method: text({ max: 32, required: true }),
  protocol: text({ max: 16, default: 'ssh' }),
  actions: computed(flags(permissionActions)),
  from_ticket: value<string | null>(),
  from_ticket_info: value<Record<string, unknown>>(),
  expire_time: computed(integer()),
  user_display: text({ max: 128, readOnly: true, filter: true, search: true }),
  asset_display: text({ max: 128, readOnly: true, filter: true, search: true }),
  created_by: text({ max: 128, readOnly: true }),
  updated_by: text({ max: 128, readOnly: true }),
  ...organized,
  is_active: boolean({ default: true }),
  is_expired: computed(boolean()),
  date_expired: datetime({ readOnly: true, order: true }),
  date_created: datetime({ readOnly: true, order: true }),
  date_updated: datetime({ readOnly: true, order: true }),
}

/** One person's permission to open one connection, for five minutes. */
export const ConnectionToken = resource({
  app: 'authentication',
  model: 'connectiontoken',
  path: 'authentication/connection-token',
  scope: 'system',
  order: ['-date_expired'],
  actions: ['list', 'retrieve', 'create'],
  bulk: false,
  audited: false,
  fields: {
    ...tokenFields,
    /** With the id it opens the connection, so lists do not tell it. */
    value: text({ max: 64, readOnly: true, show: 'detail' }),
    user: computed(one('users.user', shown)),
    asset: one('assets.asset', shown, { required: true }),
  },
})
export type ConnectionToken = RowOf<typeof ConnectionToken>

/** The same, as a gateway asks for it in the name of a person. Nobody is shown the value of somebody else's token. */
export const SuperConnectionToken = resource({
  app: 'authentication',
  model: 'superconnectiontoken',
  path: 'authentication/super-connection-token',
  scope: 'system',
  order: ['-date_expired'],
  actions: ['list', 'retrieve', 'create'],
  bulk: false,
  audited: false,
  fields: {
    ...tokenFields,
    user: one('users.user', shown, { required: true }),
    asset: one('assets.asset', shown, { required: true }),
  },
})
export type SuperConnectionToken = RowOf<typeof SuperConnectionToken>
