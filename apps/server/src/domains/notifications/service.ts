/** Telling people something: rendered for each, and sent by the channels that person chose. */
import { type Channel, mailTexts } from '@sallyport/contract'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import type { Ground } from '../../kernel/ground.ts'
import { canMail, type Settings } from '../settings/index.ts'
import { users } from '../users/index.ts'
import { mails, texts } from './carriers.ts'
import { type Codes, createCodes, type SendCode } from './codes.ts'
import {
  type ParamsOf,
  personalMessages,
  type PersonalType,
  render,
  signed,
  systemMessages,
  type SystemParamsOf,
  type SystemType,
} from './messages.ts'
import { createOutbox, type Outbox, type Outgoing } from './outbox.ts'
import { keepSiteMessage } from './site-messages.ts'
import { isMailAddress, type Mail } from './smtp.ts'
import { channelsOf, chosenChannels, isSubscriber } from './subscriptions.ts'
import { siteContents, systemSubscriptions } from './tables.ts'

export interface SendOptions {
  /** After which a mail of it is of no use, where it is less than what the message says. */
  ttlSeconds?: number
  /** Instead of the usual texts. */
  subject?: string
  body?: string
  signature?: string
}
/** What telling takes of a context. */
export type Told = Pick<Context, 'db' | 'settings' | 'language'>
/**
 * Sends a message to people by their ids, in the transaction of the context: who hears of a change hears of it exactly when it is
 * committed. Nobody waits for a mail server.
 */
export type Send = <T extends PersonalType>(
  ctx: Told,
  type: T,
  to: readonly string[],
  params: ParamsOf<T>,
  options?: SendOptions,
) => Promise<void>

export interface Notifications {
  send: Send
  /** Tells those who subscribed to it, and people with these mail addresses, by mail in any case. */
  sendToSubscribers: <T extends SystemType>(
    ctx: Told,
    type: T,
    params: SystemParamsOf<T>,
    addresses?: readonly string[],
  ) => Promise<void>
  codes: Codes
  canMail: typeof canMail
  /** By what somebody wants their messages. */
  channelsOf: (db: Executor, userId: string) => Promise<Channel[]>
  outboxes: readonly Pick<Outbox<unknown>, 'start'>[]
}

const daySeconds = 86_400

export function createNotifications(
  ground: Pick<Ground, 'database' | 'live' | 'log' | 'secrets'>,
  settings: Settings,
): Notifications {
  const { database, live } = ground

  /** Puts a mail to everybody `among` into the queue. */
  async function mail(
    { db, settings: values, language: caused }: Told,
    type: PersonalType | SystemType,
    params: Readonly<Record<string, string | number>>,
    among: SQL | undefined,
    { ttlSeconds = 3 * daySeconds, ...texts }: SendOptions,
  ) {
    const people = await db
      .select({
        id: users.id,
        name: users.name,
        username: users.username,
        email: users.email,
        reads: users.language,
      })
      .from(users)
      .where(and(among, eq(users.is_active, true), eq(users.is_service_account, false)))
    const written = people.flatMap(({ id, name, username, email, reads }): Outgoing<Mail>[] => {
      if (!isMailAddress(email)) return []
      // Of somebody who was never here it is not known: the one who causes the mail speaks his own.
      const language = reads ?? caused
      const rendered = render(type, language, { ...params, name, username, email }, texts)
      const { subject, ...rest } = signed(rendered, texts.signature || mailTexts[language].signature)
      const prefix = values.EMAIL_SUBJECT_PREFIX ? `${values.EMAIL_SUBJECT_PREFIX} ` : ''
      return [{ ...rest, subject: `${prefix}${subject}`, userId: id, type, address: email, ttlSeconds }]
    })
    await outbox.put(db, written)
  }

  const send: Send = async (ctx, type, to, params, options = {}) => {
    if (to.length === 0) return
    const declared = personalMessages[type]
    const them = inArray(users.id, [...to])
    if (declared.by === 'all channels') await keepSiteMessage(ctx.db, live, { type, params }, them)
    if (!canMail(ctx)) return
    const wanted = declared.by === 'mail' ? them : and(them, sql`${chosenChannels} ? 'email'`)
    const ttlSeconds = Math.min(declared.ttlSeconds, options.ttlSeconds ?? Infinity)
    await mail(ctx, type, params, wanted, { ...options, ttlSeconds })
  }

  const sendToSubscribers: Notifications['sendToSubscribers'] = async (ctx, type, params, addresses = []) => {
    const [subscription] = await ctx.db
      .select()
      .from(systemSubscriptions)
      .where(eq(systemSubscriptions.message_type, type))
    if (subscription === undefined) return
    const isNamed = sql`lower(${users.email}) = any(${sql.param(addresses.map((one) => one.toLowerCase()))}::text[])`
    const them = sql`(${isSubscriber(sql`${subscription.id}::uuid`)} or ${isNamed})`
    await keepSiteMessage(ctx.db, live, { type, params }, them)
    if (canMail(ctx))
      await mail(ctx, type, params, subscription.receive_backends.includes('email') ? them : isNamed, {})
  }

  const outbox = createOutbox({
    ...ground,
    carrier: mails(settings),
    gaveUp: async ({ type, address, reason }) => {
      // Of its own mails it says nothing, and of others once an hour: a mail server that is down fails many.
      if (Object.hasOwn(systemMessages, type)) return
      const [lately] = await database.db
        .select({ id: siteContents.id })
        .from(siteContents)
        .where(
          and(
            eq(siteContents.type, 'MailUndeliveredMessage'),
            sql`${siteContents.date_created} > now() - interval '1 hour'`,
          ),
        )
        .limit(1)
      if (lately !== undefined) return
      const ctx = { db: database.db, settings: await settings.all(), language: 'en' as const }
      await sendToSubscribers(ctx, 'MailUndeliveredMessage', { address, reason })
    },
  })
  /** A text that is not taken is told to the log alone: its code is soon of no use, and whoever waits asks for another. */
  const textOutbox = createOutbox({ ...ground, carrier: texts(settings), gaveUp: () => Promise.resolve() })
  const mailCode: SendCode = (ctx, userId, told) =>
    send(ctx, 'VerifyCodeMsg', [userId], told, { ttlSeconds: told.seconds })
  const textCode: SendCode = async ({ db }, userId, { code, seconds }) => {
    const [person] = await db.select({ phone: users.phone }).from(users).where(eq(users.id, userId))
    const address = person?.phone
    if (!address) return
    await textOutbox.put(db, [{ code, userId, type: 'VerifyCodeMsg', address, ttlSeconds: seconds }])
  }
  return {
    send,
    sendToSubscribers,
    codes: createCodes(ground, { mfa: mailCode, mfa_sms: textCode, password: mailCode }),
    canMail,
    channelsOf,
    outboxes: [outbox, textOutbox],
  }
}
