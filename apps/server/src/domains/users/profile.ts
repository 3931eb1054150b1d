/** A person's own account: what the console starts from, and what one may change of oneself. */
import { Profile } from '@sallyport/contract'
import { eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { callerOf, type Context } from '../../kernel/context.ts'
import { invalid, refusedAs } from '../../kernel/errors.ts'
import type { CallsOf, RowOf } from '../../kernel/resource/binding.ts'
import { changeOne, presentOne, serveOneOf, type ServedOne } from '../../kernel/resource/singleton.ts'
import { computed, present, relations } from './account.ts'
import { tryOwnPassword } from './own-password.ts'
import { hashChosen, isStored, storePassword } from './passwords.ts'
import { parsePublicKey } from './public-keys.ts'
import { prepareOwnMfaLevel } from './policy.ts'
import { prepareSecurity } from './resources.ts'
import type { UsersServices } from './service.ts'
import { users } from './tables.ts'

type Row = RowOf<typeof Profile, typeof users>

/** `whose` answers a person's id: the caller's, unless somebody is just becoming one. */
export const profileServed = (
  services: UsersServices,
  whose: (ctx: Context) => string = (ctx) => callerOf(ctx).id,
): ServedOne =>
  serveOneOf(Profile, services.secrets, {
    table: users,
    row: (ctx) => eq(users.id, whose(ctx)),
    relations,
    computed,
    present,
    shown: shown(services),
    // That one must use a second factor is for somebody else to say.
    describe: (_ctx, { actions }) => {
      for (const { mfa_level } of [actions.PUT ?? {}, actions.PATCH ?? {}])
        if (mfa_level) mfa_level.choices = mfa_level.choices?.filter(({ value }) => value !== 2) ?? []
      return Promise.resolve()
    },
    prepare: async (ctx, { input, before }) => {
      const prepared = { ...input }
      await prepareOwnMfaLevel(ctx, services, prepared, before)
      prepareSecurity(prepared)
      // A key signs in for as long as it is there, and codes go to the phone.
      const isOtherPhone = prepared.phone !== undefined && (prepared.phone ?? '') !== (before.phone ?? '')
      if (prepared.public_key || isOtherPhone) await services.checkConfirmed(ctx, 'password')
      return prepared
    },
    calls: profileCalls(services),
  })

const profileCalls = ({ secrets }: UsersServices): CallsOf<typeof Profile, typeof users> => ({
  passwordForm: () => Promise.resolve({}),

  setPassword: {
    ahead: async (ctx, { body, served, request }) => {
      const caller = callerOf(ctx)
      const row = await served.binding.read(ctx, { lock: false })
      if (row['source'] !== 'local')
        throw invalid('old_password', 'not_local_user', { source: String(row['source']) })
      const old = await checkOldPassword(ctx, request, body.old_password)
      if (body.new_password !== body.new_password_again)
        throw invalid('new_password_again', 'passwords_differ')
      const isAdmin = caller.isSuperAdmin || ctx.can('rbac.view_console')
      const chosen = await hashChosen(ctx, caller, body.new_password, isAdmin)
      if ('problem' in chosen) throw invalid('new_password', chosen.problem.key, chosen.problem.params)
      return async (tx) => {
        // Another password may have come into force while this one was looked at.
        const [still] = await tx.db.select({ id: users.id }).from(users).where(isStored(old)).for('update')
        if (still === undefined) throw invalid('old_password', 'old_password_wrong')
        await storePassword(tx, caller, chosen.hash)
        return {}
      }
    },
  },

  resetMfa: () => Promise.reject(refusedAs('error', 400, 'own_mfa_reset')),

  secretKeyForm: () => Promise.resolve({}),

  setSecretKey: async (ctx, { body }) => {
    if (body.new_secret_key !== body.new_secret_key_again)
      throw invalid('new_secret_key_again', 'passwords_differ')
    await ctx.db
      .update(users)
      .set({ secret_key: secrets.seal(body.new_secret_key) })
      .where(eq(users.id, callerOf(ctx).id))
    return {}
  },

  publicKey: (_ctx, { row }) => Promise.resolve(keyParts(row.public_key)),

  setPublicKey: async (ctx, { body, row, served }) => {
    if (!ctx.settings.TERMINAL_PUBLIC_KEY_AUTH) return keyParts(row.public_key)
    const changed = (await changeOne(served, ctx, 'patch', { ...body })) as Row
    return keyParts(changed.public_key)
  },
})

/** @returns the person and the hash the password was compared with */
async function checkOldPassword(ctx: Context, request: FastifyRequest, given: string) {
  const { verdict, person } = await tryOwnPassword(ctx, request, given)
  if (verdict.is === 'blocked')
    throw invalid('old_password', 'block_login', { minutes: ctx.settings.SECURITY_LOGIN_LIMIT_TIME })
  if (verdict.is === 'wrong') throw invalid('old_password', 'old_password_wrong')
  return person
}

/** The profile of somebody who has just signed in, as of that moment. */
export async function profileOf(ctx: Context, services: UsersServices, userId: string) {
  const served = profileServed(services, () => userId)
  return await presentOne(served, ctx, await served.binding.read(ctx, { lock: false }))
}

function keyParts(text: string | null) {
  const key = text === null ? undefined : parsePublicKey(text)
  return { public_key_comment: key?.comment ?? '', public_key_hash_md5: key?.md5 ?? '' }
}

function shown({ rbac, notifications }: UsersServices) {
  const offered = (view: 'console' | 'audit' | 'workbench') => (ctx: Context, row: Row) =>
    rbac.offered(row.id, view, ctx.language)
  return {
    public_key_comment: (_ctx: Context, row: Row) => keyParts(row.public_key).public_key_comment,
    public_key_hash_md5: (_ctx: Context, row: Row) => keyParts(row.public_key).public_key_hash_md5,
    guide_url: (ctx: Context) => ctx.settings.USER_GUIDE_URL,
    receive_backends: (ctx: Context, row: Row) => notifications.channelsOf(ctx.db, row.id),
    console_orgs: offered('console'),
    audit_orgs: offered('audit'),
    workbench_orgs: offered('workbench'),
    perms: async (ctx: Context, row: Row) => [...(await rbac.permissions(row.id, ctx.org.id))].toSorted(),
  }
}
