/** Messages to people, and who gets which by what. */
import { answer, onList, service } from '../resource/calls.ts'
import { boolean, datetime, ids, integer, list, many, text, uuid, value } from '../resource/field.ts'
import { identified, resource, type RowOf } from '../resource/resource.ts'

/** The ways a message can travel, in the order of the wire. Site messages always do. */
export const channels = ['email', 'wecom', 'dingtalk', 'site_msg', 'feishu'] as const
export type Channel = (typeof channels)[number]

export interface SiteMessageContent {
  id: string
  subject: string
  /** HTML. */
  message: string
  date_created: string
  date_updated: string
  /** `Name(username)`, or empty when the platform says it. */
  sender: string
}

const done = answer.object({ detail: text() })
const ownReading = { unrecorded: 'what somebody has read of their own messages is nobody else’s business' }

/** Messages of the caller. */
export const SiteMessage = resource({
  app: 'notifications',
  model: 'sitemessage',
  path: 'notifications/site-messages',
  scope: 'own',
  actions: ['list', 'retrieve'],
  bulk: false,
  order: ['-date_created'],
  fields: {
    ...identified,
    content: value<SiteMessageContent>(),
    has_read: boolean({ readOnly: true, filter: true }),
    read_at: datetime({ raw: true, readOnly: true, nullable: true }),
    date_created: datetime({ readOnly: true }),
  },
  calls: {
    unreadTotal: onList({
      method: 'GET',
      path: 'unread-total',
      access: 'valid_user',
      answer: answer.object({ total: integer() }),
    }),
    /** An empty list means all of them. */
    markAsRead: onList({
      method: 'PATCH',
      path: 'mark-as-read',
      access: 'valid_user',
      body: { ids: ids() },
      answer: done,
      records: ownReading,
    }),
    markAllAsRead: onList({
      method: 'PATCH',
      path: 'mark-as-read-all',
      access: 'valid_user',
      answer: done,
      records: ownReading,
    }),
    /** From one person to others: a text, whatever it holds. Not for anybody, as elsewhere: it would be a way to write to everybody. */
    send: onList({
      method: 'POST',
      path: 'send',
      access: 'users.change_user',
      body: {
        subject: text({ max: 1024, required: true }),
        message: text({ required: true }),
        user_ids: ids(),
        group_ids: ids(),
        is_broadcast: boolean(),
      },
      answer: done,
      records: { unrecorded: 'the message is the record: it names who sent it' },
    }),
  },
})
export type SiteMessage = RowOf<typeof SiteMessage>

/** The ways that are set up. */
export const MessageBackends = service({
  app: 'notifications',
  model: 'backend',
  path: 'notifications/backends',
  calls: {
    enabled: onList({
      method: 'GET',
      path: '',
      access: 'valid_user',
      answer: answer.json<{ name: Channel; name_display: string }[]>(),
    }),
  },
})

export interface Receiver {
  id: string
  name: string
  /** Whether there is an account to reach them by, for each way chosen. */
  [channel: string]: boolean | string
}
export interface SubscriptionGroup {
  category: string
  category_label: string
  children: SystemMsgSubscription[]
}
/** Who hears of what concerns the platform. */
export const SystemMsgSubscription = resource({
  app: 'settings',
  model: 'systemmsgsubscription',
  path: 'notifications/system-msg-subscription',
  scope: 'system',
  actions: ['update'],
  bulk: false,
  alsoBy: 'message_type',
  order: ['message_type'],
  fields: {
    ...identified,
    message_type: text({ readOnly: true }),
    message_type_label: value<string>(),
    /** Read as their ids. */
    users: many('users.user', ['id']),
    groups: many('users.usergroup', ['id']),
    receive_backends: list({ max: 32, maxItems: 10 }),
    receivers: value<Receiver[]>(),
  },
  calls: {
    grouped: onList({
      method: 'GET',
      path: '',
      access: 'settings.change_systemmsgsubscription',
      answer: answer.json<SubscriptionGroup[]>(),
    }),
  },
})
export type SystemMsgSubscription = Omit<RowOf<typeof SystemMsgSubscription>, 'users' | 'groups'> & {
  users: string[]
  groups: string[]
}

const own = { user_id: uuid(), receive_backends: list({ max: 32, maxItems: 10 }) }
const ownChoice = { unrecorded: 'somebody chose how their own messages reach them' }
/** How the caller's own messages reach them. */
export const UserMsgSubscription = service({
  app: 'notifications',
  model: 'usermsgsubscription',
  path: 'notifications/user-msg-subscription',
  calls: {
    list: onList({
      method: 'GET',
      path: '',
      access: 'valid_user',
      answer: answer.jsonAs<{ user_id: string; receive_backends: Channel[] }[]>(own),
    }),
    read: onList({ method: 'GET', path: '{user_id}', access: 'valid_user', answer: answer.object(own) }),
    change: onList({
      method: ['PATCH', 'PUT'],
      path: '{user_id}',
      access: 'valid_user',
      body: { receive_backends: list({ max: 32, maxItems: 10, required: true }) },
      answer: answer.object(own),
      records: ownChoice,
    }),
  },
})

/** What `/ws/notifications/site-msg/` says: at the beginning, and whenever there is a new message. */
export interface UnreadCount {
  type: 'unread_count'
  unread_count: number
}
