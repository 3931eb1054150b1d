/** Rules about who connects to which asset with which account: judged where connection tokens and sessions are made. */
import { type AclAction, LoginAssetAcl } from '@sallyport/contract'
import { desc } from 'drizzle-orm'
import type { Executor } from '../../kernel/database/index.ts'
import { serve } from '../../kernel/resource/binding.ts'
import { org } from '../../kernel/resource/rows.ts'
import { type Connecting, isAtAddress, isNamedBy } from './rule-matching.ts'
import { checkRule, idsOfReviewers, isRuleReviewer, ruleBinding } from './rules.ts'
import { loginAssetAclReviewers, loginAssetAcls } from './tables.ts'

const reviewers = {
  link: loginAssetAclReviewers,
  rule: loginAssetAclReviewers.loginassetacl_id,
  user: loginAssetAclReviewers.user_id,
}

export const loginAssetAclServed = serve(LoginAssetAcl, {
  table: loginAssetAcls,
  rows: org(loginAssetAcls.org_id),
  ...ruleBinding(loginAssetAcls, reviewers),
  prepare: async (ctx, saving) => {
    await checkRule(ctx, saving, reviewers)
    return saving.input
  },
})

/** Whether somebody reviews connections by a rule that is in force. */
export const isAssetReviewer = (db: Executor, ruleId: string, userId: string): Promise<boolean> =>
  isRuleReviewer(db, loginAssetAcls, reviewers, { ruleId, userId })

/** What a rule says of a connection. */
export interface LoginAssetRule {
  id: string
  name: string
  action: AclAction
  reviewers: readonly string[]
}

/** The first active rule that is about a connection. One whose reviewers are all gone holds: nobody can approve then. */
export async function loginAssetRuleOf(
  db: Executor,
  connecting: Connecting,
): Promise<LoginAssetRule | undefined> {
  const named = await db
    .select({
      id: loginAssetAcls.id,
      name: loginAssetAcls.name,
      action: loginAssetAcls.action,
      assets: loginAssetAcls.assets,
    })
    .from(loginAssetAcls)
    .where(isNamedBy(loginAssetAcls, connecting))
    .orderBy(desc(loginAssetAcls.priority), loginAssetAcls.date_updated, loginAssetAcls.name)
  const rule = named.find(({ assets }) => isAtAddress(connecting.asset.address, assets.address_group))
  if (rule === undefined) return undefined
  const { id, name, action } = rule
  const asks = action !== 'reject' && action !== 'accept'
  return {
    id,
    name,
    action: action as AclAction,
    reviewers: asks ? await idsOfReviewers(db, id, reviewers) : [],
  }
}
