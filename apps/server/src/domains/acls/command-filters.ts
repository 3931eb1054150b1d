/** Rules about commands: kept here, carried out by the gateways, which get those of a connection with its grant. */
import { type AclAction, CommandFilterAcl } from '@sallyport/contract'
import { commandGroupsMax } from '@sallyport/contract/command-patterns'
import type { CommandFilter } from '@sallyport/contract/gateway/grants'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { type Executor, subselect } from '../../kernel/database/index.ts'
import { invalid } from '../../kernel/errors.ts'
import { serve } from '../../kernel/resource/binding.ts'
import { org } from '../../kernel/resource/rows.ts'
import type { TicketKind, Tickets } from '../tickets/index.ts'
import { commandGroup } from './command-groups.ts'
import { checkSize } from './filters-size.ts'
import { type Connecting, isAtAddress, isNamedBy } from './rule-matching.ts'
import { checkRule, idsOfReviewers, isRuleReviewer, reviewersTold, ruleBinding } from './rules.ts'
import {
  commandFilterAclGroups,
  commandFilterAclReviewers,
  commandFilterAcls,
  commandGroups,
} from './tables.ts'

const reviewers = {
  link: commandFilterAclReviewers,
  rule: commandFilterAclReviewers.commandfilteracl_id,
  user: commandFilterAclReviewers.user_id,
}
const { relations, computed } = ruleBinding(commandFilterAcls, reviewers)
const ofRule = sql`${commandFilterAclGroups.commandfilteracl_id} = ${commandFilterAcls.id}`

export const commandFilterServed = serve(CommandFilterAcl, {
  table: commandFilterAcls,
  rows: org(commandFilterAcls.org_id),
  relations: {
    ...relations,
    command_groups: {
      link: commandFilterAclGroups,
      from: commandFilterAclGroups.commandfilteracl_id,
      to: commandFilterAclGroups.commandgroup_id,
      target: commandGroup,
    },
  },
  computed: {
    ...computed,
    command_groups_amount: sql`(select count(*)::int from ${commandFilterAclGroups} where ${ofRule})`,
  },
  prepare: async (ctx, saving) => {
    await checkRule(ctx, saving, reviewers)
    const count = saving.input.command_groups?.length ?? 0
    if (count > commandGroupsMax)
      throw invalid('command_groups', 'command_groups_too_many', { max: commandGroupsMax, count })
    return saving.input
  },
  saved: (ctx, rows) =>
    checkSize(
      ctx.db,
      'command_groups',
      rows.map(({ id }) => ({ filters: [id] })),
    ),
})

/** The rules that hold for a connection, in the order in which they are asked; those without groups match nothing and are left out. */
export async function commandFiltersOf(db: Executor, connecting: Connecting): Promise<CommandFilter[]> {
  const named = await db
    .select({ id: commandFilterAcls.id, assets: commandFilterAcls.assets })
    .from(commandFilterAcls)
    .where(isNamedBy(commandFilterAcls, connecting))
  const ids = named.flatMap(({ id, assets }) =>
    isAtAddress(connecting.asset.address, assets.address_group) ? [id] : [],
  )
  if (ids.length === 0) return []
  const rules = await db
    .select({
      id: commandFilterAcls.id,
      name: commandFilterAcls.name,
      action: commandFilterAcls.action,
      priority: commandFilterAcls.priority,
      is_active: commandFilterAcls.is_active,
      reviewers: reviewersTold(commandFilterAcls, reviewers),
      command_groups: groupsTold,
    })
    .from(commandFilterAcls)
    // One text however many there are, so that it is prepared.
    .where(sql`${commandFilterAcls.id} = any(${sql.param(ids)}::uuid[])`)
    .orderBy(desc(commandFilterAcls.priority), commandFilterAcls.date_updated, commandFilterAcls.name)
  return rules.filter(({ command_groups }) => command_groups.length > 0) as CommandFilter[]
}

interface AskingRule {
  id: string
  name: string
  reviewers: string[]
}
/** The rule of an organization that wants commands reviewed, where it is in force. */
export const commandReviewRule = (db: Executor, orgId: string, ruleId: string) =>
  ruleThat(db, orgId, ruleId, ['review'])
/** Likewise, that has its reviewers told of commands. */
export const tellingRule = (db: Executor, orgId: string, ruleId: string) =>
  ruleThat(db, orgId, ruleId, ['warning', 'notice'])

async function ruleThat(
  db: Executor,
  orgId: string,
  ruleId: string,
  actions: AclAction[],
): Promise<AskingRule | undefined> {
  const [rule] = await db
    .select({ id: commandFilterAcls.id, name: commandFilterAcls.name })
    .from(commandFilterAcls)
    .where(
      and(
        eq(commandFilterAcls.id, ruleId),
        eq(commandFilterAcls.org_id, orgId),
        inArray(commandFilterAcls.action, actions),
        commandFilterAcls.is_active,
      ),
    )
  return rule && { ...rule, reviewers: await idsOfReviewers(db, rule.id, reviewers) }
}

/** Decides who still reviews by the rule the ticket was opened for; who was asked may follow the session of what was approved. */
export const commandConfirmKind = ({ use }: Pick<Tickets, 'use'>): TicketKind => ({
  type: 'command_confirm',
  mayDecide: (db, { meta }, userId) =>
    isRuleReviewer(db, commandFilterAcls, reviewers, { ruleId: String(meta['rule_id']), userId }),
  approved: async ({ db }, { id, meta }) => {
    await use(db, id, String(meta['apply_from_session']))
  },
})

const groupsTold = subselect(
  sql<CommandFilter['command_groups']>`select coalesce(json_agg(json_build_object(
    'id', ${commandGroups.id}, 'name', ${commandGroups.name}, 'type', ${commandGroups.type},
    'content', ${commandGroups.content}, 'ignore_case', ${commandGroups.ignore_case},
    'pattern', ${commandGroups.pattern}) order by ${commandGroups.name}, ${commandGroups.id}), '[]'::json)
  from ${commandFilterAclGroups} join ${commandGroups} on ${commandGroups.id} = ${commandFilterAclGroups.commandgroup_id}
  where ${ofRule}`,
)
