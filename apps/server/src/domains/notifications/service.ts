/** Telling people something: rendered for each, and sent by the channels that person chose. */
import { inArray } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { Ground } from '../../kernel/ground.ts'
import type { Settings } from '../settings/index.ts'
import { users } from '../users/index.ts'
import { type Codes, createCodes } from './codes.ts'
import { type ParamsOf, personalMessages, type PersonalType, render } from './messages.ts'
import { createOutbox, type Outbox, type OutgoingMail } from './outbox.ts'
import { isMailAddress } from './smtp.ts'

/**
 * Sends a message to people by their ids, in the transaction of the context: who hears of a change hears of it exactly when it is
 * committed. Nobody waits for a mail server.
 * @param options.ttlSeconds after which a mail of it is of no use, where it is less than what the message says
 */
export type Send = <T extends PersonalType>(
  ctx: Context,
  type: T,
  to: readonly string[],
  params: ParamsOf<T>,
  options?: { ttlSeconds?: number; subject?: string; body?: string },
) => Promise<void>

export interface Notifications {
  send: Send
  codes: Codes
  /** Whether mail can be sent: a mail server and an account are set. */
  canMail(ctx: Context): boolean
  outbox: Outbox
}

export const canMail = ({ settings }: Pick<Context, 'settings'>) =>
  Boolean(settings.EMAIL_HOST) && Boolean(settings.EMAIL_HOST_USER)

export function createNotifications(
  ground: Pick<Ground, 'database' | 'live' | 'log' | 'secrets'>,
  settings: Settings,
): Notifications {
  const outbox = createOutbox({ ...ground, settings, gaveUp: () => Promise.resolve() })
  const send: Send = async (ctx, type, to, params, options = {}) => {
    if (to.length === 0 || !canMail(ctx)) return
    const { ttlSeconds } = personalMessages[type]
    const people = await ctx.db
      .select({ id: users.id, name: users.name, username: users.username, email: users.email })
      .from(users)
      .where(inArray(users.id, [...to]))
    const mails = people.flatMap(({ id, name, username, email }): OutgoingMail[] => {
      if (!isMailAddress(email)) return []
      const mail = render(type, ctx.language, { ...params, name, username, email }, options)
      const subject = `${ctx.settings.EMAIL_SUBJECT_PREFIX ?? ''}${mail.subject}`
      const ttl = Math.min(ttlSeconds, options.ttlSeconds ?? ttlSeconds)
      return [{ ...mail, subject, userId: id, type, address: email, ttlSeconds: ttl }]
    })
    await outbox.put(ctx.db, mails)
  }
  return { send, codes: createCodes(ground, send), canMail, outbox }
}
