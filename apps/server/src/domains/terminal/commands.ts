/** What people typed: written by components in batches, each record once. */
import { Command, defaultOrgId, parseDatetime } from '@sallyport/contract'
import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { Reply, route, type Route } from '../../kernel/http/route.ts'
import { serve, type Served } from '../../kernel/resource/binding.ts'
import { org } from '../../kernel/resource/rows.ts'
import { callingTerminal } from './components.ts'
import { commands, sessions } from './tables.ts'

const recordsMax = 1000
const textMax = 2048

const escaped = (term: string) => term.replaceAll(/[\\%_]/g, String.raw`\$&`)
const epochOf = (value: string, ctx: Context): number =>
  Math.floor((parseDatetime(value, ctx.zone)?.getTime() ?? 0) / 1000)
const bySession = (value: string): SQL => eq(commands.session, value)

export const commandServed: Served = serve(Command, {
  table: commands,
  rows: org(commands.org_id, { outlives: true }),
  computed: {
    remote_addr: sql`(select coalesce(${sessions.remote_addr}, '') from ${sessions} where ${sessions.id} = ${commands.session})`,
    timestamp_display: sql`to_timestamp(${commands.timestamp})`,
  },
  filters: {
    session_id: bySession,
    session: (value) => sql`${commands.session}::text = ${value}`,
    // There is one storage, the database.
    command_storage_id: () => undefined,
    user: (value) => sql`${commands.user} like ${`${escaped(value)}%`}`,
    input: (value) => sql`${commands.input} ilike ${`%${escaped(value)}%`}`,
    date_from: (value, ctx) => sql`${commands.timestamp} >= ${epochOf(value, ctx)}`,
    date_to: (value, ctx) => sql`${commands.timestamp} <= ${epochOf(value, ctx)}`,
  },
})

/** A person's name keeps its beginning and its end. */
const middleCut = (max: number, between: string) => (text: string) => {
  if (text.length <= max) return text
  const half = Math.floor((max - between.length) / 2)
  return `${text.slice(0, half)}${between}${text.slice(-half)}`
}
/** PostgreSQL's text has no null characters; people's terminals do. Whole characters only. */
const kept = (max: number) =>
  z
    .string()
    .max(64 * 1024)
    .transform((text) => text.replaceAll('\u0000', '').slice(0, max).toWellFormed())

const record = z.object({
  id: z.guid().optional(),
  session: z.guid(),
  user: z.string().max(1024).transform(middleCut(64, '')),
  asset: kept(128),
  account: z.string().max(1024).transform(middleCut(64, '...')),
  input: kept(textMax),
  output: kept(textMax).default(''),
  risk_level: z.union([z.literal(0), z.literal(5)]).catch(0),
  org_id: z.union([z.guid(), z.literal('')]).default(''),
  timestamp: z.number().int().min(0).max(2_147_483_647),
})

/** A record delivered again (same id) is not stored again; the organization is the session's. */
async function add(ctx: Context, records: z.output<typeof record>[]): Promise<Reply> {
  await callingTerminal(ctx)
  const ids = [...new Set(records.map(({ session }) => session))]
  const known =
    ids.length === 0
      ? []
      : await ctx.db
          .update(sessions)
          .set({ has_command: true })
          .where(inArray(sessions.id, ids))
          .returning({ id: sessions.id, org_id: sessions.org_id })
  const orgs = new Map(known.map(({ id, org_id }) => [id, org_id]))
  if (records.length > 0)
    await ctx.db
      .insert(commands)
      .values(
        records.map((one) => ({
          ...one,
          org_id: orgs.get(one.session) ?? (one.org_id === '' ? defaultOrgId : one.org_id),
        })),
      )
      .onConflictDoNothing()
  return new Reply(201, 'ok')
}

export const commandRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/api/v1/terminal/commands/',
    access: 'component',
    transaction: true,
    bodyLimit: 16 << 20,
    body: z.array(record).max(recordsMax),
    handler: (ctx, { body }) => add(ctx, body),
  }),
]
