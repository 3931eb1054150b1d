/** Sessions: read by people, written by the components that carry them (docs/decisions/0002). */
import {
  type BodyOf,
  defaultOrgId,
  errors,
  isUuid,
  MySession,
  parseDatetime,
  Session,
  translate,
} from '@sallyport/contract'
import { endDetailMax } from '@sallyport/contract/gateway/books'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { ApiError, invalid } from '../../kernel/errors.ts'
import type { StoredRow } from '../../kernel/events.ts'
import { serve, type Served } from '../../kernel/resource/binding.ts'
import { presentAll, storedRow } from '../../kernel/resource/read.ts'
import { org, own, system } from '../../kernel/resource/rows.ts'
import { wasAsked } from '../tickets/index.ts'
import { isValid, users, visiblePeople } from '../users/index.ts'
import { begin } from './beginning.ts'
import { callingTerminal, ownSession } from './components.ts'
import { momentOf, putOnBooks } from './new-sessions.ts'
import { finishRecording, recordingIndex, recordingsOf } from './recording.ts'
import { replayFacts } from './replay.ts'
import type { TerminalServices } from './services.ts'
import { keepWithTicket } from './ticket-sessions.ts'
import { commands, recordingChunks, sessionCounts, sessions, terminals, terminalTasks } from './tables.ts'

/** Protocols whose sessions can be watched. */
const joinable = ['ssh', 'telnet', 'vnc', 'rdp', 'k8s']
const joinableSql: SQL = sql`(not ${sessions.is_finished}
  and ${sessions.login_from} <> 'RT'
  and ${sessions.type} = 'normal'
  and ${inArray(sessions.protocol, joinable)})`

const computed = {
  can_replay: sql`${sessions.has_replay}`,
  can_join: joinableSql,
  can_terminate: sql`not ${sessions.is_finished}`,
}
const filters = {
  // The compatible console's tabs say 0 and 1.
  is_finished: (value: string) =>
    /^(true|false|0|1)$/i.test(value) ? eq(sessions.is_finished, /^(true|1)$/i.test(value)) : undefined,
  date_from: (value: string, ctx: Context) =>
    sql`${sessions.date_start} >= ${parseDatetime(value, ctx.zone)}`,
  date_to: (value: string, ctx: Context) => sql`${sessions.date_start} <= ${parseDatetime(value, ctx.zone)}`,
  terminal: (value: string) =>
    isUuid(value)
      ? eq(sessions.terminal_id, value)
      : sql`${sessions.terminal_id} in (select ${terminals.id} from ${terminals} where ${terminals.name} = ${value})`,
}
const relations = { terminal: { table: terminals, rows: system } }

export const sessionServed = (services: TerminalServices): Served =>
  serve(Session, {
    table: sessions,
    rows: org(sessions.org_id, { outlives: true }),
    // Those who were asked about the ticket it came of.
    readable: (ctx) =>
      ctx.identity && ctx.can('tickets.view_ticket') ? wasAsked(sessions.id, ctx.identity.id) : undefined,
    counts: sessionCounts,
    relations,
    filters,
    computed: {
      ...computed,
      command_amount: sql`(select count(*)::int from ${commands} where ${commands.session} = ${sessions.id})`,
    },
    calls: {
      open: (ctx, { served, body }) => open(ctx, served, body),
      begin: (ctx, { body }) => begin(ctx, services, body),
      change: (ctx, { served, parameters, body }) => change(ctx, served, parameters.id, body),
      changeListed: async (ctx, { served, body }) => {
        const rows: StoredRow[] = []
        for (const { id, ...changes } of body) rows.push(await change(ctx, served, id, changes))
        return await presentAll(served, ctx, rows)
      },
      finishRecording: (ctx, { parameters, body }) => finishRecording(ctx, parameters, body),
      finishNumbered: (ctx, { parameters, body }) => finishRecording(ctx, parameters, body),
      recording: (ctx, { row: { id } }) => recordingIndex(ctx, services.storage, { id }),
      recordings: (ctx, { row }) => recordingsOf(ctx, row.id),
      numbered: (ctx, { row: { id }, parameters: { recording } }) =>
        recordingIndex(ctx, services.storage, { id, recording }),
      replay: (ctx, { row }) => replayFacts(ctx, row.id),
      onlineAmount: async (ctx, { body: { users: ids, here = false } }) => ({
        count: await ctx.db.$count(
          sessions,
          and(
            eq(sessions.is_finished, false),
            here ? eq(sessions.org_id, ctx.org.id) : undefined,
            inArray(
              sessions.user_id,
              ctx.db
                .select({ id: sql<string>`${users.id}::text` })
                .from(users)
                .where(and(inArray(users.id, ids), visiblePeople(ctx))),
            ),
          ),
        ),
      }),
      validateJoin: async (_ctx, { body: { user_id = '', session_id = '' } }) => {
        const may: Joined =
          isUuid(user_id) && isUuid(session_id)
            ? await mayWatch(services, user_id, session_id)
            : { ok: false, code: 'session_not_joinable' }
        if (may.ok) return { ok: true, msg: '' }
        const { code } = may
        throw new ApiError(401, code, {
          body: (language) => ({ ok: false, msg: translate(errors, language, code) }),
        })
      },
    },
  })

