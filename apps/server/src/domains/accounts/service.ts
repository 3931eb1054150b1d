/** Accounts: their rules, and their copies. */
import type { Account } from '@sallyport/contract'
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { forbidden, invalid, ValidationError } from '../../kernel/errors.ts'
import type { AskedOf, InputOf, SavingOf } from '../../kernel/resource/binding.ts'
import type { Secrets } from '../../kernel/secrets/index.ts'
import { checkSecret } from './secrets.ts'
import { assets } from '../assets/index.ts'
import { accounts } from './tables.ts'

type StoredAccount = typeof accounts.$inferSelect
type Saving = SavingOf<typeof Account, typeof accounts>
type Input = InputOf<typeof Account, typeof accounts>

async function accountById(ctx: Context, id: string): Promise<StoredAccount | undefined> {
  const org = ctx.org.is_root ? undefined : eq(accounts.org_id, ctx.org.id)
  const [found] = await ctx.db
    .select()
    .from(accounts)
    .where(and(eq(accounts.id, id), org))
  return found
}

/** `(username, secret_type)` and `name` belong to one account of an asset. */
async function checkUnique(
  ctx: Context,
  wanted: { id: string | undefined; asset_id: string; name: string; username: string; secret_type: string },
): Promise<void> {
  const others = await ctx.db
    .select({ name: accounts.name, username: accounts.username, secret_type: accounts.secret_type })
    .from(accounts)
    .where(
      and(
        eq(accounts.asset_id, wanted.asset_id),
        wanted.id === undefined ? undefined : sql`${accounts.id} <> ${wanted.id}`,
        sql`(${accounts.name} = ${wanted.name} or (${accounts.username} = ${wanted.username} and ${accounts.secret_type} = ${wanted.secret_type}))`,
      ),
    )
  const taken = (fields: string) =>
    new ValidationError({ non_field_errors: [{ key: 'account_fields_unique', params: { fields } }] })
  if (others.some((one) => one.username === wanted.username && one.secret_type === wanted.secret_type))
    throw taken('username, asset, secret_type')
  if (others.length > 0) throw taken('name, asset')
}

async function checkSuFrom(
  ctx: Context,
  from: string | null | undefined,
  assetId: string,
  ownId: string | undefined,
) {
  if (from === null || from === undefined) return
  if (from === ownId) throw invalid('su_from', 'su_from_cycle')
  const found = await accountById(ctx, from)
  if (found?.asset_id !== assetId) throw invalid('su_from', 'su_from_other_asset')
}

/** Says whether this person has just confirmed who they are (kernel.md 13). @throws ApiError 400 with the code `mfa` when not. */
export type CheckConfirmed = (ctx: Context) => Promise<void>

/** Recorded in the transaction of the reading: no secret is shown, or taken elsewhere, without its record. */
export const recordSeen = (ctx: Context, resource: string, of: { id?: string; org_id: string }) =>
  ctx.emit({
    type: 'happened',
    name: 'operated',
    data: {
      action: 'view',
      resource_type: 'accounts.account',
      resource,
      org_id: of.org_id,
      ...(of.id === undefined ? {} : { resource_id: of.id }),
    },
  })

/** Whoever takes a secret to another machine can read it there: it needs what seeing it needs, and is recorded as that. */
async function taking(ctx: Context, checkConfirmed: CheckConfirmed, from: StoredAccount): Promise<void> {
  if (from.secret === null) return
  if (!ctx.can('accounts.view_accountsecret')) throw forbidden('secret_copy_denied')
  await checkConfirmed(ctx)
  const [asset] = await ctx.db.select({ name: assets.name }).from(assets).where(eq(assets.id, from.asset_id))
  await recordSeen(ctx, `${from.name}@${asset?.name ?? ''}`, from)
}

/** The same for every account of these assets, which are about to be reached at another place. */
export async function takeWithAssets(
  ctx: Context,
  checkConfirmed: CheckConfirmed,
  assetIds: readonly string[],
): Promise<void> {
  if (assetIds.length === 0) return
  const held = await ctx.db
    .select()
    .from(accounts)
    .where(and(inArray(accounts.asset_id, [...assetIds]), isNotNull(accounts.secret)))
  for (const account of held) await taking(ctx, checkConfirmed, account)
}

/** The account whose secret goes to another asset with this change: `id` in the body of a create names the one that is copied. */
async function takenAlong(ctx: Context, { input, before }: Saving): Promise<StoredAccount | undefined> {
  if (before === undefined) return input.id === undefined ? undefined : await accountById(ctx, input.id)
  const isMoved = input.asset !== undefined && input.asset !== before.asset_id
  return isMoved ? await accountById(ctx, before.id) : undefined
}

/**
 * A private key is opened before the transaction, for that may take seconds: what comes of it replaces what was sent. Where the type is not
 * known yet, and for accounts that come with their asset, `prepareAccount` opens it.
 */
export async function openKey(ctx: Context, { mode, input, id }: AskedOf<typeof Account>): Promise<Input> {
  const { secret: given, passphrase } = input
  if (typeof given !== 'string' || given === '') return input
  const stored = async () => (mode === 'patch' && id !== undefined ? await accountById(ctx, id) : undefined)
  const type = input.secret_type ?? (await stored())?.secret_type
  if (type !== 'ssh_key') return input
  return { ...input, ...(await checkSecret(type, given, passphrase)) }
}

export const prepareAccount =
  (secrets: Secrets, checkConfirmed: CheckConfirmed) =>
  async (ctx: Context, saving: Saving): Promise<Input> => {
    const { mode, input, before } = saving
    const { passphrase, template: _template, push_now: _pushNow, secret: given, ...rest } = input
    const prepared: Input = { ...rest }
    const from = await takenAlong(ctx, saving)
    if (from) await taking(ctx, checkConfirmed, from)
    const source = mode === 'create' ? from : undefined
    delete prepared.id
    const type =
      saving.mode === 'create' ? saving.input.secret_type : (input.secret_type ?? saving.before.secret_type)
    const username = input.username ?? before?.username ?? ''
    if (mode === 'create') prepared.username = username
    if (input.name === null || (mode === 'create' && !input.name)) prepared.name = username
    const asset = String(input.asset ?? before?.asset_id)
    const id = before?.id
    await checkUnique(ctx, {
      id,
      asset_id: asset,
      name: String(prepared.name ?? before?.name),
      username,
      secret_type: type,
    })
    await checkSuFrom(ctx, input.su_from, asset, id)
    if (typeof given === 'string' && given !== '') {
      // What opened a key before the transaction has put its particulars beside it.
      const checked =
        type === 'ssh_key' && input.spec_info !== undefined
          ? { secret: given, spec_info: input.spec_info }
          : await checkSecret(type, given, passphrase)
      prepared.secret = checked.secret
      prepared.spec_info = checked.spec_info
    } else if (source?.secret) {
      prepared.secret = secrets.unseal(source.secret)
      prepared.spec_info = source.spec_info
    } else if (type !== 'ssh_key' && before?.secret_type === 'ssh_key') {
      prepared.spec_info = {}
    }
    return prepared
  }
