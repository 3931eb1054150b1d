import { answer, onList, service } from '../resource/calls.ts'
import { choices } from '../resource/choices.ts'
import { boolean, choice, computed, datetime, text } from '../resource/field.ts'
import { identified, organized, resource, type RowOf } from '../resource/resource.ts'

export const loginTypes = choices('login_type', ['W', 'T', 'U'])
export const loginMfaStates = choices('login_mfa', [0, 1, 2])
export const loginStatuses = choices('login_status', [true, false])
export const operateActions = choices('operate_action', [
  'view',
  'update',
  'delete',
  'create',
  'connect',
  'login',
  'change_password',
  // Our own.
  'monitor',
  'terminate',
])

const readOnly = { actions: ['list', 'retrieve'], bulk: false, audited: false } as const
const dateRange = { date_from: { kind: 'datetime' }, date_to: { kind: 'datetime' } } as const
const fact = { readOnly: true, filter: true, search: true } as const
/** What people find by parts. */
const named = { ...fact, filter: 'contained' } as const

const loginLogFields = {
  ...identified,
  username: text({ ...named, max: 128 }),
  type: choice(loginTypes, { readOnly: true, filter: true }),
  ip: text({ ...fact, max: 64 }),
  city: text({ ...named, max: 254, nullable: true, help: 'city' }),
  user_agent: text({ max: 254, nullable: true, readOnly: true }),
  mfa: choice(loginMfaStates, { readOnly: true, filter: true }),
  reason: text({ max: 128, readOnly: true, search: true }),
  reason_display: computed(text()),
  backend: text({ max: 32, readOnly: true, search: true }),
  backend_display: computed(text()),
  status: choice(loginStatuses, { readOnly: true, filter: true }),
  datetime: datetime({ readOnly: true }),
}

export const LoginLog = resource({
  ...readOnly,
  app: 'audits',
  model: 'userloginlog',
  path: 'audits/login-logs',
  scope: 'system',
  order: ['-datetime', 'username'],
  filters: dateRange,
  fields: loginLogFields,
})
export type LoginLog = RowOf<typeof LoginLog>

/** The caller's own. */
export const MyLoginLog = resource({
  ...readOnly,
  app: 'audits',
  model: 'myloginlog',
  path: 'audits/my-login-logs',
  scope: 'own',
  order: ['-datetime', 'username'],
  filters: dateRange,
  fields: loginLogFields,
})
export type MyLoginLog = RowOf<typeof MyLoginLog>

export const OperateLog = resource({
  ...readOnly,
  app: 'audits',
  model: 'operatelog',
  path: 'audits/operate-logs',
  scope: 'org',
  order: ['-datetime'],
  filters: dateRange,
  fields: {
    ...identified,
    user: text({ ...named, max: 128 }),
    action: choice(operateActions, fact),
    resource_type: text({ ...named, max: 64, help: 'kind_of_row' }),
    resource: text({ ...named, max: 128 }),
    /** The same as a sentence, in the reader's language. Our own. */
    summary: computed(text()),
    remote_addr: text({ max: 64, nullable: true, readOnly: true, filter: true }),
    ...organized,
    /** Whether it changed something that `?type=action_detail` of its address tells. Our own. */
    has_changes: computed(boolean({ order: false })),
    datetime: datetime({ readOnly: true }),
  },
})
export type OperateLog = RowOf<typeof OperateLog>

export const PasswordChangeLog = resource({
  ...readOnly,
  app: 'audits',
  model: 'passwordchangelog',
  path: 'audits/password-change-logs',
  scope: 'system',
  order: ['-datetime'],
  filters: dateRange,
  fields: {
    ...identified,
    user: text({ ...named, max: 128 }),
    change_by: text({ ...named, max: 128 }),
    remote_addr: text({ ...fact, max: 64, nullable: true }),
    datetime: datetime({ readOnly: true }),
  },
})
export type PasswordChangeLog = RowOf<typeof PasswordChangeLog>

/** Something that happened to one object. */
export interface Activity {
  id: string
  timestamp: string
  detail_url: string
  content: string
  /** `O` operate log, `S` session, `L` sign-in, `T` task. */
  r_type: string
}

export const Activities = service({
  app: 'audits',
  model: 'activity',
  path: 'audits/activities',
  calls: {
    /** The newest things that happened to an object, from all books. */
    list: onList({
      method: 'GET',
      path: '',
      access: 'audits.view_activitylog',
      query: { resource_id: text({ max: 64 }) },
      answer: answer.list({
        id: text(),
        timestamp: text(),
        detail_url: text(),
        content: text(),
        r_type: text(),
      }),
    }),
  },
})
