/** The calls around connection tokens: a person's, and those of gateways in the name of people. */
import { errors, formatDatetime, rootOrgId, translate } from '@sallyport/contract'
import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { callerOf, type Context } from '../../kernel/context.ts'
import type { Config } from '../../kernel/config.ts'
import { ApiError, forbidden, refusedAs } from '../../kernel/errors.ts'
import { Reply, route, type Route } from '../../kernel/http/route.ts'
import type { Served } from '../../kernel/resource/binding.ts'
import { presentFor, storedRow } from '../../kernel/resource/read.ts'
import { createRow } from '../../kernel/resource/write.ts'
import type { Secrets } from '../../kernel/secrets/index.ts'
import { expiry, findToken, notExpired, rightsOf, type StoredToken, takeToken } from './connection-tokens.ts'
import { connectionTokens } from './tables.ts'
import { contentsOf } from './token-secret.ts'

export interface TokenParts {
  served: { own: Served; all: Served }
  config: Pick<Config, 'ssh'>
  secrets: Secrets
}

const identified = z.object({ id: z.guid() })
const bases = ['/api/v1/authentication/connection-token/', '/api/v1/users/connection-token/']
const superBase = '/api/v1/authentication/super-connection-token/'
const add = { permission: 'authentication.add_connectiontoken' }

/** A token is for an asset of any organization the person has rights in. */
const everywhere = (ctx: Context): Context =>
  ctx.inOrg({ id: rootOrgId, name: '', is_root: true, is_default: false })

export const tokenRoutes = (parts: TokenParts): Route[] => [
  ...bases.flatMap((base) => personRoutes(base, parts)),
  ...gatewayRoutes(parts),
]

function personRoutes(base: string, { served, config, secrets }: TokenParts): Route[] {
  const own = (ctx: Context, id: string | undefined) =>
    findToken(
      ctx.db,
      and(
        eq(connectionTokens.id, z.guid().catch(rootOrgId).parse(id)),
        eq(connectionTokens.user_id, callerOf(ctx).id),
        notExpired,
      ),
    )
  const create = async (ctx: Context, body: unknown) => {
    const row = await createRow({ served: served.own, ctx: everywhere(ctx), secrets }, body)
    return new Reply(201, presentFor(served.own, ctx, row, 'detail'))
  }
  return [
    route({
      method: 'POST',
      path: base,
      access: add,
      transaction: true,
      handler: (ctx, { body }) => create(ctx, body),
    }),
    route({
      method: 'PATCH',
      path: `${base}:id/expire/`,
      access: { permission: 'authentication.change_connectiontoken' },
      transaction: true,
      handler: async (ctx, { params }) => {
        const token = await own(ctx, params['id'])
        await takeToken(ctx.db, token.id)
      },
    }),
    route({
      method: 'POST',
      path: `${base}exchange/`,
      access: add,
      transaction: true,
      body: identified,
      handler: async (ctx, { body }) => {
        // To connect again: the old one may be used up already, but is its owner's; the rights are asked for anew.
        const old = await findToken(
          ctx.db,
          and(
            eq(connectionTokens.id, body.id),
            eq(connectionTokens.user_id, callerOf(ctx).id),
            // One that waits for an approval waits on.
            eq(connectionTokens.is_active, true),
          ),
        )
        const id = await renewed(ctx, old)
        const row = await storedRow(served.own, ctx, eq(connectionTokens.id, id))
        if (row === undefined) throw new Error('a new connection token was not found')
        return new Reply(201, presentFor(served.own, ctx, row, 'detail'))
      },
    }),
    route({
      method: ['GET', 'POST'],
      path: `${base}:id/client-url/`,
      access: add,
      handler: async (ctx, { params, request }) => {
        const token = await own(ctx, params['id'])
        if (!nativeMethods.has(token.connect_method))
          throw refusedAs('error', 400, 'connect_method_unsupported', { method: token.connect_method })
        return { url: clientUrl(token, request.hostname, config.ssh.port) }
      },
    }),
  ]
}

const nativeMethods = new Set(['ssh', 'putty', 'xshell'])

/** What the desktop helper of the compatible system opens: a command line, told as base64 of JSON. */
function clientUrl({ id, value, protocol, connect_method }: StoredToken, host: string, port: number): string {
  const commands: Record<string, string> = {
    ssh: `ssh JMS-${id}@${host} -p ${port}`,
    putty: `putty.exe -ssh JMS-${id}@${host} -P ${port}`,
    xshell: `xshell.exe -url ssh://JMS-${id}:${value}@${host}:${port}`,
  }
  const launch = { id, value, protocol, command: commands[connect_method] ?? '', file: {} }
  return `jms://${Buffer.from(JSON.stringify(launch)).toString('base64')}`
}

async function renewed(ctx: Context, old: StoredToken): Promise<string> {
  const { account } = await rightsOf(ctx, {
    userId: old.user_id,
    assetId: old.asset_id,
    account: old.account,
  })
  const { id: _id, value: _value, date_created: _created, date_updated: _updated, ...kept } = old
  const [made] = await ctx.db
    .insert(connectionTokens)
    .values({
      ...kept,
      value: sql`substr(replace(gen_random_uuid()::text, '-', ''), 1, 16)`,
      actions: account.actions,
      is_active: true,
      date_expired: expiry(ctx),
    })
    .returning({ id: connectionTokens.id })
  if (made === undefined) throw new Error('the insert of a connection token answered nothing')
  return made.id
}

/** Only components: a person, however powerful, does not connect as somebody else or read secrets without confirming. */
function gatewayRoutes({ served, secrets }: TokenParts): Route[] {
  return [
    route({
      method: 'POST',
      path: superBase,
      access: 'component',
      transaction: true,
      handler: async (ctx, { body }) => {
        const row = await createRow({ served: served.all, ctx: everywhere(ctx), secrets }, body)
        return new Reply(201, { ...presentFor(served.all, ctx, row, 'detail'), value: row['value'] })
      },
    }),
    route({
      method: 'PATCH',
      path: `${superBase}renewal/`,
      access: 'component',
      transaction: true,
      body: identified,
      handler: async (ctx, { body }) => {
        const date = expiry(ctx)
        const [found] = await ctx.db
          .update(connectionTokens)
          .set({ date_expired: date })
          .where(and(eq(connectionTokens.id, body.id), notExpired))
          .returning({ id: connectionTokens.id })
        if (found === undefined) throw forbidden('connection_token_expired')
        const params = { date: formatDatetime(date, ctx.zone) }
        return { ok: true, msg: translate(errors, ctx.language, 'connection_token_renewed', params) }
      },
    }),
    route({
      method: 'POST',
      path: `${superBase}secret/`,
      access: 'component',
      // Not in one transaction: a token is used up even when what it stands for is refused.
      body: identified.extend({ expire_now: z.boolean().default(true) }),
      handler: async (ctx, { body }) => {
        try {
          const token = body.expire_now
            ? await takeToken(ctx.db, body.id)
            : await findToken(ctx.db, and(eq(connectionTokens.id, body.id), notExpired))
          return await contentsOf(ctx, secrets, token)
        } catch (error) {
          throw error instanceof ApiError && error.code !== 'perm_account_invalid' ? expired() : error
        }
      },
    }),
  ]
}

/** The wire names the field; `detail` and `code` are for people and programs that read errors. */
const expired = () =>
  new ApiError(400, 'connection_token_expired', {
    body: (language) => {
      const text = translate(errors, language, 'connection_token_expired')
      return { id: text, detail: text, code: 'connection_token_expired' }
    },
  })
