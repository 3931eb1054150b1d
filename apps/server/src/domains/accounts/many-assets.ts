/** One account on each of many assets, with a word about each of them. Whatever their number, they are written by the set. */
import {
  type Account,
  accountOutcomes,
  choiceLabel,
  type ErrorKey,
  errors,
  maxAssetsOfAccount,
  translate,
} from '@sallyport/contract'
import { and, asc, eq, or, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { ApiError, forbidden, invalid, refused } from '../../kernel/errors.ts'
import type { CallsOf, InputOf } from '../../kernel/resource/binding.ts'
import { storedRows } from '../../kernel/resource/read.ts'
import { createRows, updateRows, type Writing } from '../../kernel/resource/write.ts'
import type { Secrets } from '../../kernel/secrets/index.ts'
import { assets, underNodes } from '../assets/index.ts'
import { copiedSecret, usedTemplates } from './copies.ts'
import { checkSecret, type CheckedSecret } from './secrets.ts'
import { accounts } from './tables.ts'

type AddToMany = CallsOf<typeof Account, typeof accounts>['addToMany']
type Body = Parameters<Exclude<AddToMany, { ahead: unknown }>>[1]['body']
type Input = InputOf<typeof Account, typeof accounts>
type Outcome = (typeof accountOutcomes.values)[number]

interface Target {
  id: string
  name: string
  address: string
}
interface There {
  id: string
  asset_id: string
  name: string
  isSame: boolean
}

export const addToMany = (secrets: Secrets): AddToMany => ({
  ahead: async (_ctx, { body }) => {
    const { secret, passphrase, secret_type = 'password' } = body
    const opened = secret ? await checkSecret(secret_type, secret, passphrase) : undefined
    return async (ctx, { served, about }) => {
      if (ctx.org.is_root) throw new ApiError(400, 'root_organization_write')
      const account = await accountOf(ctx, secrets, body, opened)
      // Of two who add the same at once, the second finds what the first has added.
      await ctx.db.execute(
        sql`select pg_advisory_xact_lock(hashtextextended(${`accounts of many assets ${ctx.org.id}`}, 0))`,
      )
      const targets = await targetsOf(ctx, body)
      const there = await accountsThere(ctx, account, targets)
      const plan = targets.map((target) => ({ target, ...planned(there.get(target.id), body.on_invalid) }))
      const writing = { served, ctx, secrets }
      const ids = new Map([
        ...(await createOnAssets(
          writing,
          account,
          plan.filter(({ state }) => state === 'created').map(({ target }) => target.id),
        )),
        ...(await update(
          writing,
          account,
          plan.flatMap(({ state, held }) => (state === 'updated' && held ? [held] : [])),
        )),
      ])
      if (ids.size === 0) about([])
      return plan.map(({ target, state, error, held }) => ({
        asset: target,
        state: { value: state, label: choiceLabel(accountOutcomes, state, ctx.language) },
        error: error === undefined ? null : translate(errors, ctx.language, error),
        account: ids.get(target.id) ?? held?.id ?? null,
      }))
    }
  },
})

const sent = (input: Input): Input =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))

/** The account as it is to be on each asset: of a template, what was not sent is the template's. */
async function accountOf(
  ctx: Context,
  secrets: Secrets,
  body: Body,
  opened: CheckedSecret | undefined,
): Promise<Input> {
  const { name, username, privileged, is_active, comment, secret_type } = body
  const own = sent({ name: name || undefined, username, privileged, is_active, comment })
  if (body.template) {
    const [template] = await usedTemplates(ctx, [body.template])
    if (template === undefined) throw invalid('template', 'template_not_here')
    const { name, username, secret_type, privileged, is_active } = template
    const from = { name, username, secret_type, privileged, is_active }
    return { ...from, ...own, ...copiedSecret(secrets, template, secret_type) }
  }
  if (!name && !username) throw invalid('name', 'required')
  return { name: username, username: '', secret_type: secret_type ?? 'password', ...own, ...opened }
}

