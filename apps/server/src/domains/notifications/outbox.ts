/**
 * What leaves the house waits in the database until somebody has taken it: put in with the change it tells of, tried by whichever node is
 * free, tried again later and later, given up at last. At least once: a node that dies between the other side's yes and its own note sends
 * again. Mails and texts wait side by side, each for their own carrier: a mail server that hangs holds up no text.
 */
import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import type { Executor } from '../../kernel/database/index.ts'
import type { Ground } from '../../kernel/ground.ts'
import { SmsFailure } from '../sms/index.ts'
import { MailRefused } from './smtp.ts'
import { mailOutbox, type OutboxChannel } from './tables.ts'

export type Outgoing<Content> = Content & {
  userId: string
  type: string
  /** Of the mailbox, or the phone. */
  address: string
  /** After which it is of no use. */
  ttlSeconds: number
}

/** By what messages leave. */
export interface Carrier<Content extends object> {
  channel: OutboxChannel
  /** By then a try has ended. */
  timeoutMs: number
  /** How it is sent now; undefined where nothing is set for it, and messages wait. */
  open(executor: Executor): Promise<Deliver<Content> | undefined>
}
/** @throws MailRefused, SmsFailure */
export type Deliver<Content> = (address: string, content: Content, signal: AbortSignal) => Promise<void>

export interface Outbox<Content> {
  /** Puts messages in, in the transaction of `executor`. More than fit are refused, and logged. */
  put(executor: Executor, messages: readonly Outgoing<Content>[]): Promise<void>
  /** Begins to send; answers how to stop. */
  start(): () => Promise<void>
}

export interface OutboxOptions {
  /** Before the second try; doubled each time, up to an hour. */
  retrySeconds: number
  /** Tries of a message before it is given up. */
  maxAttempts: number
  /** Messages that may wait. */
  maxWaiting: number
}
/** Some four hours. */
export const outboxDefaults: OutboxOptions = { retrySeconds: 30, maxAttempts: 10, maxWaiting: 20_000 }

export interface OutboxParts<Content extends object> extends Pick<
  Ground,
  'database' | 'live' | 'log' | 'secrets'
> {
  carrier: Carrier<Content>
  /** Told of messages nobody will get. */
  gaveUp: (message: { userId: string; type: string; address: string; reason: string }) => Promise<void>
}

/** How late a message may be whose news was lost, or that another node was to try again. */
const lookEveryMs = 5000
const atOnce = 4
const rowsAtOnce = 1000
type Waiting = typeof mailOutbox.$inferSelect

export function createOutbox<Content extends object>(
  parts: OutboxParts<Content>,
  options: OutboxOptions = outboxDefaults,
): Outbox<Content> {
  const { carrier, database, live, log, secrets } = parts
  const { channel } = carrier
  const { db } = database
  const news = `outbox:${channel}`
  const leaseSeconds = carrier.timeoutMs / 1000 + 20
  const own = eq(mailOutbox.channel, channel)

  async function take(): Promise<Waiting[]> {
    const due = db
      .select({ id: mailOutbox.id })
      .from(mailOutbox)
      .where(and(own, lte(mailOutbox.date_due, sql`now()`), gt(mailOutbox.date_expired, sql`now()`)))
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
  async function send(
    deliver: Deliver<Content>,
    row: Waiting,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const told = { message: row.id, channel, type: row.type, user: row.user_id, attempt: row.attempts }
    try {
      await deliver(row.address, JSON.parse(secrets.unseal(row.content)) as Content, signal)
      await remove(row.id)
      log.info(told, 'a message was sent')
      return undefined
    } catch (error) {
      if (signal.aborted) {
        await tryAgain(row.id, 0)
        return undefined
      }
      const isRefused = error instanceof MailRefused || error instanceof SmsFailure
      const isFinal = isRefused && error.isFinal
      const reason = isRefused ? error.message : 'it could not be read'
      if (!isFinal && row.attempts < options.maxAttempts) {
        const seconds = Math.min(3600, options.retrySeconds * 2 ** (row.attempts - 1))
        log.warn({ ...told, reason, seconds }, 'a message could not be sent and is tried again')
        await tryAgain(row.id, seconds)
        return seconds
      }
      log.error({ ...told, reason }, 'a message could not be sent and was given up')
      await remove(row.id)
      await parts.gaveUp({ userId: row.user_id, type: row.type, address: row.address, reason })
      return undefined
    }
  }

  async function forgetExpired(): Promise<void> {
    const gone = await db
      .delete(mailOutbox)
      .where(and(own, lte(mailOutbox.date_expired, sql`now()`)))
      .returning({ channel: mailOutbox.channel, type: mailOutbox.type, user: mailOutbox.user_id })
    for (const one of gone) log.warn(one, 'a message was not sent in time and was given up')
  }

  async function sendAll(signal: AbortSignal, lookAfter: (seconds: number) => void): Promise<void> {
    await forgetExpired()
    while (!signal.aborted) {
      const deliver = await carrier.open(db)
      if (deliver === undefined) return
      const taken = await take()
      if (taken.length === 0) return
      const later = await Promise.all(taken.map((row) => send(deliver, row, signal)))
      for (const seconds of later) if (seconds !== undefined) lookAfter(seconds)
    }
  }

  return {
    async put(executor, messages) {
      if (messages.length === 0) return
      const [{ waiting } = { waiting: 0 }] = await executor
        .select({ waiting: sql<number>`count(*)::int` })
        .from(mailOutbox)
        .where(own)
      const fitting = messages.slice(0, Math.max(0, options.maxWaiting - waiting))
      if (fitting.length < messages.length)
        log.error(
          { channel, refused: messages.length - fitting.length },
          'too many messages wait; these are not sent',
        )
      if (fitting.length === 0) return
      for (let at = 0; at < fitting.length; at += rowsAtOnce)
        await executor.insert(mailOutbox).values(
          fitting.slice(at, at + rowsAtOnce).map(({ userId, type, address, ttlSeconds, ...content }) => ({
            user_id: userId,
            channel,
            type,
            address,
            content: secrets.seal(JSON.stringify(content)),
            date_expired: sql`now() + ${ttlSeconds} * interval '1 second'`,
          })),
        )
      await live.publish(news, null, executor)
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
              log.error({ err: error }, 'the messages that wait could not be looked at'),
            )
          }
        })().finally(() => {
          running = undefined
        })
      }
      const ends = [live.subscribe(news, look), live.onGap(look)]
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
