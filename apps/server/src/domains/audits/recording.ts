/** Writes the books: what changed, who signed in, whose password changed. Runs in the transaction of what it records. */
import { defaultOrgId, find, labelOf, models, type OperateAction, rootOrgId } from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import { placeOf } from '../../kernel/addresses.ts'
import { type Context, displayOf } from '../../kernel/context.ts'
import type {
  CalledOn,
  Changed,
  DomainEvent,
  EventData,
  EventName,
  Happened,
  Recorder,
} from '../../kernel/events.ts'
import { inPieces } from '../../kernel/pieces.ts'
import { asText, cut, type Diff, diffOf, differs, maxSide, sidesOf } from './difference.ts'
import type { Members } from './resources.ts'
import { loginLogs, operateLogs, passwordChangeLogs } from './tables.ts'

const actions = { created: 'create', updated: 'update', deleted: 'delete' } as const
const uuid = /^[0-9a-f-]{36}$/

/** The key of a record's diff that names the declared call; field names have no such character. */
export const callKey = '()'

/** A change of what is declared to have no books, or one that changed nothing: there is nothing to record. */
const isNothing = (event: Changed | CalledOn) =>
  !event.resource.audited || (event.type === 'updated' && !differs(event))

/** The operate log of a change or a declared call; a call is recorded whether or not a field shows its effect. */
async function rowLog(booking: Booking, event: Changed | CalledOn): Promise<OperateLog> {
  const diff = diffOf(event)
  const row = event.after ?? event.before
  const named = asText(row?.['name'] ?? row?.['username'] ?? row?.['address'] ?? event.id)
  const { within } = event.resource
  const org = row?.['org_id']
  const operation: Operation = {
    action: event.type === 'called' ? event.action : actions[event.type],
    resource_type: `${event.resource.app}.${event.resource.model}`,
    resource:
      named === ''
        ? partsOf(event, diff)
        : within === undefined
          ? named
          : `${named}@${asText(row?.[within])}`,
    resource_id: event.id,
    diff: event.type === 'called' ? { [callKey]: ['', event.call], ...diff } : diff,
  }
  return await operateLogOf(booking, operation, typeof org === 'string' && uuid.test(org) ? org : undefined)
}

/** Of what there is one of, without a name: `[Email settings] SMTP host, Port` (audits.md 2). */
function partsOf({ resource }: Changed | CalledOn, diff: Diff): string {
  const fields = Object.keys(diff).map((name) => {
    const field = resource.fields[name]
    return field ? labelOf(resource, name, field, 'en') : name
  })
  return `[${find(models, 'en', `${resource.app}.${resource.model}`) ?? resource.model}] ${fields.join(', ')}`.trim()
}

const short = (text: string, max = 128) => cut(text, max)

/** How the books keep each event that is no change of a row; what is said to be in none is the consequence of something that is. */
const recorders: {
  readonly [Name in EventName]: ((booking: Booking, data: EventData[Name]) => Promise<unknown>) | 'in none'
} = {
  login: ({ ctx }, login) =>
    ctx.db.insert(loginLogs).values({
      ...login,
      username: short(login.username),
      ip: short(login.ip, 64),
      user_agent: short(login.user_agent, 254),
      city: placeOf(login.ip),
    }),
  password_changed: ({ ctx }, changed) =>
    ctx.db
      .insert(passwordChangeLogs)
      .values({ ...changed, user: short(changed.user), change_by: short(changed.change_by) }),
  mfa_changed: async (booking, { user_id, user, by, change }) => {
    // The administrator's call is recorded as such.
    if (change === 'reset') return
    const changed: Operation = {
      action: 'update',
      resource_type: 'users.user',
      resource: user,
      resource_id: user_id,
      diff: { mfa: ['', change] },
    }
    // Nobody is signed in yet when somebody sets it up on the way in.
    const log = { ...(await operateLogOf(booking, changed, undefined)), user: short(by) }
    await booking.ctx.db.insert(operateLogs).values(booking.ctx.identity ? log : { ...log, user_id })
  },
  operated: (booking, { org_id, reason, ...operated }) =>
    book(
      booking,
      { ...operated, ...(reason ? { diff: { reason: ['', short(reason, maxSide)] } } : {}) },
      org_id,
    ),
  'assets.node_assets_changed': (booking, { node, assets, how }) => {
    const [, names] = sidesOf(undefined, [], assets)
    return book(
      booking,
      {
        action: 'update',
        resource_type: 'assets.node',
        resource: node.name,
        resource_id: node.id,
        diff: { assets: how === 'remove' ? [names, ''] : ['', names] },
      },
      node.org_id,
    )
  },
  users_left_org: 'in none',
  sign_ins_ended: 'in none',
  browsers_signed_out: 'in none',
  host_key_changed: 'in none',
}

