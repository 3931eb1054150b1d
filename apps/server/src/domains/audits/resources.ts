import {
  Activities,
  type Activity,
  type Catalogue,
  isUuid,
  find,
  choiceLabel,
  choiceLabels,
  formatDatetime,
  type Language,
  LoginLog,
  models,
  MyLoginLog,
  OperateLog,
  operateActions,
  parseDatetime,
  PasswordChangeLog,
  translate,
} from '@sallyport/contract'
import { texts } from '@sallyport/contract/messages/apps/audits'
import { desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { places } from '../../kernel/addresses.ts'
import type { Context } from '../../kernel/context.ts'
import { ApiError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/route.ts'
import { serve } from '../../kernel/resource/binding.ts'
import { provide } from '../../kernel/resource/calls.ts'
import { missing, presentFor, storedRow } from '../../kernel/resource/read.ts'
import { members as rowsOfMembers, org, own } from '../../kernel/resource/rows.ts'
import { changesOf, type Deed, deedOf, known, type Operated, operatedDeed, sentenceOf } from './sentences.ts'
import { activities, loginLogs, operateLogCounts, operateLogs, passwordChangeLogs } from './tables.ts'

/** The people of an organization, as subqueries for the books that only name people. */
export interface Members {
  ids(orgId: SQL): SQL
  usernames(orgId: SQL): SQL
  /** When somebody's account was made. */
  since(userId: SQL): SQL
  /** The organizations somebody belongs to. */
  orgs(userId: SQL): SQL
  /** Whether somebody has a part in the whole system. */
  isOfSystem(userId: SQL): SQL
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
const cityOf = (value: unknown, language: Language) => find(texts, language, String(value)) ?? value

/** A filter by a column that holds keys of texts: takes the key, or the text in English or in the reader's language, exactly. */
const byText = (column: PgColumn, from: Catalogue) => (value: string, ctx: Context) => {
  const keys = Object.keys(from.en).filter((key) =>
    [find(from, 'en', key), find(from, ctx.language, key)].includes(value),
  )
  return inArray(column, [value, ...keys])
}
/** The codes whose words, in the reader's language or in English, contain a text; a code itself counts as a whole. */
const codesOf =
  (
    codes: readonly string[],
    wordsOf: (code: string, language: Language) => readonly (string | undefined)[],
  ) =>
  (text: string, { language }: Context): string[] => {
    const sought = text.toLowerCase()
    const isFound = (code: string) =>
      code.toLowerCase() === sought ||
      [...wordsOf(code, language), ...wordsOf(code, 'en')].some((words) =>
        words?.toLowerCase().includes(sought),
      )
    return codes.filter(isFound)
  }
/** Codes that are told by the texts `<set>.<code>`. */
function codesIn(set: string) {
  const from = `${set}.`
  const keys = Object.keys(choiceLabels.en).filter((key) => key.startsWith(from))
  return codesOf(
    keys.map((key) => key.slice(from.length)),
    (code, language) => [find(choiceLabels, language, from + code)],
  )
}
const loginCodes = {
  city: codesOf(places, (code, language) => [find(texts, language, code)]),
  reason: codesIn('login_reason'),
  backend: codesIn('login_backend'),
}
const operateCodes = {
  /** What the list calls it, and what its sentences say. */
  action: codesOf(operateActions.values, (code, language) => [
    choiceLabel(operateActions, code, language),
    find(texts, language, `did_${code}`)?.replaceAll(/\{\w+\}/g, ''),
  ]),
  resource_type: codesOf(Object.keys(models.en), (code, language) => [find(models, language, code)]),
}
const loginFilters = { ...between(loginLogs.datetime), city: byText(loginLogs.city, texts) }

/** What a sentence is made of comes as the computed field itself. */
function summaryOf(read: unknown, language: Language): string {
  const made = read as Operated & Deed
  return sentenceOf(made, made, language)
}

const operateLogServed = serve(OperateLog, {
  table: operateLogs,
  rows: org(operateLogs.org_id, { outlives: true }),
  counts: operateLogCounts,
  filters: {
    ...between(operateLogs.datetime),
    resource_type: byText(operateLogs.resource_type, models),
  },
  codes: operateCodes,
  computed: {
    summary: operatedDeed,
    has_changes: sql`(${operateLogs.diff} is not null and ${operateLogs.diff} <> '{}'::jsonb)`,
  },
  present: (ctx, row) => ({
    ...row,
    ...('summary' in row ? { summary: summaryOf(row['summary'], ctx.language) } : {}),
    ...('resource_type' in row
      ? { resource_type: find(models, ctx.language, String(row['resource_type'])) ?? row['resource_type'] }
      : {}),
  }),
})

export const servedFor = (members: Members) => [
  serve(LoginLog, {
    table: loginLogs,
    rows: rowsOfMembers((orgId) => sql`${loginLogs.username} in (${members.usernames(orgId)})`, {
      outlives: true,
    }),
    filters: loginFilters,
    codes: loginCodes,
    computed: loginComputed,
    present: showLogin,
  }),
  serve(MyLoginLog, {
    table: loginLogs,
    rows: own(loginLogs.username, 'username'),
    // Whoever had the name before is somebody else.
    visible: ({ identity }) => sql`${loginLogs.datetime} >= ${members.since(sql`${identity?.id}::uuid`)}`,
    filters: loginFilters,
    codes: loginCodes,
    computed: loginComputed,
    present: showLogin,
  }),
  operateLogServed,
  serve(PasswordChangeLog, {
    table: passwordChangeLogs,
    rows: rowsOfMembers((orgId) => sql`${passwordChangeLogs.user_id} in (${members.ids(orgId)})`, {
      outlives: true,
    }),
    filters: between(passwordChangeLogs.datetime),
  }),
]

/** `?type=action_detail`: the change itself, instead of the row. */
const detailRoute = route({
  method: 'GET',
  path: '/api/v1/audits/operate-logs/:id/',
  access: { oneOf: ['audits.view_operatelog', 'audits.view_activitylog'] },
  byHand: 'the same address answers the row, or with ?type=action_detail the change',
  query: z.object({ type: z.string().max(32).optional() }),
  params: z.object({ id: z.guid() }),
  handler: async (ctx, { params, query }) => {
    const row = await storedRow(operateLogServed, ctx, eq(operateLogs.id, params.id))
    if (row === undefined) throw missing(operateLogServed)
    if (query.type !== 'action_detail') {
      if (!ctx.can('audits.view_operatelog')) throw new ApiError(403, 'permission_denied')
      return presentFor(operateLogServed, ctx, row, 'detail')
    }
    return { diff: changesOf(ctx, row.resource_type, row.diff ?? {}) }
  },
})

const newest = 30

/** The last things that happened to an object, from both books. */
export const activityService = provide(Activities, {
  list: async (ctx, { query }): Promise<Activity[]> => {
    const id = query.resource_id
    if (id === undefined) return []
    const isId = isUuid(id)
    const here = (column: PgColumn) => (ctx.org.is_root ? sql`true` : eq(column, ctx.org.id))
    const operated = await ctx.db
      .select()
      .from(operateLogs)
      .where(
        sql`${or(eq(operateLogs.resource_id, id), isId ? eq(operateLogs.user_id, id) : undefined)} and ${here(operateLogs.org_id)}`,
      )
      .orderBy(desc(operateLogs.datetime))
      .limit(newest)
    const happened = isId
      ? await ctx.db
          .select()
          .from(activities)
          .where(sql`${eq(activities.resource_id, id)} and ${here(activities.org_id)}`)
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

const stamp = (date: Date, ctx: Context) => formatDatetime(date, ctx.zone).slice(0, 19).replaceAll('/', '-')

function operatedActivity(ctx: Context, row: typeof operateLogs.$inferSelect): Activity {
  return {
    id: row.id,
    timestamp: stamp(row.datetime, ctx),
    detail_url: `/api/v1/audits/operate-logs/${row.id}/?type=action_detail`,
    content: sentenceOf(row, deedOf(row.diff), ctx.language),
    r_type: 'O',
  }
}

/** Of a session's own account, or of one whose secret went along: on the way there, or to become it. */
const sessionText = ({ detail }: Pick<typeof activities.$inferSelect, 'detail'>) =>
  detail['along'] === undefined ? 'activity_session' : 'activity_session_along'

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
        : translate(texts, ctx.language, kind === 'S' ? sessionText(row) : 'activity_login', {
            ...row.detail,
            status,
          }),
    r_type: kind,
  }
}

export const routes = [detailRoute]
