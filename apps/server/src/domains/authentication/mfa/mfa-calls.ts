/** What is done with second factors: on the way in, and by whoever is signed in. */
import { isIP } from 'node:net'
import { Mfa } from '@sallyport/contract'
import { eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { callerOf, type Context, displayOf } from '../../../kernel/context.ts'
import { ApiError, invalid, refused, refusedAs } from '../../../kernel/errors.ts'
import { type Asked, provide, type Provided } from '../../../kernel/resource/calls.ts'
import type { MfaChanged } from '../../users/index.ts'
import { checkConfirmed, checkOwnCode, noteConfirmed, signInOf } from '../confirm.ts'
import { type Known, knownBy } from '../known.ts'
import { checkCode, codeBlock, factorsOf, purposeOf } from './mfa.ts'
import { bindOtp, recoveryCodesLeft, renewRecoveryCodes, unbindOtp } from './otp.ts'
import { notePending, pendingOf } from '../pending.ts'
import { refusal } from '../refusals.ts'
import { checkOwed, nothingBegun } from '../sign-in.ts'
import type { StepParts } from '../steps/step.ts'
import { pendingSignIns } from '../tables.ts'
import { newTotpSecret, stepOf, totpUri } from './totp.ts'

type Sending = Asked<(typeof Mfa)['calls']['select']>
type Verifying = Asked<(typeof Mfa)['calls']['challenge']>

export const mfaCalls = (parts: StepParts): Provided => {
  const { secrets } = parts
  const verify = { ahead: (ctx: Context, asked: Verifying) => verifyCode(ctx, parts, asked) }
  const select = { ahead: (ctx: Context, asked: Sending) => sendCode(ctx, parts, asked) }
  return provide(Mfa, {
    select,
    sendCode: select,
    challenge: verify,
    verify,

    otp: async (ctx) => {
      const { id, isOtpBound, isMfaEnabled, isMfaForced } = await callingPerson(ctx)
      return {
        is_bound: isOtpBound,
        is_enabled: isMfaEnabled,
        is_forced: isMfaForced,
        recovery_codes_left: await recoveryCodesLeft(ctx.db, id),
      }
    },

    startOtp: {
      ahead: async (ctx, { request }) => {
        const { person, offer } = await bindingOf(ctx, parts, request)
        if (ctx.identity !== undefined) await checkConfirmed(ctx, 'password')
        if (person.isOtpBound) throw refused('mfa_already_bound')
        return async (tx) => {
          const secret = newTotpSecret()
          await offer.keep(tx, secrets.seal(secret))
          return { secret, uri: totpUri(secret, tx.settings.OTP_ISSUER_NAME, person.username) }
        }
      },
    },

    bindOtp: {
      ahead: async (ctx, { request, body }) => {
        const { person, offer, pendingId } = await bindingOf(ctx, parts, request)
        if (offer.sealed === undefined) throw refused('mfa_not_started')
        const secret = secrets.unseal(offer.sealed)
        const code = body.code.replaceAll(/\s/g, '')
        const step = stepOf(secret, code, ctx.settings.OTP_VALID_WINDOW)
        if (step === undefined) throw refusedAs('error', 400, 'mfa_code_wrong')
        return async (tx) => {
          const codes = await bindOtp(tx.db, secrets, person.id, { secret, step })
          if (codes === undefined) throw refused('mfa_already_bound')
          await offer.keep(tx, null)
          if (pendingId !== undefined) await notePending(tx.db, pendingId, { mfaType: 'otp' })
          await tell(tx, person, 'bound')
          return { recovery_codes: codes }
        }
      },
    },

    disableOtp: {
      ahead: async (ctx, { request, body }) => {
        const person = await callingPerson(ctx)
        if (!person.isOtpBound) throw refused('mfa_not_bound')
        await checkOwnCode(ctx, parts, request, { factor: 'otp', code: body.code }, 'error')
        return async (tx) => {
          await unbindOtp(tx.db, person.id)
          await tell(tx, person, 'disabled')
        }
      },
    },

    renewRecoveryCodes: async (ctx) => {
      const person = await callingPerson(ctx)
      if (!person.isOtpBound) throw refused('mfa_not_bound')
      const recovery_codes = await renewRecoveryCodes(ctx.db, person.id)
      await tell(ctx, person, 'recovery_codes')
      return { recovery_codes }
    },
  })
}

/** Sends a code to whoever is on the way in, or signed in and asked again; to nobody by their name alone. */
async function sendCode(ctx: Context, { notifications }: StepParts, { request, body: { type } }: Sending) {
  const isOwn = ctx.identity !== undefined && !ctx.identity.isComponent
  const person = isOwn ? await callingPerson(ctx) : (await pendingOf(ctx, request))?.entering.person
  if (person === undefined) throw refusal(ctx, nothingBegun)
  const purpose = purposeOf(type)
  if (purpose === undefined || !factorsOf(ctx, person).includes(type))
    throw refusedAs('error', 400, 'mfa_type_unavailable')
  const blocked = await codeBlock(ctx, person, ctx.remoteAddr)
  if (blocked) throw refusal(ctx, blocked)
  const wait = await notifications.codes.send(ctx, { userId: person.id, purpose })
  if (wait !== undefined) throw refusedAs('error', 400, 'mfa_code_wait', { seconds: wait.waitSeconds })
  return () => Promise.resolve({ type })
}

/** Of whoever is signed in, it says that it is them; of whoever is on the way in, that they may go on. */
async function verifyCode(ctx: Context, parts: StepParts, { request, body }: Verifying) {
  const { code, type: factor = '', remote_addr: said } = body
  if (said !== undefined && said !== '' && isIP(said) === 0) throw invalid('remote_addr', 'error')
  if (ctx.identity !== undefined && !ctx.identity.isComponent) {
    await checkOwnCode(ctx, parts, request, { factor, code }, 'msg')
    return async ({ db, identity }: Context) => {
      await noteConfirmed(db, identity, 'mfa')
      return { msg: 'ok' as const }
    }
  }
  const pending = await pendingOf(ctx, request, said)
  if (pending === undefined) throw refusal(ctx, nothingBegun)
  const { person, way } = pending.entering
  const wrong = await checkCode(ctx, parts, person, { factor, code, way })
  if (wrong) throw refusal(ctx, wrong)
  return async ({ db }: Context) => {
    await notePending(db, pending.id, { mfaType: factor || factorsOf(ctx, person)[0] })
    return { msg: 'ok' as const }
  }
}

interface Binding {
  person: Known
  pendingId: string | undefined
  /** The app that is about to be bound, kept with the sign-in it is bound in. */
  offer: { sealed: string | undefined; keep: (tx: Context, sealed: string | null) => Promise<void> }
}

/** Whose app is bound: the caller's, or that of somebody who cannot come in without one. */
async function bindingOf(ctx: Context, parts: StepParts, request: FastifyRequest): Promise<Binding> {
  if (ctx.identity !== undefined) {
    const { table, id } = signInOf(ctx.identity)
    const person = await callingPerson(ctx)
    const [row] = await ctx.db.select({ sealed: table.otp_offered }).from(table).where(eq(table.id, id))
    return {
      person,
      pendingId: undefined,
      offer: {
        sealed: row?.sealed ?? undefined,
        keep: async ({ db }, sealed) => {
          await db.update(table).set({ otp_offered: sealed }).where(eq(table.id, id))
        },
      },
    }
  }
  const pending = await pendingOf(ctx, request)
  if (pending === undefined) throw refusal(ctx, nothingBegun)
  await checkOwed(ctx, parts, pending, 'mfa_unset')
  const isIt = eq(pendingSignIns.id, pending.id)
  const [row] = await ctx.db.select({ sealed: pendingSignIns.otp_offered }).from(pendingSignIns).where(isIt)
  return {
    person: pending.entering.person,
    pendingId: pending.id,
    offer: {
      sealed: row?.sealed ?? undefined,
      keep: async ({ db }, sealed) => {
        await db.update(pendingSignIns).set({ otp_offered: sealed }).where(isIt)
      },
    },
  }
}

async function callingPerson(ctx: Context): Promise<Known> {
  const person = await knownBy(ctx, callerOf(ctx).id)
  if (person === undefined) throw new ApiError(403, 'permission_denied')
  return person
}

async function tell(ctx: Context, person: Known, change: MfaChanged['change']): Promise<void> {
  const data = {
    user_id: person.id,
    user: displayOf(person),
    by: displayOf(ctx.identity ?? person),
    change,
  }
  await ctx.emit({ type: 'happened', name: 'mfa_changed', data })
}
