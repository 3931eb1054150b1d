/** What people typed: written by components in batches, each record once. */
import {
  type BodyOf,
  Command,
  CommandStorages,
  parseDatetime,
  serverTexts,
  translate,
} from '@sallyport/contract'
import { commandInputMax, shortened } from '@sallyport/contract/gateway/commands'
import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { beginning, containing } from '../../kernel/database/index.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { serve, type Served } from '../../kernel/resource/binding.ts'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import { conditionsOf } from '../../kernel/resource/query.ts'
import { org } from '../../kernel/resource/rows.ts'
import { alert } from './command-alerts.ts'
import { callingTerminal, noSession, ofAnother, type SessionRow } from './components.ts'
import type { TerminalServices } from './services.ts'
import { commandCounts, commands, sessions } from './tables.ts'

const outputMax = 2048
/** Of the one storage there is. */
const defaultStorageId = '00000000-0000-0000-0000-000000000002'

const epochOf = (value: string, ctx: Context): number =>
  Math.floor((parseDatetime(value, ctx.zone)?.getTime() ?? 0) / 1000)
const bySession = (value: string): SQL => eq(commands.session, value)

export const commandServed = (services: Pick<TerminalServices, 'notifications'>): Served =>
  serve(Command, {
    table: commands,
    rows: org(commands.org_id, { outlives: true }),
    counts: commandCounts,
    computed: {
      remote_addr: sql`(select coalesce(${sessions.remote_addr}, '') from ${sessions} where ${sessions.id} = ${commands.session})`,
      timestamp_display: sql`to_timestamp(${commands.timestamp})`,
    },
    orders: { timestamp_display: commands.timestamp },
    filters: {
      session_id: bySession,
      session: (value) => sql`${commands.session}::text = ${value}`,
      // There is one storage, the database.
      command_storage_id: (value) => {
        if (value !== defaultStorageId) throw invalid('command_storage_id', 'does_not_exist', { pk: value })
        return undefined
      },
      user: (value) => sql`${commands.user} like ${beginning(value)}`,
      input: (value) => sql`${commands.input} ilike ${containing(value)}`,
      date_from: (value, ctx) => sql`${commands.timestamp} >= ${epochOf(value, ctx)}`,
      date_to: (value, ctx) => sql`${commands.timestamp} <= ${epochOf(value, ctx)}`,
    },
    calls: { add: (ctx, { body }) => add(ctx, body), alert: (ctx, { body }) => alert(ctx, services, body) },
  })

/** A person's name keeps its beginning and its end. */
function middleCut(text: string, max: number, between: string): string {
  if (text.length <= max) return text
  const half = Math.floor((max - between.length) / 2)
  return `${text.slice(0, half)}${between}${text.slice(-half)}`
}
/** Whole characters only. */
const kept = (text: string, max: number) => text.slice(0, max).toWellFormed()

type Of = Pick<SessionRow, 'user' | 'asset' | 'account' | 'org_id'>
type Sent = BodyOf<(typeof Command)['calls']['add']>
/** A record as it is stored: whose it is, where and as whom is what the books say of the session, whatever the component says. */
const storedOf = (
  { input = '', output = '', ...record }: Sent[number],
  { user, asset, account, org_id }: Of,
) => ({
  ...record,
  org_id,
  user: middleCut(user, 64, ''),
  asset: kept(asset, 128),
  account: middleCut(account, 64, '...'),
  input: shortened(input, commandInputMax),
  output: kept(output, outputMax),
})

/**
 * Records of sessions the calling component made; one delivered again (same id) is not stored again.
 * @throws ApiError 404 for a session that is not there, 409 for another component's: nothing of the batch is stored then.
 */
async function add(ctx: Context, records: Sent): Promise<'ok'> {
  const terminal = await callingTerminal(ctx)
  const ids = [...new Set(records.map(({ session }) => session))]
  if (ids.length === 0) return 'ok'
  const known = await ctx.db
    .select({
      id: sessions.id,
      terminal_id: sessions.terminal_id,
      org_id: sessions.org_id,
      user: sessions.user,
      asset: sessions.asset,
      account: sessions.account,
    })
    .from(sessions)
    .where(inArray(sessions.id, ids))
  if (known.some(({ terminal_id }) => terminal_id !== terminal.id)) throw ofAnother()
  const of = new Map(known.map((session) => [session.id, session]))
  await ctx.db
    .insert(commands)
    .values(
      records.map((one, at) => {
        const session = of.get(one.session)
        if (session === undefined) throw noSession()
        // Who does not count them sends them in their order.
        return { ...storedOf(one, session), sequence: one.sequence ?? at }
      }),
    )
    .onConflictDoNothing()
  await ctx.db.update(sessions).set({ has_command: true }).where(inArray(sessions.id, ids))
  return 'ok'
}

/** There is one storage, the database, below a root. */
export const commandStorages = (commandServed: Served): Provided =>
  provide(CommandStorages, {
    tree: async (ctx, { sent }) => {
      const { where } = conditionsOf(commandServed, ctx, sent, undefined)
      const count = await ctx.db.$count(commands, where)
      const name = translate(serverTexts, ctx.language, 'command_storages')
      const node = (id: string, label: string) => ({ id, name: label, title: label, open: false })
      return [
        { ...node('root', name), pId: '', isParent: true, open: true },
        { ...node(defaultStorageId, `default(server)(${count})`), pId: 'root', isParent: false, valid: true },
      ]
    },
  })
