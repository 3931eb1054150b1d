/** What is done with connection tokens: by their person, and by gateways in the name of people. */
import {
  type ConnectionToken,
  errors,
  formatDatetime,
  rootOrgId,
  type SuperConnectionToken,
  translate,
} from '@sallyport/contract'
import { and, eq, or, sql } from 'drizzle-orm'
import type { Config } from '../../kernel/config.ts'
import { callerOf, type Context } from '../../kernel/context.ts'
import { ApiError, forbidden, invalid, refusedAs } from '../../kernel/errors.ts'
import type { CallsOf, Served } from '../../kernel/resource/binding.ts'
import { presentFor, storedRow } from '../../kernel/resource/read.ts'
import { createRow } from '../../kernel/resource/write.ts'
import { admit } from '../acls/index.ts'
import { assets } from '../assets/index.ts'
import { users } from '../users/index.ts'
import {
  endToken,
  expiry,
  found,
  loginOf,
  notExpired,
  prepareToken,
  rightsOf,
  type StoredToken,
  type TokenWanted,
  usableBy,
} from './tokens/connection-tokens.ts'
import { connectionTokens } from './tables.ts'
import { contentsOf, type GrantParts } from './tokens/token-secret.ts'

export interface TokenParts extends GrantParts {
  config: Pick<Config, 'ssh'>
}

/** Makes a token of what was sent. */
const makeToken = (ctx: Context, served: Served, parts: TokenParts, wanted: TokenWanted, body: unknown) => {
  const prepare: Served['binding']['prepare'] = (here, saving) =>
    prepareToken(here, parts.tickets, saving as Parameters<typeof prepareToken>[2], wanted)
  const prepared = { ...served, binding: { ...served.binding, prepare } }
  return createRow({ served: prepared, ctx, secrets: parts.secrets }, body)
}

/** A token is for an asset of any organization the person has rights in. */
const everywhere = (ctx: Context): Context =>
  ctx.inOrg({ id: rootOrgId, name: '', is_root: true, is_default: false })

export const ownTokenCalls = (
  parts: TokenParts,
): CallsOf<typeof ConnectionToken, typeof connectionTokens> => ({
  create: (ctx, { served, body, query: { create_ticket: createTicket = false } }) =>
    makeToken(everywhere(ctx), served, parts, { userId: callerOf(ctx).id, createTicket }, body),

  expire: async (ctx, { row }) => {
    await endToken(ctx.db, eq(connectionTokens.id, row.id))
  },

  exchange: async (ctx, { served, body }) => {
    // The old one may be used up already, but is the caller's; one that waits for an approval waits on.
    const mine = and(
      eq(connectionTokens.id, body.id),
      eq(connectionTokens.user_id, callerOf(ctx).id),
      eq(connectionTokens.is_active, true),
    )
    const read = async () => found((await ctx.db.select().from(connectionTokens).where(mine))[0])
    const { id: own, exchanged_from } = await read()
    const leave = exchanged_from ?? own
    const first = eq(connectionTokens.id, leave)
    await ctx.db.select({ id: connectionTokens.id }).from(connectionTokens).where(first).for('update')
    const old = await read()
    // Of one leave to connect there are never two: neither it nor what it was exchanged for before opens anything any more.
    await endToken(ctx.db, and(or(first, eq(connectionTokens.exchanged_from, leave)), notExpired))
    const id = await renewed(ctx, parts, { ...old, exchanged_from: leave })
    const row = await storedRow(served, ctx, eq(connectionTokens.id, id))
    if (row === undefined) throw new Error('a new connection token was not found')
    return row
  },

  clientUrl: (_ctx, { row, request }) => {
    if (!nativeMethods.has(row.connect_method))
      throw refusedAs('error', 400, 'connect_method_unsupported', { method: row.connect_method })
    return Promise.resolve({ url: clientUrl(row, request.hostname, parts.config.ssh.port) })
  },
})

