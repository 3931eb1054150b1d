/** What gateways take and tell of targets they were told to try. */
import { isUuid, modelLabel, ProbeBatches } from '@sallyport/contract'
import { allowsOldSsh } from '@sallyport/contract/assets/protocols'
import {
  type ClaimedBatchTold,
  probeResultsSchema,
  type ProbeTarget,
} from '@sallyport/contract/gateway/probes'
import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Context } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { executionRows } from '../../kernel/executions/index.ts'
import type { Live } from '../../kernel/live.ts'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import type { Secrets } from '../../kernel/secrets/index.ts'
import { accounts, zoneIdOf, zonesOf } from '../accounts/index.ts'
import { assets, platforms } from '../assets/index.ts'
import { addressAt, callingTerminal, hostKeys } from '../terminal/index.ts'
import { probeChannel } from './dispatch.ts'
import { type PlannedTarget, probeBatches } from './tables.ts'

type Batch = typeof probeBatches.$inferSelect

/** The account another one is become from. */
const sudoers = alias(accounts, 'su_from')

/** One that was given to the calling gateway, is not finished, and that somebody waits for. @throws ApiError 404 */
const isOwn = async (ctx: Context, id: string) => {
  const terminal = await callingTerminal(ctx)
  return and(
    isUuid(id) ? eq(probeBatches.id, id) : sql`false`,
    eq(probeBatches.terminal_id, terminal.id),
    eq(probeBatches.is_finished, false),
    sql`exists (
      select
      from ${executionRows}
      where ${executionRows.id} = ${probeBatches.execution_id} and ${executionRows.status} = 'running')`,
  )
}
const noBatch = () => notFound((language) => modelLabel(ProbeBatches, language))

export const probeBatchCalls = ({ live, secrets }: { live: Live; secrets: Secrets }): Provided =>
  provide(ProbeBatches, {
    claim: async (ctx, { parameters, about }) => {
      const [batch] = await ctx.db
        .update(probeBatches)
        .set({ date_heard: sql`now()` })
        .where(await isOwn(ctx, parameters.id))
        .returning()
      if (batch === undefined) throw noBatch()
      const told = await contentsOf(ctx, secrets, batch)
      const used = await recordUse(ctx, batch, told.zones)
      if (!used) about([])
      return told
    },
    report: async (ctx, { parameters, body }) => {
      const results = probeResultsSchema.safeParse(body.results)
      if (!results.success) throw invalid('results', 'value_refused')
      const [batch] = await ctx.db
        .update(probeBatches)
        .set({
          // What is told twice, as where an answer was lost, counts once.
          results: sql`${probeBatches.results} || ${JSON.stringify(results.data)}::jsonb`,
          is_finished: body.is_finished,
          date_heard: sql`now()`,
        })
        .where(
          and(
            await isOwn(ctx, parameters.id),
            sql`jsonb_array_length(${probeBatches.results}) + ${results.data.length}::int
              <= 2 * jsonb_array_length(${probeBatches.targets})`,
          ),
        )
        .returning({ execution: probeBatches.execution_id })
      if (batch === undefined) throw noBatch()
      await live.publish(probeChannel, batch, ctx.db)
    },
  })

