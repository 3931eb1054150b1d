/** Coming in, by whatever door (auth.md sections 1 and 2): the first proof, then the steps, then the sign-in is stored. */
import { formatDatetime } from '@sallyport/contract'
import { and } from 'drizzle-orm'
import { type Context, displayOf } from '../../kernel/context.ts'
import { withTransaction } from '../../kernel/database/index.ts'
import { isValid, storePassword, users } from '../users/index.ts'
import { type Credentials, judge, type Judged, stillProves } from './credentials.ts'
import { endPending, keepPending, notePending, type Pending } from './pending.ts'
import { refusal } from './refusals.ts'
import { askReviewers } from './steps/review.ts'
import type { Entering, Owed, Refused, StepParts, Way } from './steps/step.ts'
import { steps } from './steps/steps.ts'

export type Outcome<SignIn> =
  | { is: 'in'; userId: string; signIn: SignIn }
  /** `token` names the sign-in that waits for the answer, where it is new. */
  | (Owed & { token: string | undefined })
  | Refused

/**
 * Stores the sign-in, in a transaction that holds the person's row: what was proven is asked for once more there, so that none begins with
 * a password that was replaced, or of somebody who was disabled, while it was looked at.
 */
export type Store<SignIn> = (ctx: Context, entering: Entering) => Promise<SignIn>

/** @param given what comes at once with the credentials */
export async function begin<SignIn>(
  ctx: Context,
  parts: StepParts,
  credentials: Credentials,
  { way, given }: Pick<Entering, 'way' | 'given'>,
  store: Store<SignIn>,
): Promise<Outcome<SignIn>> {
  const judged = await judge(ctx, parts.directory, credentials, way.remoteAddr)
  return (
    (await beginAs(ctx, parts, judged, credentials.username, { way, given }, store)) ??
    // Somebody changed the account meanwhile: what it is like now decides.
    (await begin(ctx, parts, credentials, { way, given }, store))
  )
}

/** @returns undefined where what was proven is no more the person's */
export async function beginAs<SignIn>(
  ctx: Context,
  parts: StepParts,
  { provenBy, person, refused, reason }: Judged,
  username: string,
  { way, given }: Pick<Entering, 'way' | 'given'>,
  store: Store<SignIn>,
): Promise<Outcome<SignIn> | undefined> {
  if (refused || person === undefined) {
    if (reason !== undefined) await record(ctx, { username, provenBy, way }, reason)
    return refused ?? nothingBegun
  }
  const entering = {
    person,
    provenBy,
    way,
    given,
    mfaType: undefined,
    newPasswordHash: undefined,
    rule: undefined,
    ticketId: undefined,
  }
  return await proceed(ctx, parts, entering, undefined, store)
}

/** Goes on with a sign-in, after something was answered. */
export async function resume<SignIn>(
  ctx: Context,
  parts: StepParts,
  pending: Pending | undefined,
  given: Entering['given'],
  store: Store<SignIn>,
): Promise<Outcome<SignIn>> {
  if (pending === undefined) return nothingBegun
  const entering = { ...pending.entering, given }
  return (await proceed(ctx, parts, entering, pending.id, store)) ?? nothingBegun
}

export const nothingBegun: Refused = { is: 'refused', error: 'session_empty', reason: 'session_empty' }

/** Goes through the steps up to the first that is not passed; `entering` is what is known by then. */
async function walk(ctx: Context, parts: StepParts, begun: Entering) {
  let entering = begun
  for (const step of steps) {
    const decision = await step(ctx, parts, entering)
    if (decision.is !== 'passed') return { entering, decision }
    entering = { ...entering, ...decision.now }
  }
  return { entering, decision: undefined }
}

/** What a sign-in that was begun needs next. Nothing is written. */
export const look = async (ctx: Context, parts: StepParts, entering: Entering) =>
  (await walk(ctx, parts, entering)).decision