interface Operation {
  action: OperateAction
  resource_type: string
  resource: string
  resource_id?: string
  diff?: Diff
}
type OperateLog = typeof operateLogs.$inferInsert
async function operateLogOf(
  { ctx, homeOrgId }: Booking,
  operation: Operation,
  orgId: string | undefined,
): Promise<OperateLog> {
  return {
    ...operation,
    resource: short(operation.resource),
    user: ctx.identity ? short(displayOf(ctx.identity)) : 'System',
    user_id: ctx.identity?.id ?? null,
    remote_addr: ctx.remoteAddr,
    org_id: orgId ?? (await homeOrgId()),
  }
}
const book = async (booking: Booking, operation: Operation, orgId?: string) =>
  booking.ctx.db.insert(operateLogs).values(await operateLogOf(booking, operation, orgId))

/** The keeping of one write's books. */
interface Booking {
  ctx: Context
  /** Whose books keep what is in no organization by itself; looked up once. */
  homeOrgId: () => Promise<string>
}

/**
 * Whose books keep what somebody does to what is in no organization by itself (a person, a platform, one's own keys): those of the
 * organization worked in, if they belong there or have a part in the whole system; else of one they belong to, the default one first; of
 * those who belong nowhere, those of the whole system. Who is recorded does not choose the books by naming an organization.
 */
async function homeOf({ db, identity, org, bySystem }: Context, members: Members): Promise<string> {
  if (identity === undefined) return bySystem ? org.id : defaultOrgId
  if (identity.isSuperAdmin) return org.id
  const me = sql`${identity.id}::uuid`
  const found = await db.execute<{ id: string }>(sql`
    select id from (
      select ${org.id}::uuid as id, 0 as place
        where ${org.id}::uuid in (${members.orgs(me)}) or ${members.isOfSystem(me)}
      union all select org_id, case org_id when ${defaultOrgId} then 1 else 2 end
        from (${members.orgs(me)}) as own (org_id)) as possible
    order by place, id limit 1`)
  return found.rows[0]?.id ?? rootOrgId
}

export const keepBooks =
  (members: Members): Recorder =>
  (ctx, events) => {
    let home: Promise<string> | undefined
    return record({ ctx, homeOrgId: () => (home ??= homeOf(ctx, members)) }, events)
  }

const logsAtOnce = 1000
async function record(booking: Booking, events: readonly DomainEvent[]): Promise<void> {
  const { ctx } = booking
  const changes = events.filter((event) => event.type !== 'happened')
  const told: typeof changes = []
  for await (const event of inPieces(changes)) if (!isNothing(event)) told.push(event)
  // What nobody did (a sweep, the first start) is no operation.
  const isOperation = ctx.identity !== undefined || ctx.bySystem === true
  const logs = isOperation ? await Array.fromAsync(inPieces(told), (event) => rowLog(booking, event)) : []
  ctx.told.booked += changes.length - told.length + logs.length
  // One parameter for a thousand of them: rows of ten parameters each take longer to put together than to write.
  for (let at = 0; at < logs.length; at += logsAtOnce)
    await ctx.db
      .execute(sql`insert into ${operateLogs} ("user", user_id, action, resource_type, resource, resource_id, remote_addr, org_id, diff)
      select "user", user_id, action, resource_type, resource, resource_id, remote_addr, org_id, diff
      from jsonb_to_recordset(${JSON.stringify(logs.slice(at, at + logsAtOnce))}::jsonb) as log (
        "user" text, user_id uuid, action text, resource_type text, resource text, resource_id text,
        remote_addr text, org_id uuid, diff jsonb)`)
  for (const event of events) if (event.type === 'happened') await happened(booking, event)
}

async function happened(booking: Booking, event: Happened): Promise<void> {
  const recorder = recorders[event.name] as
    | 'in none'
    | ((booking: Booking, data: Happened['data']) => Promise<unknown>)
  if (recorder === 'in none') return
  await recorder(booking, event.data)
  booking.ctx.told.booked += 1
}
