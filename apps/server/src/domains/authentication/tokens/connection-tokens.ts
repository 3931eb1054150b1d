/** One person's leave to open one connection: made when the rights are there, good once, for minutes. */
import { randomInt } from 'node:crypto'
import { accountAliases, ConnectionToken, permissionActions } from '@sallyport/contract'
import { and, eq, getTableColumns, gt, isNull, or, type SQL, sql } from 'drizzle-orm'
import { type Context, displayOf } from '../../../kernel/context.ts'
import type { Executor } from '../../../kernel/database/index.ts'
import { ApiError, invalid, refused } from '../../../kernel/errors.ts'
import type { InputOf, SavingOf } from '../../../kernel/resource/binding.ts'
import { admit, askReviewers, type AssetLogin, reviewRuleOf, reviewSeconds } from '../../acls/index.ts'
import { assets, platforms } from '../../assets/index.ts'
import { permittedAccounts, type PermittedAccount } from '../../perms/index.ts'
import type { Tickets } from '../../tickets/index.ts'
import { isPerson, isValid, users } from '../../users/index.ts'
import { connectionTokens } from '../tables.ts'

type Input = InputOf<typeof ConnectionToken, typeof connectionTokens>
export type StoredToken = typeof connectionTokens.$inferSelect

export const notExpired: SQL = gt(connectionTokens.date_expired, sql`now()`)
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const newValue = () => Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('')

export interface Wanted {
  userId: string
  assetId: string
  /** Its alias. */
  account: string
}
export interface Rights {
  user: { id: string; name: string; username: string; email: string }
  asset: typeof assets.$inferSelect
  platform: typeof platforms.$inferSelect
  account: PermittedAccount
}

/**
 * What a person may do with an account now.
 * @throws ApiError 400 `perm_account_invalid` when that is nothing: the account, the asset or the grant is not there, or not in force.
 */
export async function rightsOf(ctx: Pick<Context, 'db' | 'language'>, wanted: Wanted): Promise<Rights> {
  const [found] = await ctx.db
    .select({
      user: { id: users.id, name: users.name, username: users.username, email: users.email },
      asset: getTableColumns(assets),
      platform: getTableColumns(platforms),
    })
    .from(users)
    .innerJoin(assets, and(eq(assets.id, wanted.assetId), eq(assets.is_active, true)))
    .innerJoin(platforms, eq(platforms.id, assets.platform_id))
    .where(and(eq(users.id, wanted.userId), isPerson, isValid))
  if (found === undefined) throw refused('perm_account_invalid')
  const { user, asset } = found
  const permitted = await permittedAccounts(ctx.db, user.id, asset.id, asset.org_id, ctx.language)
  const account = permitted.find(({ alias }) => alias === wanted.account)
  if (account === undefined || (account.actions & permissionActions.bits.connect) === 0)
    throw refused('perm_account_invalid')
  return { ...found, account }
}

/** @throws ValidationError unless the asset speaks it */
export function checkProtocol({ asset }: Pick<Rights, 'asset'>, protocol: string): void {
  if (!asset.protocols.some(({ name }) => name === protocol))
    throw invalid('protocol', 'not_choice', { value: protocol })
}

/** As rules see it: an account that is typed is called by its alias, and by what was typed. */
export const loginOf = (
  { user, asset, account }: Pick<Rights, 'user' | 'asset' | 'account'>,
  inputUsername: string,
): AssetLogin => ({
  user,
  asset,
  accounts: [account.username, inputUsername].filter((name) => name !== ''),
})

/** The user name of an account without one of its own: what was typed, or the person's. */
export const usernameTyped = ({ account, user }: Pick<Rights, 'account' | 'user'>, typed: string): string =>
  account.alias === accountAliases.input ? typed : account.alias === accountAliases.user ? user.username : ''

/** Whose token is made, and how its connection gets the approval a rule may want. */
export interface TokenWanted {
  userId: string
  /** Opens a ticket where a rule wants one; without it that is refused. */
  createTicket: boolean
  /** The gateway that asks in the name of the person, and waits for the ticket. */
  componentId?: string
}

/** @throws ApiError 400 to who may not connect */
export async function prepareToken(
  ctx: Context,
  tickets: Tickets,
  { input }: SavingOf<typeof ConnectionToken, typeof connectionTokens>,
  { userId, createTicket, componentId }: TokenWanted,
): Promise<Input> {
  const rights = await rightsOf(ctx, {
    userId,
    assetId: String(input.asset),
    account: String(input.account),
  })
  const { user, asset, account } = rights
  checkProtocol(rights, String(input.protocol))
  const input_username = usernameTyped(rights, input.input_username ?? '')
  const login = loginOf(rights, input_username)
  const review = createTicket ? await reviewRuleOf(ctx, login) : undefined
  const ticket = review && (await askReviewers(ctx, tickets, review, login, componentId))
  if (ticket === undefined) await admit(ctx, tickets, login, undefined)
  const kept: Input = { ...input, input_username }
  // What is stored is not typed.
  if (account.has_secret) delete kept.input_secret
  return {
    ...kept,
    value: newValue(),
    user_id: user.id,
    actions: account.actions,
    user_display: displayOf(user).slice(0, 128),
    asset_display: `${asset.name}(${asset.address})`.slice(0, 128),
    org_id: asset.org_id,
    date_expired: expiry(ctx),
    ...(componentId !== undefined && { component_id: componentId }),
    ...(ticket !== undefined && {
      from_ticket_id: ticket,
      is_active: false,
      date_expired: inSeconds(reviewSeconds),
    }),
  }
}

export const expiry = ({ settings }: Pick<Context, 'settings'>): Date =>
  inSeconds(settings.CONNECTION_TOKEN_EXPIRATION)
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000)

/** A token that is in force, for this gateway: its own, or one a person made. */
export const usableBy = (componentId: string, id: string): SQL | undefined =>
  and(
    eq(connectionTokens.id, id),
    // Asked again when the other's change is seen, which may have begun later than this one.
    gt(connectionTokens.date_expired, sql`clock_timestamp()`),
    eq(connectionTokens.is_active, true),
    or(isNull(connectionTokens.component_id), eq(connectionTokens.component_id, componentId)),
  )

/** Ends a token. @returns it, unless it was none */
export async function endToken(db: Executor, where: SQL | undefined): Promise<StoredToken | undefined> {
  const [ended] = await db
    .update(connectionTokens)
    .set({ date_expired: sql`now()`, date_updated: sql`now()` })
    .where(where)
    .returning()
  return ended
}

/** @throws ApiError 404 unless there is one */
export function found(token: StoredToken | undefined): StoredToken {
  if (token === undefined)
    throw new ApiError(404, 'object_does_not_exist', { params: { model: ConnectionToken.model } })
  return token
}