/** @throws ApiError 400 unless this is what the sign-in needs next */
export async function checkOwed(
  ctx: Context,
  parts: StepParts,
  { entering }: Pending,
  error: Owed['error'],
): Promise<void> {
  const decision = await look(ctx, parts, entering)
  if (decision?.is !== 'owed' || decision.error !== error) throw refusal(ctx, nothingBegun)
}

/** @returns undefined where what was proven is no more the person's */
async function proceed<SignIn>(
  ctx: Context,
  parts: StepParts,
  begun: Entering,
  pendingId: string | undefined,
  store: Store<SignIn>,
): Promise<Outcome<SignIn> | undefined> {
  const { entering, decision } = await walk(ctx, parts, begun)
  if (decision === undefined) return await enter(ctx, parts, entering, pendingId, store)
  if (decision.is === 'refused') return await refuse(ctx, entering, decision, pendingId)
  if (pendingId !== undefined) await notePending(ctx.db, pendingId, entering)
  if (decision.error === 'login_confirm_wait' && decision.ticketId === undefined) {
    const asked = await askReviewers(ctx, parts, entering, pendingId)
    return asked?.is === 'refused' ? await refuse(ctx, entering, asked, pendingId) : asked
  }
  const kept = pendingId === undefined ? await keepPending(ctx.db, entering) : undefined
  return { ...decision, token: kept?.token }
}

async function refuse(
  ctx: Context,
  entering: Entering,
  refused: Refused,
  pendingId: string | undefined,
): Promise<Refused> {
  // A wrong code is in the log already.
  if (refused.reason !== 'mfa_failed' && refused.reason !== 'block_mfa')
    await record(ctx, { ...entering, username: entering.person.username }, reasonOf(refused))
  // What others decided about this sign-in is decided.
  if (refused.error === 'login_confirm_error' && pendingId !== undefined) await endPending(ctx.db, pendingId)
  return refused
}

/** In the books, a password that must be replaced has expired. */
const reasonOf = ({ error, reason, passwordRules }: Refused) =>
  passwordRules
    ? 'password_expired'
    : reason === 'acl_error'
      ? 'acl_not_allow'
      : error === 'login_confirm_error'
        ? error
        : reason

async function enter<SignIn>(
  ctx: Context,
  { notifications }: StepParts,
  entering: Entering,
  pendingId: string | undefined,
  store: Store<SignIn>,
): Promise<Outcome<SignIn> | undefined> {
  const { person, provenBy, newPasswordHash, rule, way } = entering
  const stored = await withTransaction(ctx.db, async (tx) => {
    const here = ctx.within(tx)
    if (pendingId !== undefined && !(await endPending(tx, pendingId))) return undefined
    const still = await tx
      .update(users)
      // What the page is read in, mail is, too.
      .set({ last_login: new Date(), ...(way.door === 'page' && { language: ctx.language }) })
      .where(and(stillProves(provenBy, person), isValid))
      .returning({ id: users.id })
    if (still.length === 0) return undefined
    if (newPasswordHash !== undefined) await storePassword(here, person, newPasswordHash)
    const signIn = await store(here, entering)
    await record(here, { ...entering, username: person.username }, '', person.isMfaEnabled ? 1 : 0)
    if (rule?.action === 'notice')
      await notifications.send(here, 'LoginNoticeMsg', rule.reviewers, {
        user: displayOf(person),
        ip: way.remoteAddr,
        time: formatDatetime(new Date(), ctx.zone),
        rule: rule.name,
      })
    return { signIn }
  })
  return stored && { is: 'in', userId: person.id, signIn: stored.signIn }
}

interface Recorded extends Pick<Entering, 'provenBy'> {
  username: string
  way: Way
}
/** `reason` empty: they are in. */
async function record(
  ctx: Context,
  { username, provenBy: backend, way }: Recorded,
  reason: string,
  mfa: 0 | 1 | 2 = 2,
): Promise<void> {
  const { type, remoteAddr: ip, userAgent: user_agent } = way
  const data = { username, type, ip, user_agent, status: reason === '', reason, backend, mfa }
  await ctx.emit({ type: 'happened', name: 'login', data })
}
