import {
  type Activity,
  type Field,
  callLabels,
  find,
  choiceLabels,
  formatDatetime,
  type Language,
  LoginLog,
  labelOf,
  labels,
  models,
  MyLoginLog,
  OperateLog,
  parseDatetime,
  PasswordChangeLog,
  translate,
} from '@sallyport/contract'
import * as resources from '@sallyport/contract/resources/index'
import { texts } from '@sallyport/contract/messages/apps/audits'
import { desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { ApiError, notFound } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/route.ts'
import { serve } from '../../kernel/resource/binding.ts'
import { members as rowsOfMembers, org, own } from '../../kernel/resource/rows.ts'
import { callKey } from './recording.ts'
import { activities, loginLogs, operateLogs, passwordChangeLogs } from './tables.ts'

/** The people of an organization, as subqueries for the books that only name people. */
export interface Members {
  ids(orgId: SQL): SQL
  usernames(orgId: SQL): SQL
}

/** `date_from` and `date_to`, inclusive, on that column. */
const between = (column: PgColumn) => ({
  date_from: (value: string, ctx: Context) => sql`${column} >= ${parseDatetime(value, ctx.zone)}`,
  date_to: (value: string, ctx: Context) => sql`${column} <= ${parseDatetime(value, ctx.zone)}`,
})

const loginComputed = { reason_display: sql`${loginLogs.reason}`, backend_display: sql`${loginLogs.backend}` }
const showLogin = (ctx: Context, row: Record<string, unknown>) => ({
  ...row,
  ...('city' in row ? { city: cityOf(row['city'], ctx.language) } : {}),
  ...('reason_display' in row
    ? { reason_display: known('login_reason', row['reason_display'], ctx.language) }
    : {}),
  ...('backend_display' in row
    ? { backend_display: known('login_backend', row['backend_display'], ctx.language) }
    : {}),
})
/** A code in words; what is no known code is shown as it was stored. */
const known = (set: string, value: unknown, language: Language) =>
  find(choiceLabels, language, `${set}.${String(value)}`) ?? value
const cityOf = (value: unknown, language: Language) => find(texts, language, String(value)) ?? value

export const servedFor = (members: Members) => [
  serve(LoginLog, {
    table: loginLogs,
    rows: rowsOfMembers((orgId) => sql`${loginLogs.username} in (${members.usernames(orgId)})`, {
      outlives: true,
    }),
    filters: between(loginLogs.datetime),
    computed: loginComputed,
    present: showLogin,
  }),
  serve(MyLoginLog, {
    table: loginLogs,
    rows: own(loginLogs.username, 'username'),
    filters: between(loginLogs.datetime),
    computed: loginComputed,
    present: showLogin,
  }),
  serve(OperateLog, {
    table: operateLogs,
    rows: org(operateLogs.org_id, { outlives: true }),
    filters: between(operateLogs.datetime),
    present: (ctx, row) => ({
      ...row,
      ...('resource_type' in row
        ? { resource_type: find(models, ctx.language, String(row['resource_type'])) ?? row['resource_type'] }
        : {}),
    }),
  }),
  serve(PasswordChangeLog, {
    table: passwordChangeLogs,
    rows: rowsOfMembers((orgId) => sql`${passwordChangeLogs.user_id} in (${members.ids(orgId)})`, {
      outlives: true,
    }),
    filters: between(passwordChangeLogs.datetime),
  }),
]

interface Declared {
  app: string
  model: string
  fields: Record<string, Field>
}
const declared = new Map(
  (Object.values(resources) as unknown[])
    .filter((value): value is Declared => typeof value === 'object' && value !== null && 'fields' in value)
    .map((resource) => [`${resource.app}.${resource.model}`, resource]),
)
/** A stored field name as the reader calls it. */
function fieldLabel(resourceType: string, name: string, language: Language): string {
  const resource = declared.get(resourceType)
  const field = resource?.fields[name]
  return resource && field ? labelOf(resource, name, field, language) : (find(labels, language, name) ?? name)
}

/** The database keeps keys in an order of its own; people know the order of the form. */
function inDeclaredOrder<V>(resourceType: string, diff: Readonly<Record<string, V>>): [string, V][] {
  const order = Object.keys(declared.get(resourceType)?.fields ?? {})
  return Object.entries(diff).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
}

/** `?type=action_detail`: the change itself, instead of the row. */
const detailRoute = route({
  method: 'GET',
  path: '/api/v1/audits/operate-logs/:id/',
  access: { permission: 'audits.view_operatelog|audits.view_activitylog' },
  query: z.object({ type: z.string().max(32).optional() }),
  params: z.object({ id: z.guid() }),
  handler: async (ctx, { params, query }) => {
    const [row] = await ctx.db.select().from(operateLogs).where(eq(operateLogs.id, params.id))
    if (row === undefined || !(ctx.org.is_root || row.org_id === ctx.org.id))
      throw notFound((language) => find(models, language, 'audits.operatelog') ?? '')
    if (query.type !== 'action_detail') {
      if (!ctx.can('audits.view_operatelog')) throw new ApiError(403, 'permission_denied')
      const { diff: _diff, user_id: _user, resource_id: _resource, ...shown } = row
      return {
        ...shown,
        action: {
          value: row.action,
          label: find(choiceLabels, ctx.language, `operate_action.${row.action}`),
        },
        resource_type: find(models, ctx.language, row.resource_type) ?? row.resource_type,
        org_name: ctx.orgName(row.org_id),
        datetime: formatDatetime(row.datetime, ctx.zone),
      }
    }
    const empty = translate(texts, ctx.language, 'empty')
    return {
      diff: inDeclaredOrder(row.resource_type, row.diff ?? {}).map(([name, [before, after]]) =>
        name === callKey
          ? {
              field: translate(texts, ctx.language, 'call'),
              before: '',
              after: find(callLabels, ctx.language, `${row.resource_type}.${after}`) ?? after,
            }
          : {
              field: fieldLabel(row.resource_type, name, ctx.language),
              before: before === '' ? empty : before,
              after: after === '' ? empty : after,
            },
      ),
    }
  },
})

const newest = 30

/** The last things that happened to an object, from both books. */
const activitiesRoute = route({
  method: 'GET',
  path: '/api/v1/audits/activities/',
  access: { permission: 'audits.view_activitylog' },
  query: z.object({ resource_id: z.string().max(64).optional() }),
  handler: async (ctx, { query }): Promise<Activity[]> => {
    const id = query.resource_id
    if (id === undefined) return []
    const isUuid = z.guid().safeParse(id).success
    const here = (column: PgColumn) =>
      ctx.org.is_root ? undefined : inArray(column, [ctx.org.id, systemOrg])
    const operated = await ctx.db
      .select()
      .from(operateLogs)
      .where(
        sql`${or(eq(operateLogs.resource_id, id), isUuid ? eq(operateLogs.user_id, id) : undefined)} and ${here(operateLogs.org_id) ?? sql`true`}`,
      )
      .orderBy(desc(operateLogs.datetime))
      .limit(newest)
    const happened = isUuid
      ? await ctx.db
          .select()
          .from(activities)
          .where(sql`${eq(activities.resource_id, id)} and ${here(activities.org_id) ?? sql`true`}`)
          .orderBy(desc(activities.datetime))
          .limit(newest)
      : []
    return [
      ...operated.map((row) => ({ at: row.datetime, shown: operatedActivity(ctx, row) })),
      ...happened.map((row) => ({ at: row.datetime, shown: happenedActivity(ctx, row) })),
    ]
      .sort((a, b) => b.at.getTime() - a.at.getTime())
      .slice(0, newest)
      .map(({ shown }) => shown)
  },
})
const systemOrg = '00000000-0000-0000-0000-000000000004'

const stamp = (date: Date, ctx: Context) => formatDatetime(date, ctx.zone).slice(0, 19).replaceAll('/', '-')

function operatedActivity(ctx: Context, row: typeof operateLogs.$inferSelect): Activity {
  const action = find(choiceLabels, ctx.language, `operate_action.${row.action}`) ?? row.action
  return {
    id: row.id,
    timestamp: stamp(row.datetime, ctx),
    detail_url: `/api/v1/audits/operate-logs/${row.id}/?type=action_detail`,
    content: translate(texts, ctx.language, 'activity_operate', { user: row.user, action }),
    r_type: 'O',
  }
}

function happenedActivity(ctx: Context, row: typeof activities.$inferSelect): Activity {
  const kind = row.r_type === 'S' || row.r_type === 'L' ? row.r_type : 'T'
  const status = find(choiceLabels, ctx.language, `login_status.${row.detail['status'] ?? ''}`) ?? ''
  return {
    id: row.id,
    timestamp: stamp(row.datetime, ctx),
    detail_url: kind === 'L' ? `/ui/audit/audits/login-logs/${row.detail_id}` : '',
    content:
      kind === 'T'
        ? (row.detail['title'] ?? '')
        : translate(texts, ctx.language, kind === 'S' ? 'activity_session' : 'activity_login', {
            ...row.detail,
            status,
          }),
    r_type: kind,
  }
}

export const routes = [detailRoute, activitiesRoute]