async function contentsOf(ctx: Context, secrets: Secrets, batch: Batch): Promise<ClaimedBatchTold> {
  const ids = <K extends 'asset' | 'account'>(name: K) =>
    batch.targets.flatMap((target) => target[name] ?? [])
  const machines = await ctx.db
    .select({ asset: assets, platform: platforms })
    .from(assets)
    .innerJoin(platforms, eq(platforms.id, assets.platform_id))
    .where(inArray(assets.id, ids('asset')))
  const opening = await ctx.db
    .select({ account: getTableColumns(accounts), from: getTableColumns(sudoers) })
    .from(accounts)
    .leftJoin(sudoers, eq(sudoers.id, accounts.su_from_id))
    .where(inArray(accounts.id, ids('account')))
  const keys = await ctx.db
    .select({
      asset_id: hostKeys.asset_id,
      address: hostKeys.address,
      algorithm: hostKeys.algorithm,
      key: hostKeys.key,
      fingerprint: hostKeys.fingerprint,
    })
    .from(hostKeys)
    .where(and(inArray(hostKeys.asset_id, ids('asset')), eq(hostKeys.state, 'accepted')))
  const domains = machines.flatMap(({ asset, platform }) => zoneIdOf(asset, platform) ?? [])
  const zones = await zonesOf(ctx, secrets, [...new Set(domains)])
  const targets = batch.targets.flatMap((target, at) => {
    const machine = machines.find(({ asset }) => asset.id === target.asset)
    const opened = opening.find(({ account }) => account.id === target.account)
    // Deleted or of another kind since: nobody asks for it any more.
    if (machine === undefined || (target.account !== null && !(opened && signsIn(opened)))) return []
    const { asset, platform } = machine
    const address = addressAt(asset.address, target.port)
    return [
      {
        at,
        asset: {
          id: asset.id,
          name: asset.name,
          address: asset.address,
          db_name: asset.db_name,
          tls: asset.use_ssl ? tlsOf(secrets, asset) : null,
        },
        method: target.method,
        port: target.port,
        leads_to: target.leads_to ?? null,
        domain: zoneIdOf(asset, platform),
        old_ssh_version: allowsOldSsh(platform.protocols),
        account: opened ? accountOf(secrets, target, platform, opened) : null,
        host_keys: {
          address,
          keys: keys
            .filter((key) => key.asset_id === asset.id && key.address === address)
            .map(({ algorithm, key, fingerprint }) => ({ algorithm, key, fingerprint })),
        },
      } satisfies ProbeTarget,
    ]
  })
  return { facts: batch.facts, targets, zones }
}

type Account = typeof accounts.$inferSelect
/** A token or an access key is not told to a target as if it was a password. */
const signsIn = ({ account, from }: { account: Account; from: Account | null }) =>
  account.secret !== null &&
  [account, ...(from ? [from] : [])].every(
    ({ secret_type: type }) => type === 'password' || type === 'ssh_key',
  )
const credentialsOf = (secrets: Secrets, { username, secret_type: type, secret }: Account) => ({
  username,
  secret_type: type === 'ssh_key' ? ('ssh_key' as const) : ('password' as const),
  secret: secret === null ? '' : secrets.unseal(secret),
})

/** Whom to sign in as; an old Redis knows no names, as its platform says. */
function accountOf(
  secrets: Secrets,
  { method }: PlannedTarget,
  platform: typeof platforms.$inferSelect,
  { account, from }: { account: Account; from: Account | null },
): NonNullable<ProbeTarget['account']> {
  const setting = platform.protocols.find(({ name }) => name === 'redis')?.setting
  const isNameless = method === 'redis' && setting?.auth_username !== true
  return {
    ...credentialsOf(secrets, account),
    ...(isNameless && { username: '' }),
    // Where nobody may switch, the account signs in by itself.
    su_from: from && platform.su_enabled ? credentialsOf(secrets, from) : null,
    su_method: platform.su_method ?? 'su',
  }
}

/** How the encryption of a database is checked, and what is shown to it. */
function tlsOf(
  secrets: Secrets,
  asset: typeof assets.$inferSelect,
): NonNullable<ProbeTarget['asset']['tls']> {
  const open = (sealed: string | null) => (sealed === null ? '' : secrets.unseal(sealed))
  return {
    ca: open(asset.ca_cert),
    cert: open(asset.client_cert),
    key: open(asset.client_key),
    allow_invalid: asset.allow_invalid_cert,
  }
}

/** Each account whose secret a gateway is told. Answers whether there is any. */
async function recordUse(ctx: Context, batch: Batch, zones: ClaimedBatchTold['zones']): Promise<boolean> {
  const ways = zones.flatMap(({ gateways }) => gateways.flatMap(({ account }) => account?.id || []))
  const used = [...batch.targets.flatMap(({ account }) => account ?? []), ...ways]
  if (used.length === 0) return false
  const rows = await ctx.db
    .select({ id: accounts.id, name: accounts.name, asset: assets.name, org_id: accounts.org_id })
    .from(accounts)
    .innerJoin(assets, eq(assets.id, accounts.asset_id))
    // Those they are become from, too.
    .where(
      sql`(${inArray(accounts.id, used)}
        or ${accounts.id} in (select own.su_from_id from ${accounts} as own where ${inArray(sql`own.id`, used)}))`,
    )
  await ctx.emit(
    ...rows.map(({ id, name, asset, org_id }) => ({
      type: 'happened' as const,
      name: 'operated' as const,
      data: {
        action: 'connect' as const,
        resource_type: 'accounts.account',
        resource: `${name}@${asset}`,
        resource_id: id,
        reason: batch.user,
        org_id,
      },
    })),
  )
  return rows.length > 0
}
