/** Passkeys (WebAuthn): what a browser was asked to sign, and whether it did. */
import { randomUUID } from 'node:crypto'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers'
import { and, eq, gt, sql } from 'drizzle-orm'
import type { Context } from '../../../kernel/context.ts'
import type { Executor } from '../../../kernel/database/index.ts'
import { refused } from '../../../kernel/errors.ts'
import type { Secrets } from '../../../kernel/secrets/index.ts'
import { blockOf } from '../../users/index.ts'
import type { Judged } from '../credentials.ts'
import { knownBy } from '../known.ts'
import type { Refused } from '../steps/step.ts'
import { passkeyChallenges, passkeys } from '../tables.ts'
import { hashOf } from '../tokens/tokens.ts'

const lifeSeconds = 300
/** Of one person. */
const most = 20
/** What an authenticator answers takes some hundred bytes; a long chain of certificates would keep a processor busy. */
const longestCredential = 16_384

export const passkeyRefused: Refused = {
  is: 'refused',
  error: 'passkey_failed',
  reason: 'passkey_failed',
}

/** The site as browsers know it: passkeys made for another name are good for nothing here. */
const siteOf = ({ origin }: Context) => ({ origin, rpID: new URL(origin).hostname })

const inSeconds = (seconds: number) => sql`now() + ${seconds} * interval '1 second'`

/** One at a time for each person. */
async function keepChallenge(db: Executor, challenge: string, userId: string): Promise<void> {
  await db.delete(passkeyChallenges).where(eq(passkeyChallenges.user_id, userId))
  await db
    .insert(passkeyChallenges)
    .values({ challenge_hash: hashOf(challenge), user_id: userId, date_expired: inSeconds(lifeSeconds) })
}

/** Whether this was asked of that person lately; it is used up by it. */
const takeChallenge = (db: Executor, userId: string) => async (challenge: string) => {
  const taken = await db
    .delete(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.challenge_hash, hashOf(challenge)),
        eq(passkeyChallenges.user_id, userId),
        gt(passkeyChallenges.date_expired, sql`now()`),
      ),
    )
    .returning({ hash: passkeyChallenges.challenge_hash })
  return taken.length > 0
}

/** Who signs in is nobody yet, so nothing is kept before something is signed: the challenge itself tells that it is ours, and since when. */
const anonymousChallenge = (secrets: Secrets) =>
  new Uint8Array(Buffer.from(secrets.seal(JSON.stringify({ passkey: randomUUID(), since: Date.now() }))))

/** Whether it is ours, lately, and signed for the first time. */
const takeAnonymousChallenge = (db: Executor, secrets: Secrets) => async (challenge: string) => {
  const told = JSON.parse(secrets.unseal(Buffer.from(challenge, 'base64url').toString())) as {
    passkey?: string
    since?: number
  }
  const age = Date.now() - (told.since ?? 0)
  if (told.passkey === undefined || age < -lifeSeconds * 1000 || age > lifeSeconds * 1000) return false
  const first = await db
    .insert(passkeyChallenges)
    .values({ challenge_hash: hashOf(challenge), user_id: null, date_expired: inSeconds(2 * lifeSeconds) })
    .onConflictDoNothing()
    .returning({ hash: passkeyChallenges.challenge_hash })
  return first.length > 0
}

/**
 * What an authenticator says of its maker is left out before anything looks at it: nobody asked for it, and it would have certificates
 * checked, and addresses fetched that they name (WebAuthn section 6.5.4, `none`).
 */
function withoutAttestation(credential: RegistrationResponseJSON): RegistrationResponseJSON {
  const { response } = credential
  const said = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
  const plain = isoCBOR.encode(
    new Map<string, string | Map<never, never> | Uint8Array>([
      ['fmt', 'none'],
      ['attStmt', new Map<never, never>()],
      ['authData', said.get('authData')],
    ]),
  )
  return { ...credential, response: { ...response, attestationObject: isoBase64URL.fromBuffer(plain) } }
}

const isBounded = (credential: unknown) =>
  Buffer.byteLength(JSON.stringify(credential) ?? '') <= longestCredential

