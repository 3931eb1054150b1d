import {
  ApplyCommandTicket,
  ApplyLoginAssetTicket,
  ApplyLoginTicket,
  find,
  formatDatetime,
  serverTexts,
  Ticket,
  type TicketStep,
  type TicketType,
  ticketTypes,
} from '@sallyport/contract'
import { texts } from '@sallyport/contract/messages/apps/audits'
import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import { containing } from '../../kernel/database/index.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { serve, type Served } from '../../kernel/resource/binding.ts'
import { system } from '../../kernel/resource/rows.ts'
import { assets } from '../assets/index.ts'
import { person, users } from '../users/index.ts'
import { decide, type DecidingParts, withdraw } from './deciding.ts'
import { concerns, isAsked } from './finding.ts'
import { ticketAssignees, tickets, ticketSteps } from './tables.ts'

const display = sql`${users.name} || '(' || ${users.username} || ')'`
const onLevel = (shown: SQL) =>
  sql`(select coalesce(json_agg(${shown} order by ${users.name}, ${users.id}), '[]'::json) from ${ticketAssignees}
    join ${users} on ${users.id} = ${ticketAssignees.user_id}
    where ${ticketAssignees.ticket_id} = ${ticketSteps.ticket_id} and ${ticketAssignees.level} = ${ticketSteps.level})`
const processMap = sql`(select coalesce(json_agg(json_build_object(
    'state', ${ticketSteps.state},
    'assignees', ${onLevel(sql`${users.id}`)},
    'processor', coalesce(${ticketSteps.processor_id}::text, ''),
    'approval_level', ${ticketSteps.level},
    'assignees_display', ${onLevel(display)},
    'approval_date', ${ticketSteps.date_updated},
    'processor_display', ${ticketSteps.processor_display}) order by ${ticketSteps.level}), '[]'::json)
  from ${ticketSteps} where ${ticketSteps.ticket_id} = ${tickets.id})`

const calls = (parts: DecidingParts) => {
  const by =
    (work: (ctx: Context, id: string) => Promise<void>) =>
    async (ctx: Context, { row }: { row: { id: string } }): Promise<'ok'> => {
      await work(ctx, row.id)
      return 'ok'
    }
  return {
    approve: by((ctx, id) => decide(ctx, parts, id, 'approved')),
    reject: by((ctx, id) => decide(ctx, parts, id, 'rejected')),
    close: by((ctx, id) => withdraw(ctx, parts, id)),
  }
}

/** SQL of a title as the reader's language says it, where it is made of the kind of ticket and whose it is; else as it was written. */
function titleIn({ language }: Pick<Context, 'language'>): SQL {
  const made = ticketTypes.values.flatMap((type) => {
    const words = find(serverTexts, language, `ticket_title.${type}`)
    const title = sql`replace(${words}, '{user}', ${tickets.rel_snapshot} ->> 'applicant')`
    return words === undefined ? [] : [sql`when ${tickets.type} = ${type} then ${title}`]
  })
  return sql`coalesce(case ${sql.join(made, sql` `)} end, ${tickets.title})`
}
interface Told {
  process_map?: TicketStep[]
}

const present = (ctx: Context, row: Told) => ({
  ...row,
  ...(row.process_map !== undefined && {
    process_map: row.process_map.map((step) => ({
      ...step,
      approval_date: formatDatetime(new Date(step.approval_date), ctx.zone),
    })),
  }),
})

const always = { title: titleIn, process_map: processMap }
/** What all types have in common; of one type, only its tickets. */
const common = (parts: DecidingParts, type?: TicketType) => ({
  table: tickets,
  rows: system,
  visible: (ctx: Context) => and(concerns(ctx), type && eq(tickets.type, type)),
  relations: { applicant: person },
  computed: always,
  orders: { title: tickets.title },
  searches: [(pattern: string, ctx: Context) => sql`${titleIn(ctx)} ilike ${pattern}`],
  filters: {
    title: (value: string, ctx: Context) => or(eq(tickets.title, value), eq(titleIn(ctx), value)),
    type: (value: string) => eq(tickets.type, typeOf(value)),
  },
  present,
  calls: calls(parts),
})

/** Tickets of no type of their own are known to clients, and there are none. */
function typeOf(value: string): string {
  const type = ['general', ...ticketTypes.values].find((known) => known === value.toLowerCase())
  if (type === undefined) throw invalid('type', 'not_choice', { value: value.slice(0, 100) })
  return type
}

const said = (name: string) => sql`(${tickets.meta} ->> ${sql.raw(`'${name}'`)})`
/** What is there no more is null. */
const named = (table: typeof users | typeof assets, id: SQL) =>
  sql`(select json_build_object('id', own.id, 'name', own.name) from ${table} as own where own.id = ${id}::uuid)`
const contains = (subject: SQL) => (value: string) => sql`${subject} ilike ${containing(value)}`

export const ticketsServed = (parts: DecidingParts): readonly Served[] => [
  serve(Ticket, {
    ...common(parts),
    filters: {
      ...common(parts).filters,
      assignees__id: isAsked,
      relevant_asset: contains(
        sql`concat_ws(' ', ${tickets.rel_snapshot} ->> 'apply_assets',
          ${tickets.rel_snapshot} ->> 'apply_login_asset', ${said('apply_run_asset')})`,
      ),
      relevant_command: contains(said('apply_run_command')),
      relevant_app: () => undefined,
      relevant_system_user: () => undefined,
    },
  }),
  serve(ApplyLoginTicket, {
    ...common(parts, 'login_confirm'),
    present: (ctx, row) => ({
      ...present(ctx, row),
      ...('apply_login_city' in row && {
        apply_login_city: find(texts, ctx.language, String(row.apply_login_city)) ?? row.apply_login_city,
      }),
    }),
    computed: {
      ...always,
      apply_login_ip: said('apply_login_ip'),
      apply_login_city: said('apply_login_city'),
      apply_login_datetime: sql`${said('apply_login_datetime')}::timestamptz`,
    },
  }),
  serve(ApplyLoginAssetTicket, {
    ...common(parts, 'login_asset_confirm'),
    computed: {
      ...always,
      apply_login_user: named(users, said('apply_login_user')),
      apply_login_asset: named(assets, said('apply_login_asset')),
      apply_login_account: said('apply_login_account'),
    },
  }),
  serve(ApplyCommandTicket, {
    ...common(parts, 'command_confirm'),
    computed: {
      ...always,
      apply_run_user: named(users, said('apply_run_user')),
      apply_run_asset: said('apply_run_asset'),
      apply_run_account: said('apply_run_account'),
      apply_run_command: said('apply_run_command'),
      apply_from_session: sql`json_build_object('id', ${said('apply_from_session')})`,
      apply_from_cmd_filter_acl: sql`json_build_object('id', ${said('rule_id')}, 'name', ${said('rule_name')})`,
    },
  }),
]
