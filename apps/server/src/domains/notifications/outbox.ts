/**
 * Mails wait in the database until the mail server has taken them: put in with the change they tell of, tried by whichever node is free,
 * tried again later and later, given up at last. At least once: a node that dies between the server's yes and its own note sends again.
 */
import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import type { Executor } from '../../kernel/database/index.ts'
import type { Ground } from '../../kernel/ground.ts'
import type { Settings } from '../settings/index.ts'
import { type Mail, type MailServer, MailRefused, sendMail, sendTimeoutMs } from './smtp.ts'
import { mailOutbox } from './tables.ts'

export interface OutgoingMail extends Mail {
  userId: string
  type: string
  address: string
  /** After which it is of no use. */
  ttlSeconds: number
}

export interface Outbox {
  /** Puts mails in, in the transaction of `executor`. More than fit are refused, and logged. */
  put(executor: Executor, mails: readonly OutgoingMail[]): Promise<void>
  /** Begins to send; answers how to stop. */
  start(): () => Promise<void>
}

export interface OutboxOptions {
  /** Before the second try; doubled each time, up to an hour. */
  retrySeconds: number
  /** Tries of a mail before it is given up. */
  maxAttempts: number
  /** Mails that may wait. */
  maxWaiting: number
}
/** Some four hours. */
export const outboxDefaults: OutboxOptions = { retrySeconds: 30, maxAttempts: 10, maxWaiting: 20_000 }

export interface OutboxParts extends Pick<Ground, 'database' | 'live' | 'log' | 'secrets'> {
  settings: Settings
  /** Told of mails nobody will get. */
  gaveUp: (mail: { userId: string; type: string; address: string; reason: string }) => Promise<void>
}

const channel = 'mail'
/** How late a mail may be whose news was lost, or that another node was to try again. */
const lookEveryMs = 5000
const atOnce = 4
const rowsAtOnce = 1000
const leaseSeconds = sendTimeoutMs / 1000 + 20
type Waiting = typeof mailOutbox.$inferSelect

/** The mail server as it is set; undefined where none is. */
export async function mailServerOf(settings: Settings, executor: Executor): Promise<MailServer | undefined> {
  const values = await settings.all()
  const { EMAIL_HOST: host, EMAIL_HOST_USER: user, EMAIL_USE_SSL: ssl, EMAIL_USE_TLS: tls } = values
  if (!host || !user) return undefined
  return {
    host,
    port: Number(values.EMAIL_PORT ?? (ssl ? 465 : tls ? 587 : 25)),
    user,
    password: await settings.secret(executor, 'EMAIL_HOST_PASSWORD'),
    security: ssl ? 'ssl' : tls ? 'starttls' : 'offered',
    from: values.EMAIL_FROM || user,
  }
}

