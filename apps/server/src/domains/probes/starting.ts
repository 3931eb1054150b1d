/** How tests and the gathering of facts are begun. */
import { AccountTasks, AssetTasks, Gateway, isUuid, modelLabel, Asset, Node } from '@sallyport/contract'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { ApiError, forbidden, invalid, notFound, refusedAs } from '../../kernel/errors.ts'
import type { Execution, Executions } from '../../kernel/executions/index.ts'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import { accounts } from '../accounts/index.ts'
import { assets, nodes, platforms } from '../assets/index.ts'
import type { Probes } from './jobs.ts'
import { canPing, gatewayNamed } from './targets.ts'

type AssetInput = Probes['testAssets'] extends Execution<infer Input> ? Input : never
type Task = 'test' | 'refresh'

/** @throws ApiError 403 for what the caller may not, and for what there is not; 400 there to who may do everything */
function taskOf(ctx: Context, action: string | undefined): Task {
  if (action === 'test' && ctx.can('assets.test_assetconnectivity')) return action
  if (action === 'refresh' && ctx.can('assets.refresh_assethardwareinfo')) return action
  if (ctx.identity?.isSuperAdmin !== true) throw forbidden()
  throw action === undefined
    ? invalid('action', 'required')
    : invalid('action', 'not_choice', { value: action })
}

const here = (ctx: Context, column: typeof assets.org_id | typeof nodes.org_id | typeof accounts.org_id) =>
  ctx.org.is_root ? undefined : eq(column, ctx.org.id)

export function assetTasks(
  { testAssets, gatherFacts, testGateway, checkAmounts }: Probes,
  executions: Executions,
): Provided {
  const start = async (ctx: Context, task: Task, input: AssetInput) => ({
    task: await executions.start(ctx, task === 'test' ? testAssets : gatherFacts, input),
  })
  return provide(AssetTasks, {
    ofAsset: async (ctx, { parameters: { id }, body }) => {
      const task = taskOf(ctx, body.action)
      const [asset] = await ctx.db
        .select({ canPing })
        .from(assets)
        .innerJoin(platforms, eq(platforms.id, assets.platform_id))
        .where(and(named(assets.id, id), here(ctx, assets.org_id)))
      if (asset === undefined) throw notFound((language) => modelLabel(Asset, language))
      if (task === 'test' && !asset.canPing)
        throw new ApiError(400, 'asset_test_unsupported', { knownAs: 'error' })
      return await start(ctx, task, { assets: [id] })
    },
    ofAssets: async (ctx, { body }) => {
      const task = taskOf(ctx, body.action)
      const wanted = [...new Set(body.assets)]
      const found = await ctx.db
        .select({ id: assets.id })
        .from(assets)
        .where(and(inArray(assets.id, wanted), here(ctx, assets.org_id)))
      const unknown = wanted.find((id) => !found.some((asset) => asset.id === id))
      if (unknown !== undefined) throw invalid('assets', 'does_not_exist', { pk: unknown })
      return await start(ctx, task, { assets: wanted })
    },
    ofGateway: async (ctx, { parameters: { id }, body }) => {
      const found = isUuid(id) ? await gatewayNamed(ctx, id) : undefined
      if (found === undefined) throw notFound((language) => modelLabel(Gateway, language))
      return { task: await executions.start(ctx, testGateway, { gateway: id, port: portIn(body.port) }) }
    },
    checkAmounts: async (ctx) => ({ task: await executions.start(ctx, checkAmounts, {}) }),
    ofNode: async (ctx, { parameters: { id }, body }) => {
      const task = taskOf(ctx, body.action)
      const [node] = await ctx.db
        .select({ id: nodes.id })
        .from(nodes)
        .where(and(named(nodes.id, id), here(ctx, nodes.org_id)))
      if (node === undefined) throw notFound((language) => modelLabel(Node, language))
      return await start(ctx, task, { node: node.id })
    },
  })
}

/** A number, or one in words, as older clients send it. @throws ApiError 400 */
function portIn(sent: unknown): number | undefined {
  if (sent === undefined || sent === null || sent === '') return undefined
  const port = typeof sent === 'string' && /^\d{1,5}$/.test(sent.trim()) ? Number(sent) : sent
  if (typeof port !== 'number' || !Number.isInteger(port)) throw refusedAs('port', 400, 'number_required')
  if (port < 1 || port > 65_535)
    throw invalid('port', port < 1 ? 'min_value' : 'max_value', { min: 1, max: 65_535 })
  return port
}

const named = (column: typeof assets.id | typeof nodes.id, id: string): SQL =>
  isUuid(id) ? eq(column, id) : sql`false`

/** Whatever is wrong is answered as `{error}`. */
export const accountTasks = ({ verifyAccounts }: Probes, executions: Executions): Provided =>
  provide(AccountTasks, {
    start: async (ctx, { body: { action, accounts: ids } }) => {
      const isPush = action === 'push'
      if (!ctx.can(isPush ? 'accounts.push_account' : 'accounts.verify_account')) throw forbidden()
      if (isPush) throw refusedAs('error', 400, 'account_push_unsupported')
      if (action !== 'verify' && action !== 'test')
        throw refusedAs('error', 400, 'not_choice', { value: action ?? '' })
      const wanted = [...new Set(ids)]
      const found = await ctx.db
        .select({ id: accounts.id, canPing })
        .from(accounts)
        .innerJoin(assets, eq(assets.id, accounts.asset_id))
        .innerJoin(platforms, eq(platforms.id, assets.platform_id))
        .where(and(inArray(accounts.id, wanted), here(ctx, accounts.org_id)))
      const known = new Map(found.map((account) => [account.id, account]))
      const unknown = wanted.find((id) => !known.has(id))
      if (unknown !== undefined) throw refusedAs('error', 400, 'does_not_exist', { pk: unknown })
      if (known.get(wanted[0] ?? '')?.canPing !== true)
        throw refusedAs('error', 400, 'account_test_unsupported')
      return { task: await executions.start(ctx, verifyAccounts, { accounts: wanted }) }
    },
  })
