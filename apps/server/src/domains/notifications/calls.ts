/** What an administrator tries: whether the mail server that is stored takes a mail. */
import { MailServer, serverTexts, translate } from '@sallyport/contract'
import { refusedAs } from '../../kernel/errors.ts'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import type { Ground } from '../../kernel/ground.ts'
import type { Settings } from '../settings/index.ts'
import { mailServerOf } from './carriers.ts'
import { MailRefused, sendMail } from './smtp.ts'

export const mailServer = (ground: Pick<Ground, 'database'>, settings: Settings): Provided =>
  provide(MailServer, {
    test: async (ctx, { body }) => {
      const server = await mailServerOf(settings, ground.database.db)
      if (server === undefined) throw refusedAs('error', 400, 'mail_not_set')
      const from = body.EMAIL_FROM || server.from
      const to = body.EMAIL_RECIPIENT || ctx.settings.EMAIL_RECIPIENT || from
      const subject = translate(serverTexts, ctx.language, 'mail_test_subject')
      const text = translate(serverTexts, ctx.language, 'mail_test_text')
      try {
        await sendMail({ ...server, from }, to, { subject, text, html: `<p>${text}</p>` })
      } catch (error) {
        if (!(error instanceof MailRefused)) throw error
        throw refusedAs('error', 400, 'mail_test_failed', { reason: error.message })
      }
      return { msg: translate(serverTexts, ctx.language, 'mail_test_sent', { to }) }
    },
  })
