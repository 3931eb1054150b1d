import { type CredentialJson, formatDatetime, Passkeys } from '@sallyport/contract'
import { and, desc, eq } from 'drizzle-orm'
import { callerOf, type Context, displayOf } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { provide, type Provided } from '../../../kernel/resource/calls.ts'
import type { Secrets } from '../../../kernel/secrets/index.ts'
import { checkRegistration, keepPasskey, offerRegistration, offerSignIn } from './passkeys.ts'
import { passkeys } from '../tables.ts'

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const passkeyCalls = (secrets: Secrets): Provided =>
  provide(Passkeys, {
    list: async (ctx) => {
      const rows = await ctx.db
        .select()
        .from(passkeys)
        .where(eq(passkeys.user_id, callerOf(ctx).id))
        .orderBy(desc(passkeys.date_created))
      const shown = (date: Date | null) => (date === null ? '' : formatDatetime(date, ctx.zone))
      return rows.map(({ id, name, date_created, date_last_used }) => ({
        id,
        name,
        date_created: shown(date_created),
        date_last_used: shown(date_last_used),
      }))
    },

    remove: async (ctx, { parameters: { passkey } }) => {
      const isOwn = and(eq(passkeys.id, passkey), eq(passkeys.user_id, callerOf(ctx).id))
      const removed = isUuid.test(passkey)
        ? await ctx.db.delete(passkeys).where(isOwn).returning({ name: passkeys.name })
        : []
      if (removed[0] === undefined) throw notFound(() => 'Passkey')
      await tell(ctx, 'passkey_removed')
    },

    startRegistration: async (ctx) =>
      (await offerRegistration(ctx, callerOf(ctx))) as unknown as CredentialJson,

    register: {
      ahead: async (ctx, { body }) => {
        const kept = await checkRegistration(ctx, callerOf(ctx).id, body.credential)
        return async (tx) => {
          const made = await keepPasskey(tx.db, { ...kept, name: body.name, user_id: callerOf(tx).id })
          await tell(tx, 'passkey_added')
          return made
        }
      },
    },

    startSignIn: async (ctx) => (await offerSignIn(ctx, secrets)) as unknown as CredentialJson,
  })

async function tell(ctx: Context, change: 'passkey_added' | 'passkey_removed'): Promise<void> {
  const caller = callerOf(ctx)
  const data = { user_id: caller.id, user: displayOf(caller), by: displayOf(caller), change }
  await ctx.emit({ type: 'happened', name: 'mfa_changed', data })
}
