import { answer, onList, onRow, service } from '../resource/calls.ts'
import { boolean, computed, datetime, text, uuid } from '../resource/field.ts'
import { resource, type RowOf } from '../resource/resource.ts'

/** A password for one sign-in within minutes, where AUTH_TEMP_TOKEN is on. Its person reads it while it is good. */
export const TempToken = resource({
  app: 'authentication',
  model: 'temptoken',
  path: 'authentication/temp-tokens',
  scope: 'system',
  order: ['-date_created'],
  actions: ['list', 'retrieve'],
  bulk: false,
  audited: false,
  fields: {
    id: uuid({ readOnly: true }),
    username: computed(text()),
    /** Empty once it is used or too old. */
    secret: computed(text({ max: 36 })),
    verified: boolean({ readOnly: true }),
    is_valid: computed(boolean()),
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
    date_verified: datetime({ readOnly: true, nullable: true }),
    date_expired: datetime({ readOnly: true }),
  },
  calls: {
    create: onList({
      method: 'POST',
      path: '',
      access: 'authentication.add_temptoken',
      confirm: 'password',
      answer: answer.row,
      status: 201,
      records: 'changes',
    }),
    expire: onRow({
      method: 'PATCH',
      path: 'expire',
      access: 'authentication.change_temptoken',
      answer: answer.row,
      records: { unrecorded: 'It ends what ends by itself within minutes.' },
    }),
  },
})
export type TempToken = RowOf<typeof TempToken>

/** The caller's signed-in browsers. */
export const UserSession = service({
  app: 'authentication',
  model: 'usersession',
  path: 'authentication/user-sessions',
  calls: {
    list: onList({
      method: 'GET',
      path: '',
      access: 'valid_user',
      answer: answer.list({
        id: uuid(),
        remote_addr: text(),
        user_agent: text(),
        date_created: text(),
        date_last_used: text(),
        is_current: boolean(),
      }),
    }),
    end: onList({
      method: 'DELETE',
      path: '{session}',
      access: 'valid_user',
      records: 'changes',
    }),
  },
})
