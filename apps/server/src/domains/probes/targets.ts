/** Which targets a task is about, and how each of them is tried. */
import {
  type AssetType,
  type Category,
  constraintsOf,
  type Language,
  type SecretType,
  serverTexts,
  translate,
} from '@sallyport/contract'
import type { ProbeMethod } from '@sallyport/contract/gateway/probes'
import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { accounts, gatewayAccount } from '../accounts/index.ts'
import { assets, isGateway, platforms } from '../assets/index.ts'
import type { PlannedTarget } from './tables.ts'

export interface Candidate {
  id: string
  name: string
  address: string
  is_active: boolean
  protocols: readonly { name: string; port: number | null }[]
  category: Category
  type: AssetType
  can_ping: boolean
  /** What came of it since the time that was asked for, where something did. */
  settled: 'ok' | 'err' | null
  can_gather: boolean
  /** Whom to sign in as; of a test of accounts the one that is tested. */
  account: {
    id: string
    name: string
    username: string
    secret_type: SecretType
    has_secret: boolean
    /** Whether it is become from another account, and that one can be signed in with. */
    switches: boolean
    can_switch: boolean | null
  } | null
}

/** Something to be tried, with what it is called in the log. */
export interface Planned {
  target: PlannedTarget
  name: string
  account: string
  /** Said before it is tried. */
  note?: string
  /** Whether its machine can be asked afterwards what it is. */
  gathersFacts: boolean
}
export interface LeftOut {
  name: string
  why: string
}

const pageSize = 500

const flag = (name: 'ping_enabled' | 'gather_facts_enabled' | 'ansible_enabled') =>
  sql`coalesce((${platforms.automation} ->> ${sql.raw(`'${name}'`)})::boolean, false)`
/** SQL: whether connectivity of a platform's assets may be tested as the compatible system says it. */
export const canPing = sql<boolean>`(${flag('ansible_enabled')} and ${flag('ping_enabled')})`
/** SQL: whether it is become from another account. */
const switches = sql`(${accounts.su_from_id} is not null and ${platforms.su_enabled})`
const asJson = sql`json_build_object(
  'id', ${accounts.id}, 'name', ${accounts.name}, 'username', ${accounts.username},
  'secret_type', ${accounts.secret_type}, 'has_secret', ${accounts.secret} is not null, 'switches', ${switches},
  'can_switch', (
    select own.is_active and own.secret is not null and own.secret_type in ('password', 'ssh_key')
    from ${accounts} as own
    where own.id = ${accounts.su_from_id}))`

const speaks = (protocol: string) =>
  sql`${assets.protocols} @> ${JSON.stringify([{ name: protocol }])}::jsonb`
/** SQL: whether it can sign in there at all: keys by SSH alone, without a name to Redis alone. */
const mayFit = sql`((${accounts.secret_type} = 'password' or ${speaks('ssh')}) and (${accounts.username} <> '' or ${speaks('redis')}))`

/** The account assets are tested with: of those that fit the usual administrators first, then privileged ones, then what was right before. */
const usual = sql`left join lateral (
  select ${asJson} as account
  from ${accounts}
  where ${accounts.asset_id} = ${assets.id}
    and ${accounts.is_active}
    and ${accounts.secret} is not null
    and ${accounts.secret_type} in ('password', 'ssh_key')
  order by ${mayFit} desc, lower(${accounts.username}) in ('root', 'administrator') desc, ${accounts.privileged} desc,
    array_position(array['ok', '-', 'err'], ${accounts.connectivity}), ${accounts.date_updated} desc, ${accounts.id}
  limit 1) as chosen on true`

const shown = sql`${assets.id} as id, ${assets.name} as name, ${assets.address} as address,
  ${assets.is_active} as is_active, ${assets.protocols} as protocols,
  ${platforms.category} as category, ${platforms.type} as type, ${canPing} as can_ping, ${flag('gather_facts_enabled')} as can_gather`
const here = (ctx: Context) => (ctx.org.is_root ? sql`true` : sql`${assets.org_id} = ${ctx.org.id}`)

type Page = (Candidate & { place: string })[]
async function* paged(read: (after: string) => Promise<Page>): AsyncGenerator<Candidate[]> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const page = await read(after)
    if (page.length > 0) yield page
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last.place
  }
}

const settledSince = (table: typeof assets | typeof accounts, since: Date | undefined) =>
  since === undefined
    ? sql`null`
    : sql`case when ${table.date_verified} >= ${since.toISOString()}::timestamptz then nullif(${table.connectivity}, '-') end`

/** Assets of the context's organization, page by page. */
export const assetsWhere = (ctx: Context, condition: SQL, since?: Date): AsyncGenerator<Candidate[]> =>
  paged(async (after) => {
    const { rows } = await ctx.db.execute<Page[number] & Record<string, unknown>>(
      sql`select ${assets.id} as place, ${shown}, ${settledSince(assets, since)} as settled, chosen.account
        from ${assets}
        join ${platforms} on ${platforms.id} = ${assets.platform_id}
        ${usual}
        where ${condition} and ${here(ctx)} and ${assets.id} > ${after}
        order by ${assets.id} limit ${pageSize}`,
    )
    return rows
  })

