/** Whether somebody may connect to an asset now: by its login rules, and by what reviewers decided where a rule asks them. */
import { serverTexts, translate } from '@sallyport/contract'
import { and, eq } from 'drizzle-orm'
import { type Context, displayOf } from '../../kernel/context.ts'
import { refused } from '../../kernel/errors.ts'
import type { TicketFound, Tickets } from '../tickets/index.ts'
import { countAsked, isValid, users } from '../users/index.ts'
import { type LoginAssetRule, loginAssetRuleOf } from './login-asset-rules.ts'
import type { Connecting } from './rule-matching.ts'

/** Who wants to connect to what. */
export interface AssetLogin {
  user: { id: string; name: string; username: string }
  asset: { id: string; name: string; address: string; org_id: string }
  /** As rules see the account (`Connecting`); reviewers are shown the last. */
  accounts: readonly string[]
}

const ticketType = 'login_asset_confirm'
/** How long reviewers have. */
export const reviewSeconds = 600
/** Tickets of one person within that time: each of them is a mail to others. */
const mostTickets = 10

/** What rules are compared with. */
export const connectingOf = ({ user, asset, accounts }: AssetLogin): Connecting => ({
  orgId: asset.org_id,
  username: user.username,
  asset,
  accounts,
})
const ruleOf = (ctx: Pick<Context, 'db'>, login: AssetLogin) => loginAssetRuleOf(ctx.db, connectingOf(login))

/**
 * Lets somebody connect, with the approval they have where a rule wants one.
 * @returns the rule that lets them; undefined: there is none about them
 * @throws ApiError 400 `acl_reject`, `acl_review`
 */
export async function admit(
  ctx: Pick<Context, 'db'>,
  tickets: Pick<Tickets, 'find'>,
  login: AssetLogin,
  approvedBy: string | null | undefined,
): Promise<LoginAssetRule | undefined> {
  const rule = await ruleOf(ctx, login)
  if (rule?.action === 'reject') throw refused('acl_reject')
  if (rule?.action !== 'review') return rule
  const ticket = approvedBy ? await tickets.find(ctx.db, approvedBy) : undefined
  if (ticket === undefined || !(await isApproved(ctx, rule, login, ticket))) throw refused('acl_review')
  return rule
}

/** An approval is of this connection, still good, and by somebody who could give it now. */
async function isApproved(
  { db }: Pick<Context, 'db'>,
  rule: LoginAssetRule,
  { user, asset, accounts }: AssetLogin,
  { type, state, isExpired, applicant_id, meta, processor_id }: TicketFound,
): Promise<boolean> {
  const isOfThis =
    type === ticketType &&
    applicant_id === user.id &&
    meta['apply_login_asset'] === asset.id &&
    accounts.includes(String(meta['apply_login_account']))
  if (!isOfThis || state !== 'approved' || isExpired) return false
  if (processor_id === null || processor_id === user.id || !rule.reviewers.includes(processor_id))
    return false
  const able = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, processor_id), isValid))
  return able.length > 0
}

/** The rule that wants a connection reviewed, where it is one that decides about it. */
export async function reviewRuleOf(
  ctx: Pick<Context, 'db'>,
  login: AssetLogin,
): Promise<LoginAssetRule | undefined> {
  const rule = await ruleOf(ctx, login)
  return rule?.action === 'review' ? rule : undefined
}

/**
 * Asks the reviewers, in a transaction. `componentId`: the component that waits for them.
 * @returns the ticket's id
 * @throws ApiError 400 where nobody could decide, or too much was asked
 */
export async function askReviewers(
  ctx: Context,
  tickets: Pick<Tickets, 'open'>,
  rule: LoginAssetRule,
  { user, asset, accounts }: AssetLogin,
  componentId: string | undefined,
): Promise<string> {
  const asked = await countAsked(ctx.db, 'asset_review', user.id, reviewSeconds / 60)
  if (asked > mostTickets) throw refused('acl_review_too_often', { minutes: reviewSeconds / 60 })
  const id = await tickets.open(ctx, {
    type: ticketType,
    title: translate(serverTexts, ctx.language, 'ticket_title.login_asset_confirm', {
      user: displayOf(user),
    }),
    orgId: asset.org_id,
    applicant: user,
    levels: [rule.reviewers],
    meta: {
      rule_id: rule.id,
      apply_login_user: user.id,
      apply_login_asset: asset.id,
      apply_login_account: accounts.at(-1) ?? '',
      ...(componentId !== undefined && { component_id: componentId }),
    },
    snapshot: {
      apply_login_user: displayOf(user),
      apply_login_asset: `${asset.name}(${asset.address})`,
    },
    ttlSeconds: reviewSeconds,
  })
  if (id === undefined) throw refused('acl_review_unavailable')
  return id
}
