/** Signing in and out: pages of a browser, and the token calls of programs. */
import { signInPages, tokensPath } from '@sallyport/contract/addresses'
import { isIP } from 'node:net'
import { formatDatetime, headers } from '@sallyport/contract'
import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { clockOf } from '../../kernel/database/index.ts'
import { ApiError } from '../../kernel/errors.ts'
import { type Call, Reply, route, type RouteByHand } from '../../kernel/http/route.ts'
import { failedLately, noteFailure, profileOf, type UsersServices } from '../users/index.ts'
import { askedBeside, isRightCaptcha } from './captcha/captcha.ts'
import { clearPending, setPending, setSignedIn, setSignedOut } from './cookies.ts'
import type { Credentials } from './credentials.ts'
import { captchaFields, checkForm, isForm } from './forms.ts'
import { safeNext } from './next.ts'
import { judgePasskey, passkeyRefused } from './passkeys/passkeys.ts'
import { pendingOf, whence } from './pending.ts'
import { captchaWrong, confirmRefused, owed, refusedSignIn } from './refusals.ts'
import { endSession, startBearer, startSession } from './sessions.ts'
import { begin, beginAs, type Outcome, resume, type Store } from './sign-in.ts'
import type { Entering, StepParts, Way } from './steps/step.ts'
import { newToken } from './tokens/tokens.ts'

export type SignInParts = UsersServices & StepParts

const text = (max: number) => z.string().max(max)
const ticked = z
  .union([z.boolean(), z.string().max(8)])
  .transform((given) => given === true || /^(on|true|1)$/i.test(String(given)))
// A password in its envelope is longer than itself.
const sealed = text(8192)
const maxPassword = 1024

const loginBody = z.object({
  username: text(128),
  password: sealed,
  new_password: sealed.optional(),
  /** Appended to the password, where SECURITY_LOGIN_CHALLENGE_ENABLED. */
  challenge: text(128).optional(),
  /** A second factor that is given at once, where SECURITY_MFA_IN_LOGIN_PAGE. */
  code: text(128).optional(),
  mfa_type: text(32).optional(),
  ...captchaFields,
  auto_login: ticked.optional(),
  csrfmiddlewaretoken: text(256).optional(),
  next: text(2048).optional(),
})
const mfaBody = z.object({
  code: text(128),
  mfa_type: text(32).optional(),
  csrfmiddlewaretoken: text(256).optional(),
  next: text(2048).optional(),
})
const passkeyBody = z.object({
  credential: z.record(z.string(), z.unknown()),
  auto_login: ticked.optional(),
  csrfmiddlewaretoken: text(256).optional(),
  next: text(2048).optional(),
})
const nextQuery = z.object({ next: text(2048).optional() })
const tokenBody = z.object({
  username: text(128).nullish(),
  password: text(maxPassword).nullish(),
  public_key: text(16_384).nullish(),
  /** Whom a component speaks for. */
  remote_addr: text(64)
    .refine((given) => given === '' || isIP(given) > 0)
    .nullish(),
})

export function signInRoutes(users: SignInParts): RouteByHand[] {
  return [
    route({
      method: 'POST',
      path: signInPages.signIn,
      access: 'public',
      records: 'changes',
      byHand: 'signing in: a page, and cookies',
      body: loginBody,
      query: nextQuery,
      handler: (ctx, call) => signInByPage(users, ctx, call),
    }),
    route({
      method: 'POST',
      path: signInPages.secondFactor,
      access: 'public',
      records: 'changes',
      byHand: 'signing in: a page, and cookies',
      body: mfaBody,
      query: nextQuery,
      handler: async (ctx, call) => {
        checkForm(call.request, call.body.csrfmiddlewaretoken)
        const { code, mfa_type: mfaType } = call.body
        return await goOn(users, ctx, call, { code, mfaType })
      },
    }),
    route({
      method: 'POST',
      path: signInPages.passkey,
      access: 'public',
      records: 'changes',
      byHand: 'signing in: a page, and cookies',
      body: passkeyBody,
      query: nextQuery,
      handler: (ctx, call) => signInByPasskey(users, ctx, call),
    }),
    route({
      method: 'GET',
      path: signInPages.guard,
      access: 'public',
      records: 'changes',
      byHand: 'signing in: a redirect to what is asked next, and cookies',
      query: nextQuery,
      handler: (ctx, call) => goOn(users, ctx, { ...call, body: {} }, {}),
    }),
    // The second is where consoles made from the template theirs was made from sign out.
    ...[signInPages.signOut, '/vue-admin-template/user/logout/'].map((path) =>
      route({
        method: path.startsWith('/core/') ? ['GET', 'POST'] : 'POST',
        path,
        access: 'public',
        records: { unrecorded: 'who signs out ends only the sign-in that is in the books' },
        byHand: 'signing out: a redirect, and cookies',
        query: z.object({ next: text(2048).optional() }),
        handler: async (ctx, { request, reply, query }) => {
          const next = safeNext(query.next)
          const isElsewhere = /^(cross|same)-site$/.test(String(request.headers['sec-fetch-site']))
          // A link on another site signs nobody out.
          if (!isElsewhere && ctx.identity?.sessionId !== undefined)
            await endSession(ctx, ctx.identity.sessionId)
          if (!isElsewhere) setSignedOut(request, reply)
          return reply.redirect(
            `${signInPages.signIn}${next === '/' ? '' : `?next=${encodeURIComponent(next)}`}`,
            302,
          )
        },
      }),
    ),
    ...['/api/v1/authentication/auth/', tokensPath].map((path) =>
      route({
        method: 'POST',
        path,
        access: 'public',
        records: 'changes',
        byHand: 'signing in: its refusals have a shape of their own',
        body: tokenBody,
        handler: (ctx, call) => signInByApi(users, ctx, call),
      }),
    ),
  ]
}

