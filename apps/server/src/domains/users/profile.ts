/** A person's own account (auth.md section 8): what the console starts from, and what one may change of oneself. */
import {
  type Language,
  maxPasswordLength,
  type OfferedOrg,
  type Profile as ProfileRow,
  Profile,
} from '@sallyport/contract'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { callerOf, type Context } from '../../kernel/context.ts'
import { withTransaction } from '../../kernel/database/index.ts'
import { ApiError, invalid } from '../../kernel/errors.ts'
import type { StoredRow } from '../../kernel/events.ts'
import { route, type Route } from '../../kernel/http/route.ts'
import { type Served, serve } from '../../kernel/resource/binding.ts'
import { presentFor, storedRow } from '../../kernel/resource/read.ts'
import { updateWhere } from '../../kernel/resource/write.ts'
import { own, system } from '../../kernel/resource/rows.ts'
import { computed, present, relations } from './account.ts'
import { tryOnce } from './blocks.ts'
import { hashChosen, isPassword, storePassword } from './passwords.ts'
import { parsePublicKey } from './public-keys.ts'
import { prepareSecurity } from './resources.ts'
import type { UsersServices } from './service.ts'
import { users } from './tables.ts'

const base = '/api/v1/users/profile/'
const writing = ['PUT', 'PATCH'] as const
// A secret in its envelope is longer than what it holds.
const sealed = z.string().max(8192)

const binding = { table: users, rows: own(users.id), relations, computed, present }
const profileRead: Served = serve(Profile, binding)

export const profileServed = ({ checkConfirmed }: UsersServices): Served =>
  serve(Profile, {
    ...binding,
    prepare: async (ctx, { input }) => {
      const kept = { ...input }
      prepareSecurity(kept)
      // A key signs in for as long as it is there.
      if (kept.public_key) await checkConfirmed(ctx, 'password')
      return kept
    },
  })

