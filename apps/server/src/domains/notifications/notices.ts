/** What people are told of what happened to their account. */
import { modelOf, Profile, User } from '@sallyport/contract'
import { and, eq, lt, sql } from 'drizzle-orm'
import { type Context, displayOf } from '../../kernel/context.ts'
import type { Changed, DomainEvent } from '../../kernel/events.ts'
import { type MfaChanged, users } from '../users/index.ts'
import type { PersonalType } from './messages.ts'
import type { Notifications } from './service.ts'

/** In the transaction of the change. */
export const tellPeople =
  ({ send }: Notifications) =>
  async (ctx: Context, events: readonly DomainEvent[]): Promise<void> => {
    for (const event of events) {
      if (event.type === 'happened' && event.name === 'password_changed') {
        const { user_id: id, change_by: by, remote_addr: ip, removed } = event.data
        if (removed !== true && !(await isJustMade(ctx, id)))
          await send(ctx, 'ResetPasswordSuccessMsg', [id], { ip, by })
      }
      if (event.type === 'happened' && event.name === 'mfa_changed' && event.data.change !== 'reset') {
        const { user_id: id, by, change } = event.data
        await send(ctx, factorMessages[change], [id], { ip: ctx.remoteAddr, by })
      }
      if (isKeyChange(event)) {
        const by = ctx.identity ? displayOf(ctx.identity) : 'System'
        await send(ctx, 'ResetPublicKeySuccessMsg', [event.id], { ip: ctx.remoteAddr, by })
      }
    }
  }

/** A reset has a message of its own, with the way on. */
const factorMessages = {
  bound: 'MFABoundMsg',
  disabled: 'MFADisabledMsg',
  recovery_codes: 'RecoveryCodesRenewedMsg',
  passkey_added: 'PasskeyAddedMsg',
  passkey_removed: 'PasskeyRemovedMsg',
} as const satisfies Record<Exclude<MfaChanged['change'], 'reset'>, PersonalType>

const accounts = new Set([modelOf(User), modelOf(Profile)])
const isKeyChange = (event: DomainEvent): event is Changed =>
  event.type === 'updated' && accounts.has(modelOf(event.resource)) && event.secrets.includes('public_key')

/** Whose account was made in this very transaction need not be told of its password. */
async function isJustMade({ db }: Pick<Context, 'db'>, id: string): Promise<boolean> {
  const [earlier] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), lt(users.date_joined, sql`now()`)))
  return earlier === undefined
}