interface Onwards {
  next?: string | undefined
}
type PageCall<B> = Call<B & Onwards, Onwards>

async function signInByPage(users: SignInParts, ctx: Context, call: PageCall<z.output<typeof loginBody>>) {
  const { request, body } = call
  checkForm(request, body.csrfmiddlewaretoken)
  const [password = '', newPassword] = await users.secrets.openEnvelopes(
    body.new_password === undefined ? [body.password] : [body.password, body.new_password],
  )
  const { settings } = ctx
  const beside = askedBeside(settings)
  if (beside === 'captcha' && (await failedLately(ctx.db, ctx.remoteAddr))) {
    const isRight = await isRightCaptcha(ctx, users.secrets, request, body)
    if (!isRight) return new Reply(400, refusedSignIn(ctx, captchaWrong))
  }
  const challenge = beside === 'challenge' ? (body.challenge ?? '') : ''
  const way: Way = {
    door: 'page',
    type: 'W',
    ...whence(ctx, request),
    componentId: undefined,
    autoLogin: (body.auto_login ?? false) && !settings.SESSION_EXPIRE_AT_BROWSER_CLOSE_FORCE,
  }
  const credentials = {
    username: body.username.trim(),
    password: (password + challenge).slice(0, maxPassword),
    publicKey: undefined,
  }
  const given = {
    newPassword: newPassword?.slice(0, maxPassword),
    ...(beside === 'mfa' && { code: body.code, mfaType: body.mfa_type }),
  }
  const outcome = await begin(ctx, users, credentials, { way, given }, storeSession)
  // Who is asked for a new password has given the right one.
  if (outcome.is === 'refused' && !outcome.passwordRules) await noteFailure(ctx.db, ctx.remoteAddr)
  return await answerPage(ctx, call, outcome)
}

/** A passkey in the place of name and password; or after them, in the place of a code. */
async function signInByPasskey(
  users: SignInParts,
  ctx: Context,
  call: PageCall<z.output<typeof passkeyBody>>,
) {
  const { request, body } = call
  checkForm(request, body.csrfmiddlewaretoken)
  const pending = await pendingOf(ctx, request)
  const judged = await judgePasskey(ctx, users.secrets, body.credential)
  if (pending?.entering.way.door === 'page') {
    const isTheirs = judged.person?.id === pending.entering.person.id
    if (!isTheirs || judged.refused)
      return new Reply(400, refusedSignIn(ctx, judged.refused ?? passkeyRefused))
    const entering = { ...pending.entering, mfaType: 'passkey' }
    const outcome = await resume(ctx, users, { ...pending, entering }, {}, storeSession)
    return await answerPage(ctx, call, outcome)
  }
  const way: Way = {
    door: 'page',
    type: 'W',
    ...whence(ctx, request),
    componentId: undefined,
    autoLogin: (body.auto_login ?? false) && !ctx.settings.SESSION_EXPIRE_AT_BROWSER_CLOSE_FORCE,
  }
  const username = judged.person?.username ?? ''
  const outcome = await beginAs(ctx, users, judged, username, { way, given: {} }, storeSession)
  return await answerPage(ctx, call, outcome ?? passkeyRefused)
}

async function goOn(users: SignInParts, ctx: Context, call: PageCall<unknown>, given: Entering['given']) {
  const pending = await pendingOf(ctx, call.request)
  const here = pending?.entering.way.door === 'page' ? pending : undefined
  return await answerPage(ctx, call, await resume(ctx, users, here, given, storeSession))
}

interface StoredSession {
  token: string
  autoLogin: boolean
}
const storeSession: Store<StoredSession> = async (ctx, { person, way }) => ({
  autoLogin: way.autoLogin,
  token: await startSession(ctx, {
    userId: person.id,
    remoteAddr: way.remoteAddr,
    userAgent: way.userAgent,
    autoLogin: way.autoLogin,
    ageSeconds: ctx.settings.SESSION_COOKIE_AGE,
    onlyOne: ctx.settings.USER_LOGIN_SINGLE_MACHINE_ENABLED,
  }),
})