/** One's own, over all organizations. */
export const mySessionServed: Served = serve(MySession, {
  table: sessions,
  rows: own(sessions.user_id),
  relations,
  filters,
  computed,
})

/** SQL: whether something recorded of a session has arrived. */
export const hasChunks: SQL = sql`exists (select 1 from ${recordingChunks} where ${recordingChunks.session_id} = ${sessions.id})`

/** As it is now; the component names the organization itself, whatever it calls in. */
async function stored(ctx: Context, served: Served, id: string): Promise<StoredRow> {
  const row = await storedRow(served, ctx.inOrg({ ...ctx.org, is_root: true }), eq(sessions.id, id))
  if (row === undefined) throw new Error('a session that was just written was not found')
  return row
}

type Calls = (typeof Session)['calls']

function organizationOf(text: string | undefined): string {
  if (!text) return defaultOrgId
  if (!isUuid(text)) throw invalid('org_id', 'not_uuid')
  return text
}

async function open(
  ctx: Context,
  served: Served,
  { ticket, ...body }: BodyOf<Calls['open']>,
): Promise<StoredRow> {
  const org_id = organizationOf(body.org_id)
  const { id } = await putOnBooks(ctx, await callingTerminal(ctx), {
    ...body,
    account_id: body.account_id ?? '',
    org_id,
    date_start: momentOf(ctx, 'date_start', body.date_start),
    date_end: body.date_end ? momentOf(ctx, 'date_end', body.date_end) : null,
  })
  if (ticket !== undefined) await keepWithTicket(ctx, ticket, { id, ...body })
  return await stored(ctx, served, id)
}

async function change(
  ctx: Context,
  served: Served,
  id: string,
  body: BodyOf<Calls['change']>,
): Promise<StoredRow> {
  const session = await ownSession(ctx, id, { lock: true })
  const isEnd = body.is_finished === true
  // The first end counts, except where it was only guessed because the gateway had been silent.
  const isNews = isEnd && (!session.is_finished || session.end_reason === 'gateway_lost')
  await ctx.db
    .update(sessions)
    .set({
      ...(body.is_success === undefined ? {} : { is_success: body.is_success }),
      ...(isNews
        ? {
            is_finished: true,
            date_end: momentOf(ctx, 'date_end', body.date_end),
            end_reason: body.end_reason ?? null,
            end_detail: (body.end_detail ?? '').slice(0, endDetailMax),
          }
        : {}),
      // What a component says is believed of what arrived.
      has_replay: sql`${sessions.has_replay} or (${isEnd || body.has_replay === true} and ${hasChunks})`,
    })
    .where(eq(sessions.id, session.id))
  if (isNews)
    await ctx.db
      .update(terminalTasks)
      .set({ is_finished: true, date_finished: new Date() })
      .where(and(eq(terminalTasks.args, session.id), eq(terminalTasks.is_finished, false)))
  return await stored(ctx, served, session.id)
}

type Joined = { ok: true } | { ok: false; code: 'session_not_joinable' | 'session_join_refused' }

/** Whether that person may watch that session: with `monitor_session` in the session's organization, or where they were asked about its ticket. */
export async function mayWatch(
  { rbac, database }: Pick<TerminalServices, 'rbac' | 'database'>,
  userId: string,
  sessionId: string,
): Promise<Joined> {
  const [session] = await database.db
    .select({ org_id: sessions.org_id, wasAsked: wasAsked(sessions.id, userId) })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), joinableSql))
    .limit(1)
  if (session === undefined) return { ok: false, code: 'session_not_joinable' }
  const [person] = await database.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isValid))
    .limit(1)
  if (person === undefined) return { ok: false, code: 'session_join_refused' }
  const held = await rbac.permissions(userId, session.org_id)
  const may =
    held.has('terminal.monitor_session') ||
    (session.wasAsked && held.has('tickets.view_ticket')) ||
    (await rbac.isSuperAdmin(userId))
  return may ? { ok: true } : { ok: false, code: 'session_join_refused' }
}