export const gatewayTokenCalls = (
  parts: TokenParts,
): CallsOf<typeof SuperConnectionToken, typeof connectionTokens> => ({
  create: async (ctx, { served, body, query: { create_ticket: createTicket = false } }) => {
    const [asset] = await ctx.db
      .select({ org_id: assets.org_id })
      .from(assets)
      .where(eq(assets.id, body.asset))
    // Which is not there is told by the row's own checks, in whatever organization.
    const id = asset?.org_id ?? ctx.org.id
    const there = ctx.inOrg({ id, name: ctx.orgName(id), is_root: false, is_default: false })
    const wanted = { userId: body.user, createTicket, componentId: callerOf(ctx).id }
    const row = await makeToken(there, served, parts, wanted, body)
    const value = String(row['value'])
    return { ...presentFor(served, there, row, 'detail'), id: String(row['id']), value }
  },

  renew: async (ctx, { body }) => {
    const date = expiry(ctx)
    const usable = usableBy(callerOf(ctx).id, body.id)
    const [found] = await ctx.db
      .update(connectionTokens)
      .set({ date_expired: date })
      .where(usable)
      .returning()
    if (found === undefined) throw forbidden('connection_token_expired')
    await rightsOf(ctx, { userId: found.user_id, assetId: found.asset_id, account: found.account })
    const params = { date: formatDatetime(date, ctx.zone) }
    return { ok: true, msg: translate(errors, ctx.language, 'connection_token_renewed', params) }
  },

  owner: async (ctx, { query }) => {
    if (!query.id) throw invalid('id', 'required')
    const [owner] = await ctx.db
      .select({ username: users.username })
      .from(connectionTokens)
      .innerJoin(users, eq(users.id, connectionTokens.user_id))
      .where(usableBy(callerOf(ctx).id, query.id))
    if (owner === undefined) throw expired()
    return owner
  },

  take: {
    // Not in one transaction: a token is used up even when what it stands for is refused. Of several who come with one, one gets it, and
    // no caller can ask to leave it as it was.
    ahead: async (ctx, { body }) => {
      const isRight = body.value === undefined ? undefined : eq(connectionTokens.value, body.value)
      const token = await endToken(ctx.db, and(usableBy(callerOf(ctx).id, body.id), isRight))
      if (token === undefined) throw expired()
      const told = await contentsOf(ctx, parts, token)
      return () => Promise.resolve(told)
    },
  },
})

const nativeMethods = new Set(['ssh', 'putty', 'xshell'])

/** What the desktop helper of the compatible system opens: a command line, told as base64 of JSON. */
function clientUrl(
  { id, value, protocol, connect_method }: Pick<StoredToken, 'id' | 'value' | 'protocol' | 'connect_method'>,
  host: string,
  port: number,
): string {
  const commands: Record<string, string> = {
    ssh: `ssh JMS-${id}@${host} -p ${port}`,
    putty: `putty.exe -ssh JMS-${id}@${host} -P ${port}`,
    xshell: `xshell.exe -url ssh://JMS-${id}:${value}@${host}:${port}`,
  }
  const launch = { id, value, protocol, command: commands[connect_method] ?? '', file: {} }
  return `jms://${Buffer.from(JSON.stringify(launch)).toString('base64')}`
}

/** An approval was for the connection that was: what a rule wants reviewed is asked for anew, as a new token. */
async function renewed(ctx: Context, { tickets }: TokenParts, old: StoredToken): Promise<string> {
  const rights = await rightsOf(ctx, {
    userId: old.user_id,
    assetId: old.asset_id,
    account: old.account,
  })
  await admit(ctx, tickets, loginOf(rights, old.input_username), undefined)
  const { id: _id, value: _value, date_created: _created, date_updated: _updated, ...kept } = old
  const [made] = await ctx.db
    .insert(connectionTokens)
    .values({
      ...kept,
      value: sql`substr(replace(gen_random_uuid()::text, '-', ''), 1, 16)`,
      actions: rights.account.actions,
      from_ticket_id: null,
      is_active: true,
      date_expired: expiry(ctx),
    })
    .returning({ id: connectionTokens.id })
  if (made === undefined) throw new Error('the insert of a connection token answered nothing')
  return made.id
}

/** The wire names the field; `detail` and `code` are for people and programs that read errors. */
const expired = () =>
  new ApiError(400, 'connection_token_expired', {
    body: (language) => {
      const text = translate(errors, language, 'connection_token_expired')
      return { id: text, detail: text, code: 'connection_token_expired' }
    },
  })