export function profileRoutes(services: UsersServices): Route[] {
  const { secrets } = services
  const written = profileServed(services)
  const mine = async (ctx: Context): Promise<StoredRow> => {
    const row = await storedRow(profileRead, ctx, eq(users.id, callerOf(ctx).id))
    if (row === undefined) throw new ApiError(401, 'not_authenticated')
    return row
  }
  const shown = (ctx: Context, row: StoredRow) => complete(ctx, services, row)
  /** Guessing the old password is guessing the password: it counts as at the door. */
  const checkOldPassword = async (ctx: Context, row: StoredRow, given: string) => {
    const limits = ctx.settings
    const who = { username: callerOf(ctx).username, ip: ctx.remoteAddr }
    const verdict = await tryOnce(ctx.db, who, limits, () =>
      isPassword(row['password_hash'] as string | null, given),
    )
    if (verdict.is === 'blocked')
      throw invalid('old_password', 'block_login', { minutes: limits.SECURITY_LOGIN_LIMIT_TIME })
    if (verdict.is === 'wrong') throw invalid('old_password', 'old_password_wrong')
  }
  const open = (field: string, text: string) => {
    const plain = secrets.openEnvelope(text)
    if (plain === '') throw invalid(field, 'blank')
    if (plain.length > maxPasswordLength) throw invalid(field, 'max_length', { max: maxPasswordLength })
    return plain
  }

  return [
    route({
      method: 'GET',
      path: base,
      access: 'valid_user',
      handler: async (ctx) => shown(ctx, await mine(ctx)),
    }),
    route({
      method: writing,
      path: base,
      access: 'valid_user',
      transaction: true,
      handler: async (ctx, { body }) =>
        shown(
          ctx,
          await updateWhere({ served: written, ctx, secrets }, eq(users.id, callerOf(ctx).id), 'patch', body),
        ),
    }),
    ...(['password', 'secret-key', 'public-key'] as const).map((part) =>
      route({
        method: 'GET',
        path: `${base}${part}/`,
        access: 'valid_user',
        handler: async (ctx) => (part === 'public-key' ? keyParts(await mine(ctx)) : {}),
      }),
    ),
    route({
      method: writing,
      path: `${base}password/`,
      access: 'valid_user',
      // Not in one transaction: a wrong old password counts although the request fails.
      body: z.object({ old_password: sealed, new_password: sealed, new_password_again: sealed }),
      handler: async (ctx, { body }) => {
        const wanted = open('new_password', body.new_password)
        const row = await mine(ctx)
        if (row['source'] !== 'local')
          throw invalid('old_password', 'not_local_user', { source: String(row['source']) })
        await checkOldPassword(ctx, row, secrets.openEnvelope(body.old_password))
        if (wanted !== secrets.openEnvelope(body.new_password_again))
          throw invalid('new_password_again', 'passwords_differ')
        const isAdmin = callerOf(ctx).isSuperAdmin || ctx.can('rbac.view_console')
        const chosen = await hashChosen(ctx, callerOf(ctx), wanted, isAdmin)
        if ('problem' in chosen) throw invalid('new_password', chosen.problem.key, chosen.problem.params)
        await withTransaction(ctx.db, (tx) => storePassword(ctx.within(tx), callerOf(ctx), chosen.hash))
        return {}
      },
    }),
    route({
      method: writing,
      path: `${base}secret-key/`,
      access: 'valid_user',
      transaction: true,
      body: z.object({ new_secret_key: sealed, new_secret_key_again: sealed }),
      handler: async (ctx, { body }) => {
        const key = open('new_secret_key', body.new_secret_key)
        if (key !== secrets.openEnvelope(body.new_secret_key_again))
          throw invalid('new_secret_key_again', 'passwords_differ')
        const row = await mine(ctx)
        const { id } = callerOf(ctx)
        await ctx.db
          .update(users)
          .set({ secret_key: secrets.seal(key) })
          .where(eq(users.id, id))
        const change = { resource: Profile, id, before: row, after: row, secrets: ['secret_key'] }
        await ctx.emit({ type: 'updated', ...change })
        return {}
      },
    }),
    route({
      method: writing,
      path: `${base}public-key/`,
      access: 'valid_user',
      transaction: true,
      body: z.object({ public_key: z.string().min(1).max(2048) }),
      handler: async (ctx, { body }) => {
        const isAllowed = ctx.settings.TERMINAL_PUBLIC_KEY_AUTH
        const where = eq(users.id, callerOf(ctx).id)
        const change = isAllowed ? { public_key: body.public_key } : {}
        return keyParts(await updateWhere({ served: written, ctx, secrets }, where, 'patch', change))
      },
    }),
  ]
}

/** The profile of somebody who has just signed in, as of that moment. */
export async function profileOf(ctx: Context, services: UsersServices, userId: string) {
  const row = await storedRow(
    { ...profileRead, binding: { ...profileRead.binding, rows: system } },
    ctx,
    eq(users.id, userId),
  )
  return row && (await complete(ctx, services, row))
}

const complete = async (ctx: Context, services: UsersServices, row: StoredRow) => ({
  ...presentFor(profileRead, ctx, row, 'detail'),
  ...(await extrasOf(ctx, services, row)),
})

function keyParts(row: StoredRow): { public_key_comment: string; public_key_hash_md5: string } {
  const key = typeof row['public_key'] === 'string' ? parsePublicKey(row['public_key']) : undefined
  return { public_key_comment: key?.comment ?? '', public_key_hash_md5: key?.md5 ?? '' }
}

type Extras = Omit<ProfileRow, keyof typeof Profile.fields>

async function extrasOf(ctx: Context, { rbac }: UsersServices, row: StoredRow): Promise<Extras> {
  const id = String(row['id'])
  const { language } = ctx
  const offered = (view: 'console' | 'audit' | 'workbench'): Promise<OfferedOrg[]> =>
    rbac.offered(id, view, language satisfies Language)
  return {
    ...keyParts(row),
    guide_url: ctx.settings.USER_GUIDE_URL,
    receive_backends: ['site_msg'],
    console_orgs: await offered('console'),
    audit_orgs: await offered('audit'),
    workbench_orgs: await offered('workbench'),
    perms: [...(await rbac.permissions(id, ctx.org.id))].toSorted(),
  }
}