export async function offerRegistration(
  ctx: Context,
  person: { id: string; name: string; username: string },
) {
  const own = await ctx.db.select().from(passkeys).where(eq(passkeys.user_id, person.id))
  if (own.length >= most) throw refused('passkey_too_many', { max: most })
  const options = await generateRegistrationOptions({
    rpName: ctx.settings.OTP_ISSUER_NAME,
    rpID: siteOf(ctx).rpID,
    userName: person.username,
    userDisplayName: person.name,
    userID: new Uint8Array(Buffer.from(person.id)),
    attestationType: 'none',
    excludeCredentials: own.map(({ credential_id: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await keepChallenge(ctx.db, options.challenge, person.id)
  return options
}

/** @returns what is kept of a new passkey. @throws ApiError 400 */
export async function checkRegistration(ctx: Context, userId: string, credential: unknown) {
  const { origin, rpID } = siteOf(ctx)
  try {
    if (!isBounded(credential)) throw new Error('the answer of the authenticator is too long')
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: withoutAttestation(credential as RegistrationResponseJSON),
      expectedChallenge: takeChallenge(ctx.db, userId),
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
    })
    if (!verified) throw new Error('the new passkey was not verified')
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential
    return {
      credential_id: id,
      public_key: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: transports.slice(0, 10),
    }
  } catch (cause) {
    throw Object.assign(refused('passkey_failed'), { cause })
  }
}

export const offerSignIn = (ctx: Context, secrets: Secrets) =>
  generateAuthenticationOptions({
    rpID: siteOf(ctx).rpID,
    userVerification: 'required',
    challenge: anonymousChallenge(secrets),
  })

/** Whose passkey signed what was asked for. @param ctx not in a transaction: what was asked is used up, whatever becomes of it */
export async function judgePasskey(
  ctx: Context,
  secrets: Secrets,
  credential: Readonly<Record<string, unknown>>,
): Promise<Judged> {
  const nobody = {
    provenBy: 'Passkey',
    person: undefined,
    refused: passkeyRefused,
    reason: undefined,
  } as const
  const { id } = credential
  if (typeof id !== 'string' || !isBounded(credential)) return nobody
  const [row] = await ctx.db.select().from(passkeys).where(eq(passkeys.credential_id, id))
  if (row === undefined) return nobody
  const person = await knownBy(ctx, row.user_id)
  if (person === undefined || !(await hasSigned(ctx, secrets, row, credential)))
    return { ...nobody, person, reason: 'passkey_failed' }
  const by = await blockOf(ctx.db, { username: person.username, ip: ctx.remoteAddr }, ctx.settings)
  if (by === undefined) return { provenBy: 'Passkey', person, refused: undefined, reason: undefined }
  const reason = by === 'account' ? 'block_login' : 'block_global_ip_login'
  const minutes =
    by === 'account' ? ctx.settings.SECURITY_LOGIN_LIMIT_TIME : ctx.settings.SECURITY_LOGIN_IP_LIMIT_TIME
  return {
    provenBy: 'Passkey',
    person,
    refused: { is: 'refused', error: reason, reason, params: { minutes } },
    reason,
  }
}

async function hasSigned(
  ctx: Context,
  secrets: Secrets,
  row: typeof passkeys.$inferSelect,
  credential: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const { origin, rpID } = siteOf(ctx)
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: credential as unknown as AuthenticationResponseJSON,
      expectedChallenge: takeAnonymousChallenge(ctx.db, secrets),
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: row.credential_id,
        publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
        counter: row.counter,
        transports: row.transports,
      },
    })
    if (!verified) return false
    await ctx.db
      .update(passkeys)
      .set({ counter: authenticationInfo.newCounter, date_last_used: sql`now()` })
      .where(eq(passkeys.id, row.id))
    return true
  } catch {
    // Whatever is wrong with it (a signature, an origin, a counter that runs backwards): it proves nothing.
    return false
  }
}

/** Keeps a new one, unless there are as many as one may have. */
export async function keepPasskey(db: Executor, made: typeof passkeys.$inferInsert): Promise<{ id: string }> {
  // Who makes several at once makes them one after the other.
  await db.execute(sql`select pg_advisory_xact_lock(hashtext(${`passkeys:${made.user_id}`}))`)
  if ((await db.$count(passkeys, eq(passkeys.user_id, made.user_id))) >= most)
    throw refused('passkey_too_many', { max: most })
  const [kept] = await db.insert(passkeys).values(made).returning({ id: passkeys.id })
  return { id: kept?.id ?? '' }
}

export async function dropPasskeys(db: Executor, userId: string): Promise<void> {
  await db.delete(passkeys).where(eq(passkeys.user_id, userId))
}
