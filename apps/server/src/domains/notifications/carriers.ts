/** What takes messages out of the house: the mail server that is set, and the way texts go. */
import type { Executor } from '../../kernel/database/index.ts'
import type { Settings } from '../settings/index.ts'
import { openTexts, sendInTime, textTimeoutMs } from '../sms/index.ts'
import type { Carrier } from './outbox.ts'
import { type Mail, type MailServer, sendMail, sendTimeoutMs } from './smtp.ts'

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

export const mails = (settings: Settings): Carrier<Mail> => ({
  channel: 'email',
  timeoutMs: sendTimeoutMs,
  async open(executor) {
    const server = await mailServerOf(settings, executor)
    return server && ((address, mail, signal) => sendMail(server, address, mail, signal))
  },
})

export const texts = (settings: Settings): Carrier<{ code: string }> => ({
  channel: 'sms',
  timeoutMs: textTimeoutMs,
  async open(executor) {
    const send = await openTexts(settings, executor)
    return send && ((phone, { code }, signal) => sendInTime(send, { phone, code }, signal))
  },
})
