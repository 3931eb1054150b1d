import { LoginAcl, type Problems } from '@sallyport/contract'
import { and, desc, eq, sql } from 'drizzle-orm'
import { isAddresses } from '../../kernel/addresses.ts'
import { callerOf, type Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { forbidden, invalid, ValidationError } from '../../kernel/errors.ts'
import { type InputOf, type SavingOf, serve } from '../../kernel/resource/binding.ts'
import { checkLicensed } from '../../kernel/resource/licensed.ts'
import { through } from '../../kernel/resource/rows.ts'
import { checkMayManageSignIns, person, users } from '../users/index.ts'
import { isPeriod, matches, type Rules } from './matching.ts'
import { loginAclReviewers, loginAcls } from './tables.ts'

type Table = typeof loginAcls
const ofRule = eq(loginAclReviewers.loginacl_id, loginAcls.id)

export const loginAclServed = serve(LoginAcl, {
  table: loginAcls,
  // A rule is where its person is.
  rows: through(loginAcls.user_id, person),
  relations: {
    user: person,
    reviewers: {
      link: loginAclReviewers,
      from: loginAclReviewers.loginacl_id,
      to: loginAclReviewers.user_id,
      target: person,
    },
  },
  computed: {
    reviewers_amount: sql`(select count(*)::int from ${loginAclReviewers} where ${ofRule})`,
  },
  filters: {
    user_display: (username) =>
      sql`${loginAcls.user_id} in (select ${users.id} from ${users} where ${users.username} = ${username})`,
  },
  prepare,
  describe: (ctx, { actions }) => {
    for (const { action } of Object.values(ctx.hasLicence ? {} : actions))
      if (action?.choices) action.choices = action.choices.filter(({ value }) => value !== 'review')
    return Promise.resolve()
  },
  removing: (ctx, rows) =>
    checkMayRule(
      ctx,
      rows.map((row) => row.user_id),
    ),
})

/** A rule decides how its person signs in: those make, change and lift it who may decide that, and nobody their own. @throws ApiError 403 */
async function checkMayRule(ctx: Context, userIds: readonly string[]): Promise<void> {
  const caller = callerOf(ctx)
  if (!caller.isSuperAdmin && userIds.includes(caller.id)) throw forbidden('own_login_rule')
  await checkMayManageSignIns(ctx, userIds)
}

async function prepare(
  ctx: Context,
  saving: SavingOf<typeof LoginAcl, Table>,
): Promise<InputOf<typeof LoginAcl, Table>> {
  const { input, before } = saving
  if (input.action === 'review' && !ctx.hasLicence) throw invalid('action', 'not_choice', { value: 'review' })
  // One that is there goes on as it is (docs/licences.md).
  checkLicensed({ licensed: before?.action === 'review' }, ctx)
  const whose = [before?.user_id, input.user].filter((id) => id !== undefined)
  await checkMayRule(ctx, whose)
  await checkReviewers(ctx, saving)
  return input.rules === undefined ? input : { ...input, rules: checked(input.rules) }
}

/**
 * A rule that asks people names some, and for a review somebody else than its person: nobody confirms their own login.
 * @throws ValidationError
 */
async function checkReviewers(
  ctx: Context,
  { input, before }: SavingOf<typeof LoginAcl, Table>,
): Promise<void> {
  const action = input.action ?? before?.action
  const changes = [input.action, input.reviewers, input.user].some((value) => value !== undefined)
  if (!changes || (action !== 'review' && action !== 'notice')) return
  const reviewers = input.reviewers ?? (before ? await reviewersOf(ctx.db, before.id) : undefined)
  if (reviewers === undefined) throw invalid('reviewers', 'required')
  if (reviewers.length === 0) throw invalid('reviewers', 'empty_list')
  const person = input.user ?? before?.user_id
  if (action === 'review' && reviewers.every((id) => id === person))
    throw invalid('reviewers', 'own_login_review')
}

async function reviewersOf(db: Executor, ruleId: string): Promise<string[]> {
  const rows = await db.select().from(loginAclReviewers).where(eq(loginAclReviewers.loginacl_id, ruleId))
  return rows.map((row) => row.user_id)
}

/** @throws ValidationError */
function checked({ ip_group: given, time_period }: Rules): Rules {
  const ip_group = given.map((item) => item.trim())
  const strange = ip_group.flatMap((ip, at) =>
    isAddresses(ip) ? [] : [[String(at), [{ key: 'ip_invalid' as const, params: { ip } }]]],
  )
  if (strange.length > 0)
    throw new ValidationError({ rules: { ip_group: Object.fromEntries(strange) as Problems } })
  const wrong = time_period.find(({ value }) => !isPeriod(value))
  if (wrong !== undefined)
    throw new ValidationError({
      rules: { time_period: [{ key: 'time_period_invalid', params: { value: wrong.value } }] },
    })
  return { ip_group, time_period }
}

/** What a rule says of a sign-in. */
export interface LoginRule {
  id: string
  name: string
  action: 'reject' | 'accept' | 'review' | 'notice'
  reviewers: readonly string[]
}

/**
 * The first active rule of a person that is about this address and moment. One whose reviewers are all gone holds: a rule is not undone by
 * deleting somebody else.
 */
export async function loginRuleOf(
  db: Executor,
  userId: string,
  ip: string,
  now: Date,
): Promise<LoginRule | undefined> {
  const rules = await db
    .select({ id: loginAcls.id, name: loginAcls.name, action: loginAcls.action, rules: loginAcls.rules })
    .from(loginAcls)
    .where(and(eq(loginAcls.user_id, userId), loginAcls.is_active))
    .orderBy(desc(loginAcls.priority), loginAcls.date_updated, loginAcls.name)
    .limit(maxRules)
  const rule = rules.find((one) => matches(one.rules, ip, now))
  if (rule === undefined) return undefined
  const { id, name, action } = rule
  return { id, name, action: action as LoginRule['action'], reviewers: await reviewersOf(db, id) }
}
const maxRules = 1000

/** Whether somebody confirms logins by a rule that is in force. */
export async function isReviewer(db: Executor, ruleId: string, userId: string): Promise<boolean> {
  const [named] = await db
    .select({ id: loginAcls.id })
    .from(loginAcls)
    .innerJoin(loginAclReviewers, ofRule)
    .where(
      and(
        eq(loginAcls.id, ruleId),
        eq(loginAcls.action, 'review'),
        loginAcls.is_active,
        eq(loginAclReviewers.user_id, userId),
      ),
    )
  return named !== undefined
}