/** Accounts, each with its asset. */
export const accountsNamed = (
  ctx: Context,
  ids: readonly string[],
  since?: Date,
): AsyncGenerator<Candidate[]> =>
  paged(async (after) => {
    const { rows } = await ctx.db.execute<Page[number] & Record<string, unknown>>(
      sql`select ${accounts.id} as place, ${shown}, ${settledSince(accounts, since)} as settled, ${asJson} as account
        from ${accounts}
        join ${assets} on ${assets.id} = ${accounts.asset_id}
        join ${platforms} on ${platforms.id} = ${assets.platform_id}
        where ${accounts.id} = any(${sql.param(ids)}::uuid[]) and ${here(ctx)} and ${accounts.id} > ${after}
        order by ${accounts.id} limit ${pageSize}`,
    )
    return rows
  })

/** Protocols somebody signs in by to be tested; of others the port is. */
const spoken: Readonly<Record<string, ProbeMethod>> = {
  ssh: 'ssh',
  postgresql: 'postgresql',
  mysql: 'mysql',
  mariadb: 'mysql',
  redis: 'redis',
}

/** A gateway of a network zone, and whom sessions sign in there as. */
export async function gatewayNamed(ctx: Context, id: string): Promise<Candidate | undefined> {
  const { rows } = await ctx.db.execute<Candidate & Record<string, unknown>>(
    sql`select ${shown}, null as settled, (select ${asJson} from ${gatewayAccount} as accounts) as account
      from ${assets}
      join ${platforms} on ${platforms.id} = ${assets.platform_id}
      where ${assets.id} = ${id} and ${isGateway} and ${here(ctx)}`,
  )
  return rows[0]
}

const nameOf = ({ name, address }: Candidate) => `${name}(${address})`
const isWeb = ({ category }: Candidate) => category === 'web' || category === 'cloud'

/** Where and how it is tried: by a protocol it can be signed in to, else the first it has. */
function wayTo(candidate: Candidate): { method: ProbeMethod; port: number; protocol: string } | undefined {
  const { protocols } = candidate
  const found = protocols.find(({ name }) => spoken[name] !== undefined) ?? protocols[0]
  if (isWeb(candidate)) return { method: 'http', port: found?.port ?? 0, protocol: 'http' }
  if (found?.port === undefined || found.port === null) return undefined
  return { method: spoken[found.name] ?? 'port', port: found.port, protocol: found.name }
}

function isUsable({ account }: Candidate, method: ProbeMethod): boolean {
  if (account?.has_secret !== true) return false
  if (account.username === '' && method !== 'redis') return false
  if (account.switches && method === 'ssh' && account.can_switch !== true) return false
  return account.secret_type === 'password' || (account.secret_type === 'ssh_key' && method === 'ssh')
}

export type What = 'connectivity' | 'facts' | 'account' | 'gateway'

/** How a candidate is tried, or why it is not. */
export function planOf(candidate: Candidate, what: What, language: Language): Planned | LeftOut {
  const name = nameOf(candidate)
  const out = (why: 'probe_inactive' | 'probe_switched_off' | 'probe_no_ssh' | 'probe_no_port'): LeftOut => ({
    name,
    why: translate(serverTexts, language, why),
  })
  if (!candidate.is_active) return out('probe_inactive')
  const way = wayTo(candidate)
  if (way === undefined) return out('probe_no_port')
  const { method, port, protocol } = way
  const { account } = candidate
  const signsIn = method !== 'port' && method !== 'http'
  const planned = (by: ProbeMethod, note?: string): Planned => ({
    target: {
      asset: candidate.id,
      account: by === method && signsIn ? (account?.id ?? null) : null,
      method: by,
      port,
    },
    name,
    account: account?.username || account?.name || '',
    gathersFacts: candidate.can_gather && by === 'ssh',
    ...(note === undefined ? {} : { note }),
  })
  // Types that know no such test are tried in our own way.
  const isOffered = constraintsOf(candidate.category, candidate.type)?.automation['ping_enabled'] === true
  if (what === 'connectivity' && isOffered && !candidate.can_ping) return out('probe_switched_off')
  if (what === 'facts') {
    if (!candidate.can_gather) return out('probe_switched_off')
    if (method !== 'ssh') return out('probe_no_ssh')
  }
  if (signsIn && isUsable(candidate, method)) return planned(method)
  if (what !== 'connectivity') {
    const why =
      what === 'facts' ? 'probe_no_account' : signsIn ? 'probe_no_secret' : 'probe_account_untestable'
    return { name, why: translate(serverTexts, language, why, { protocol }) }
  }
  if (method === 'http') return planned('http')
  const why = signsIn ? 'probe_no_account' : 'probe_protocol_unknown'
  return planned('port', translate(serverTexts, language, why, { protocol }))
}

/** How a gateway is tried: by signing in as sessions do, and being led to a port of its own. */
export function planOfGateway(
  gateway: Candidate,
  leadsTo: number | undefined,
  language: Language,
): Planned | LeftOut {
  const planned = planOf(gateway, 'account', language)
  if ('why' in planned) return planned
  const { target } = planned
  return { ...planned, target: { ...target, method: 'gateway', leads_to: leadsTo ?? target.port } }
}