async function targetsOf(ctx: Context, body: Body): Promise<Target[]> {
  const named = sql`${assets.id} = any(${sql.param(body.assets ?? [])}::uuid[])`
  const nodes = body.nodes ?? []
  const found = await ctx.db
    .select({ id: assets.id, name: assets.name, address: assets.address })
    .from(assets)
    .where(and(eq(assets.org_id, ctx.org.id), nodes.length === 0 ? named : or(named, underNodes(nodes))))
    .orderBy(asc(assets.name), asc(assets.id))
    .limit(maxAssetsOfAccount + 1)
  if (found.length > maxAssetsOfAccount) throw refused('account_too_many_assets', { max: maxAssetsOfAccount })
  const known = new Set(found.map(({ id }) => id))
  const missing = body.assets?.find((id) => !known.has(id.toLowerCase()))
  if (missing !== undefined) throw invalid('assets', 'does_not_exist', { pk: missing })
  if (found.length === 0) throw invalid('assets', 'account_no_assets')
  return found
}

/** By their assets, the accounts that stand in the way. */
async function accountsThere(
  ctx: Context,
  { name, username, secret_type }: Input,
  targets: readonly Target[],
): Promise<Map<string, There[]>> {
  const isSame = sql<boolean>`(${accounts.username} = ${username} and ${accounts.secret_type} = ${secret_type})`
  const found = await ctx.db
    .select({ id: accounts.id, asset_id: accounts.asset_id, name: accounts.name, isSame })
    .from(accounts)
    .where(
      and(
        sql`${accounts.asset_id} = any(${sql.param(targets.map(({ id }) => id))}::uuid[])`,
        sql`(${accounts.name} = ${name} or ${isSame})`,
      ),
    )
  const byAsset = new Map<string, There[]>()
  for (const one of found) byAsset.set(one.asset_id, [...(byAsset.get(one.asset_id) ?? []), one])
  return byAsset
}

interface Planned {
  state: Outcome
  error?: ErrorKey
  held?: There
}
function planned(there: readonly There[] | undefined, strategy: Body['on_invalid']): Planned {
  const [held] = there ?? []
  if (there === undefined || held === undefined) return { state: 'created' }
  if (strategy === 'error') return { state: 'error', error: 'account_there', held }
  if (strategy !== 'update') return { state: 'skipped', error: 'account_there', held }
  return held.isSame && there.length === 1
    ? { state: 'updated', held }
    : { state: 'error', error: 'account_name_there', held }
}

/** Answers the ids of the accounts by their assets. */
export async function createOnAssets(
  writing: Writing,
  account: Input,
  assetIds: readonly string[],
): Promise<[string, string][]> {
  const bodies = assetIds.map((asset) => ({ ...account, asset }))
  // They are read already, and the key of all of them was opened once.
  const ahead = new Map(bodies.map((body) => [body, { ...body }]))
  const made = await createRows({ ...writing, ahead }, bodies)
  return made.map((row) => [String(row['asset_id']), String(row['id'])])
}

async function update(
  writing: Writing,
  { name: _name, username: _username, secret_type: _type, ...changes }: Input,
  held: readonly There[],
): Promise<[string, string][]> {
  if (held.length === 0) return []
  const { served, ctx } = writing
  if (!ctx.can('accounts.change_account')) throw forbidden()
  const ids = sql`${sql.param(held.map(({ id }) => id))}::uuid[]`
  const before = await storedRows(served, ctx, sql`${accounts.id} = any(${ids})`, { lock: true })
  const rows = before.map((row) => ({ before: row, body: { ...changes } }))
  const ahead = new Map(rows.map(({ body }) => [body, body]))
  const changed = await updateRows({ ...writing, ahead }, 'patch', rows)
  return changed.map((row) => [String(row['asset_id']), String(row['id'])])
}