export function createOutbox(parts: OutboxParts, options: OutboxOptions = outboxDefaults): Outbox {
  const { database, live, log, secrets, settings } = parts
  const { db } = database

  async function take(): Promise<Waiting[]> {
    const due = db
      .select({ id: mailOutbox.id })
      .from(mailOutbox)
      .where(and(lte(mailOutbox.date_due, sql`now()`), gt(mailOutbox.date_expired, sql`now()`)))
      .orderBy(mailOutbox.date_due)
      .limit(atOnce)
      .for('update', { skipLocked: true })
    return await db
      .update(mailOutbox)
      .set({
        attempts: sql`${mailOutbox.attempts} + 1`,
        date_due: sql`now() + ${leaseSeconds} * interval '1 second'`,
      })
      .where(inArray(mailOutbox.id, due))
      .returning()
  }

  const remove = (id: string) => db.delete(mailOutbox).where(eq(mailOutbox.id, id))
  const tryAgain = (id: string, seconds: number) =>
    db
      .update(mailOutbox)
      .set({ date_due: sql`now() + ${seconds} * interval '1 second'` })
      .where(eq(mailOutbox.id, id))

  /** @returns after how many seconds it is tried again, if it is */
  async function send(server: MailServer, row: Waiting, signal: AbortSignal): Promise<number | undefined> {
    const told = { mail: row.id, type: row.type, user: row.user_id, attempt: row.attempts }
    try {
      const mail = JSON.parse(secrets.unseal(row.content)) as Mail
      await sendMail(server, row.address, mail, signal)
      await remove(row.id)
      log.info(told, 'a mail was sent')
      return undefined
    } catch (error) {
      if (signal.aborted) {
        await tryAgain(row.id, 0)
        return undefined
      }
      const isFinal = error instanceof MailRefused && error.isFinal
      const reason = error instanceof MailRefused ? error.message : 'it could not be read'
      if (!isFinal && row.attempts < options.maxAttempts) {
        const seconds = Math.min(3600, options.retrySeconds * 2 ** (row.attempts - 1))
        log.warn({ ...told, reason, seconds }, 'a mail could not be sent and is tried again')
        await tryAgain(row.id, seconds)
        return seconds
      }
      log.error({ ...told, reason }, 'a mail could not be sent and was given up')
      await remove(row.id)
      await parts.gaveUp({ userId: row.user_id, type: row.type, address: row.address, reason })
      return undefined
    }
  }

  async function forgetExpired(): Promise<void> {
    const gone = await db
      .delete(mailOutbox)
      .where(lte(mailOutbox.date_expired, sql`now()`))
      .returning({ type: mailOutbox.type, user: mailOutbox.user_id })
    for (const one of gone) log.warn(one, 'a mail was not sent in time and was given up')
  }

  async function sendAll(signal: AbortSignal, lookAfter: (seconds: number) => void): Promise<void> {
    await forgetExpired()
    while (!signal.aborted) {
      const server = await mailServerOf(settings, db)
      if (server === undefined) return
      const taken = await take()
      if (taken.length === 0) return
      const later = await Promise.all(taken.map((row) => send(server, row, signal)))
      for (const seconds of later) if (seconds !== undefined) lookAfter(seconds)
    }
  }

  return {
    async put(executor, mails) {
      if (mails.length === 0) return
      const [{ waiting } = { waiting: 0 }] = await executor
        .select({ waiting: sql<number>`count(*)::int` })
        .from(mailOutbox)
      const fitting = mails.slice(0, Math.max(0, options.maxWaiting - waiting))
      if (fitting.length < mails.length)
        log.error({ refused: mails.length - fitting.length }, 'too many mails wait; these are not sent')
      if (fitting.length === 0) return
      for (let at = 0; at < fitting.length; at += rowsAtOnce)
        await executor.insert(mailOutbox).values(
          fitting.slice(at, at + rowsAtOnce).map(({ userId, type, address, ttlSeconds, ...mail }) => ({
            user_id: userId,
            type,
            address,
            content: secrets.seal(JSON.stringify(mail)),
            date_expired: sql`now() + ${ttlSeconds} * interval '1 second'`,
          })),
        )
      await live.publish(channel, null, executor)
    },

    start() {
      const stopping = new AbortController()
      let running: Promise<void> | undefined
      let again = false
      const lookAfter = (seconds: number) => void setTimeout(look, seconds * 1000).unref()
      function look() {
        if (stopping.signal.aborted) return
        again = true
        running ??= (async () => {
          while (again && !stopping.signal.aborted) {
            again = false
            await sendAll(stopping.signal, lookAfter).catch((error: unknown) =>
              log.error({ err: error }, 'the mails that wait could not be looked at'),
            )
          }
        })().finally(() => {
          running = undefined
        })
      }
      const ends = [live.subscribe(channel, look), live.onGap(look)]
      const timer = setInterval(look, lookEveryMs)
      timer.unref()
      look()
      return async () => {
        clearInterval(timer)
        for (const end of ends) end()
        stopping.abort()
        await running
      }
    },
  }
}