/** Scripts of our page are answered JSON; a form, and what it is led to, by a redirect. */
async function answerPage(
  ctx: Context,
  { request, reply, body, query }: PageCall<unknown>,
  outcome: Outcome<StoredSession>,
) {
  const { settings } = ctx
  const next = safeNext(body.next ?? query.next)
  const onwards = next === '/' ? '' : `?next=${encodeURIComponent(next)}`
  if (outcome.is === 'refused') {
    if (outcome.error === 'session_empty' || outcome.error === 'login_confirm_error')
      clearPending(request, reply)
    if (request.method === 'GET') return reply.redirect(`${signInPages.signIn}${onwards}`, 302)
    return new Reply(400, refusedSignIn(ctx, outcome))
  }
  if (outcome.is === 'owed') {
    if (outcome.token !== undefined) setPending(request, reply, outcome.token)
    if (!isForm(request)) return owed(ctx, outcome)
    const page = outcome.error === 'login_confirm_wait' ? 'wait-confirm' : 'mfa'
    return reply.redirect(`${signInPages.signIn}${page}/${onwards}`, 302)
  }
  clearPending(request, reply)
  // The session this browser had before is over.
  if (ctx.identity?.sessionId !== undefined) await endSession(ctx, ctx.identity.sessionId)
  const { token, autoLogin } = outcome.signIn
  setSignedIn(request, reply, token, { autoLogin, ageSeconds: settings.SESSION_COOKIE_AGE })
  return isForm(request) ? reply.redirect(next, 302) : { next }
}

const loginTypes = ['W', 'T', 'U'] as const

async function signInByApi(
  users: SignInParts,
  ctx: Context,
  { request, reply, body }: Call<z.output<typeof tokenBody>>,
) {
  // Only a component has seen the proof that somebody holds a key, and only it may say where somebody is.
  const componentId = ctx.identity?.isComponent === true ? ctx.identity.id : undefined
  const publicKey = body.public_key || undefined
  if (publicKey !== undefined && componentId === undefined)
    throw new ApiError(403, 'public_key_needs_component')
  const named = request.headers[headers.loginType]
  const way: Way = {
    door: componentId === undefined ? 'program' : 'gateway',
    type: loginTypes.find((type) => type === named) ?? 'U',
    ...whence(ctx, request, body.remote_addr),
    componentId,
    autoLogin: false,
  }
  const credentials = {
    username: body.username?.trim() ?? '',
    password: body.password ?? undefined,
    publicKey,
  }
  const pending = await pendingOf(ctx, request, body.remote_addr)
  const outcome =
    pending?.entering.way.door === way.door && isContinued(pending.entering, credentials)
      ? await resume(ctx, users, pending, {}, storeToken)
      : await begin(ctx, users, credentials, { way, given: {} }, storeToken)
  if (outcome.is === 'refused' && outcome.error === 'login_confirm_error') {
    clearPending(request, reply)
    const { ticketId, person } = pending?.entering ?? {}
    const username = person?.username ?? credentials.username
    return new Reply(200, confirmRefused(ctx, outcome, { ticketId, username }))
  }
  if (outcome.is === 'refused') return new Reply(400, refusedSignIn(ctx, outcome))
  if (outcome.is === 'owed') {
    if (outcome.token !== undefined) setPending(request, reply, outcome.token)
    return owed(ctx, outcome)
  }
  clearPending(request, reply)
  const { token, date_expired, signed_in_ms } = outcome.signIn
  return new Reply(201, {
    token,
    keyword: 'Bearer',
    date_expired: formatDatetime(date_expired, ctx.zone),
    user: await profileOf(ctx, users, outcome.userId),
    ...(signed_in_ms !== undefined && { signed_in_ms }),
  })
}

interface StoredToken {
  token: string
  date_expired: Date
  /** For gateways. */
  signed_in_ms?: number
}
/**
 * A component learns who somebody is and cannot become them: its list of calls would mean nothing. Gateways of other make expect a token
 * beside the person; theirs is kept nowhere, so no call takes it.
 */
const storeToken: Store<StoredToken> = async ({ db, settings }, { person, way }) =>
  way.door === 'gateway'
    ? { token: newToken(), date_expired: new Date(), signed_in_ms: await clockOf(db) }
    : await startBearer(db, {
        userId: person.id,
        remoteAddr: way.remoteAddr,
        ageSeconds: settings.TOKEN_EXPIRATION,
      })

/** Whoever sends a name and a password again, and has answered nothing yet, begins anew. */
function isContinued(
  { person, mfaType, ticketId }: Entering,
  { username, password, publicKey }: Credentials,
): boolean {
  if (username === '') return true
  const isAsked = password !== undefined || publicKey !== undefined
  const isUnderWay = mfaType !== undefined || ticketId !== undefined
  return username === person.username && (isUnderWay || !isAsked)
}
