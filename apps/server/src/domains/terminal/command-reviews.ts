/** Commands that a rule wants reviewed, asked for by the component that carries the session. */
import {
  CommandFilterAcl,
  CommandReview,
  isUuid,
  type ReviewInfo,
  serverTexts,
  Session,
  translate,
} from '@sallyport/contract'
import { eq, sql } from 'drizzle-orm'
import { ApiError, noSuch, refused } from '../../kernel/errors.ts'
import { callerOf, type Context, displayOf } from '../../kernel/context.ts'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import { commandReviewRule } from '../acls/index.ts'
import { waitingFor } from '../tickets/index.ts'
import { countAsked, users } from '../users/index.ts'
import { ownSession, type SessionRow } from './components.ts'
import type { TerminalServices } from './services.ts'

const ticketType = 'command_confirm'
const waitSeconds = 600
/** Tickets of one person within that time: each of them is a mail to others. */
const mostTickets = 30

export const commandReviews = ({ tickets }: Pick<TerminalServices, 'tickets'>): Provided =>
  provide(CommandReview, {
    ask: async (ctx, { body }): Promise<ReviewInfo> => {
      const session = await liveSession(ctx, body.session_id)
      const rule = await commandReviewRule(ctx.db, session.org_id, body.cmd_filter_acl_id)
      if (rule === undefined) throw noSuch('cmd_filter_acl_id', CommandFilterAcl)
      const [applicant] = await ctx.db
        .select({ id: users.id, name: users.name, username: users.username })
        .from(users)
        .where(isUuid(session.user_id) ? eq(users.id, session.user_id) : sql`false`)
      if (applicant === undefined) throw noSuch('session_id', Session)
      const asked = await countAsked(ctx.db, 'command_review', applicant.id, waitSeconds / 60)
      if (asked > mostTickets) throw refused('acl_review_too_often', { minutes: waitSeconds / 60 })
      const user = displayOf(applicant)
      const id = await tickets.open(ctx, {
        type: ticketType,
        title: translate(serverTexts, ctx.language, 'ticket_title.command_confirm', { user }),
        orgId: session.org_id,
        applicant,
        levels: [rule.reviewers],
        meta: {
          component_id: callerOf(ctx).id,
          rule_id: rule.id,
          rule_name: rule.name,
          apply_run_user: applicant.id,
          apply_run_asset: session.asset,
          apply_run_account: session.account,
          apply_run_command: body.run_command.toWellFormed(),
          apply_from_session: session.id,
        },
        snapshot: {
          apply_run_user: user,
          apply_run_asset: session.asset,
          apply_run_account: session.account,
        },
        ttlSeconds: waitSeconds,
      })
      if (id === undefined) throw refused('acl_review_unavailable')
      return await waitingFor(ctx, { id, type: ticketType }, 'component')
    },
  })

/** @throws ValidationError, ApiError where it is none the component carries now */
async function liveSession(ctx: Context, id: string): Promise<SessionRow> {
  const session = await ownSession(ctx, id).catch((error: unknown) => {
    throw error instanceof ApiError && error.status === 404 ? noSuch('session_id', Session) : error
  })
  if (session.is_finished) throw noSuch('session_id', Session)
  return session
}
