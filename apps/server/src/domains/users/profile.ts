/** A person's own account (auth.md section 8): what the console starts from, and what one may change of oneself. */
import { type OfferedOrg, type Profile as ProfileRow, Profile } from '@sallyport/contract'
import { eq } from 'drizzle-orm'
import { callerOf, type Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import type { StoredRow } from '../../kernel/events.ts'
import type { Binding, Input } from '../../kernel/resource/binding.ts'
import type { Implementations } from '../../kernel/resource/calls.ts'
import { storedRow } from '../../kernel/resource/read.ts'
import { system } from '../../kernel/resource/rows.ts'
import {
  changeOne,
  presentOne,
  rowOfTable,
  serveOne,
  type ServedOne,
} from '../../kernel/resource/singleton.ts'
import { computed, present, relations } from './account.ts'
import { tryOwnPassword } from './own-password.ts'
import { hashChosen, isStored, storePassword } from './passwords.ts'
import { parsePublicKey } from './public-keys.ts'
import { prepareSecurity } from './resources.ts'
import type { UsersServices } from './service.ts'
import { users } from './tables.ts'

const kept = {
  resource: Profile,
  binding: { table: users, rows: system, relations, computed, present } satisfies Binding,
}
const hasId = (id: string) => eq(users.id, id)

export function profileServed(services: UsersServices): ServedOne {
  const { read, store } = rowOfTable(kept, services.secrets, (ctx) => hasId(callerOf(ctx).id))
  return serveOne(Profile, {
    read,
    present,
    shown: (ctx, row) => shown(ctx, services, row),
    store: async (ctx, changing) => {
      const input: Input = { ...changing.input }
      prepareSecurity(input)
      // A key signs in for as long as it is there.
      if (input['public_key']) await services.checkConfirmed(ctx, 'password')
      await store(ctx, { ...changing, input })
    },
    calls: profileCalls(services),
  })
}

const profileCalls = ({ secrets }: UsersServices): Implementations<(typeof Profile)['calls']> => ({
  passwordForm: () => Promise.resolve({}),

  setPassword: {
    ahead: async (ctx, { body, served }) => {
      const caller = callerOf(ctx)
      const row = await served.binding.read(ctx, { lock: false })
      if (row['source'] !== 'local')
        throw invalid('old_password', 'not_local_user', { source: String(row['source']) })
      const old = await checkOldPassword(ctx, body.old_password)
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

  secretKeyForm: () => Promise.resolve({}),

  setSecretKey: async (ctx, { body }) => {
    if (body.new_secret_key !== body.new_secret_key_again)
      throw invalid('new_secret_key_again', 'passwords_differ')
    await ctx.db
      .update(users)
      .set({ secret_key: secrets.seal(body.new_secret_key) })
      .where(hasId(callerOf(ctx).id))
    return {}
  },

  publicKey: (_ctx, { row }) => Promise.resolve(keyParts(row)),

  setPublicKey: async (ctx, { body, row, served }) =>
    keyParts(
      ctx.settings.TERMINAL_PUBLIC_KEY_AUTH ? await changeOne(served, ctx, 'patch', { ...body }) : row,
    ),
})

/** @returns the person and the hash the password was compared with */
async function checkOldPassword(ctx: Context, given: string) {
  const { verdict, person } = await tryOwnPassword(ctx, given)
  if (verdict.is === 'blocked')
    throw invalid('old_password', 'block_login', { minutes: ctx.settings.SECURITY_LOGIN_LIMIT_TIME })
  if (verdict.is === 'wrong') throw invalid('old_password', 'old_password_wrong')
  return person
}

/** The profile of somebody who has just signed in, as of that moment. */
export async function profileOf(ctx: Context, services: UsersServices, userId: string) {
  const row = await storedRow(kept, ctx, hasId(userId))
  return row && (await presentOne(profileServed(services), ctx, row))
}

function keyParts(row: StoredRow): { public_key_comment: string; public_key_hash_md5: string } {
  const key = typeof row['public_key'] === 'string' ? parsePublicKey(row['public_key']) : undefined
  return { public_key_comment: key?.comment ?? '', public_key_hash_md5: key?.md5 ?? '' }
}

async function shown(ctx: Context, { rbac }: UsersServices, row: StoredRow): Promise<Partial<ProfileRow>> {
  const id = String(row['id'])
  const offered = (view: 'console' | 'audit' | 'workbench'): Promise<OfferedOrg[]> =>
    rbac.offered(id, view, ctx.language)
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
