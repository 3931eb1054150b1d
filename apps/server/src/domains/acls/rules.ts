/** What rules about assets have in common where they are kept: their groups, and whom they ask. */
import type { AclAction, Problem, Problems } from '@sallyport/contract'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Context } from '../../kernel/context.ts'
import { type Executor, subselect } from '../../kernel/database/index.ts'
import { invalid, ValidationError } from '../../kernel/errors.ts'
import { person, users } from '../users/index.ts'
import { isAddressOrHost } from './rule-matching.ts'
import type { commandFilterAcls, loginAssetAcls } from './tables.ts'

type RuleTable = typeof loginAssetAcls | typeof commandFilterAcls
/** The link table of a rule's reviewers. */
export interface Reviewers {
  link: PgTable
  rule: PgColumn
  user: PgColumn
}

/** The fields both kinds have that are no columns. */
export const ruleBinding = (table: RuleTable, { link, rule, user }: Reviewers) => ({
  relations: { reviewers: { link, from: rule, to: user, target: person } },
  computed: {
    users_username_group: sql`(${table.users} -> 'username_group')`,
    assets_name_group: sql`(${table.assets} -> 'name_group')`,
    assets_address_group: sql`(${table.assets} -> 'address_group')`,
    accounts_username_group: sql`(${table.accounts} -> 'username_group')`,
    reviewers_amount: sql`(select count(*)::int from ${link} where ${rule} = ${table.id})`,
  },
})

interface RuleInput {
  users?: { username_group: string[] }
  assets?: { name_group: string[]; address_group: string[] }
  accounts?: { username_group: string[] }
  action?: AclAction
  reviewers?: string[]
}

/** The rules before a rule is written. @throws ValidationError */
export async function checkRule(
  ctx: Context,
  { input, before }: { input: RuleInput; before: { id: string; action: string } | undefined },
  reviewers: Reviewers,
): Promise<void> {
  checkGroups(input)
  const action = input.action ?? before?.action
  if (action !== 'review' || (input.action === undefined && input.reviewers === undefined)) return
  const asked = input.reviewers ?? (before ? await idsOfReviewers(ctx.db, before.id, reviewers) : undefined)
  if (asked === undefined) throw invalid('reviewers', 'required')
  if (asked.length === 0) throw invalid('reviewers', 'empty_list')
}

/** A group that names nothing would make a rule that is about nothing, whatever it was meant to keep away. @throws ValidationError */
function checkGroups({ users: people, assets, accounts }: RuleInput): void {
  const problems: Record<string, Problems> = {}
  const check = (at: string, group: string, items: readonly string[] | undefined) => {
    if (items === undefined) return
    const wrong: Problems = {}
    for (const [index, item] of items.entries()) {
      const problem = problemOf(group, item)
      if (problem !== undefined) wrong[index] = [problem]
    }
    const none: Problem[] = [{ key: 'empty_list' }]
    if (items.length === 0) problems[at] = { ...problems[at], [group]: none }
    else if (Object.keys(wrong).length > 0) problems[at] = { ...problems[at], [group]: wrong }
  }
  check('users', 'username_group', people?.username_group)
  check('assets', 'name_group', assets?.name_group)
  check('assets', 'address_group', assets?.address_group)
  check('accounts', 'username_group', accounts?.username_group)
  if (Object.keys(problems).length > 0) throw new ValidationError(problems)
}

/** Whether somebody reviews by a rule that is in force. */
export async function isRuleReviewer(
  db: Executor,
  table: RuleTable,
  { link, rule, user }: Reviewers,
  of: { ruleId: string; userId: string },
): Promise<boolean> {
  const found = await db
    .select({ id: table.id })
    .from(table)
    .innerJoin(link, eq(rule, table.id))
    .where(and(eq(table.id, of.ruleId), eq(table.action, 'review'), table.is_active, eq(user, of.userId)))
  return found.length > 0
}

function problemOf(group: string, item: string): Problem | undefined {
  if (group !== 'address_group' || isAddressOrHost(item)) return undefined
  return { key: 'ip_invalid', params: { ip: item } }
}

export async function idsOfReviewers(
  db: Executor,
  ruleId: string,
  { link, rule, user }: Reviewers,
): Promise<string[]> {
  const rows = await db
    .select({ id: sql<string>`${user}` })
    .from(link)
    .where(eq(rule, ruleId))
  return rows.map(({ id }) => id)
}

/** SQL: the reviewers of a rule as gateways are told them. */
export const reviewersTold = (
  table: RuleTable,
  { link, rule, user }: Reviewers,
): SQL<{ id: string; name: string }[]> =>
  subselect(
    sql`select coalesce(json_agg(json_build_object('id', ${users.id}, 'name', ${users.name})
        order by ${users.name}, ${users.id}), '[]'::json)
      from ${link}
      join ${users} on ${users.id} = ${user}
      where ${rule} = ${table.id}`,
  )
