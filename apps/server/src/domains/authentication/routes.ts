/** Signing in and out: pages of a browser, and the token calls of programs (auth.md sections 1 and 5). */
import { isIP } from 'node:net'
import { formatDatetime, headers } from '@sallyport/contract'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { clockOf } from '../../kernel/database/index.ts'
import { ApiError } from '../../kernel/errors.ts'
import { type Call, Reply, route, type RouteByHand } from '../../kernel/http/route.ts'
import { profileOf, type UsersServices } from '../users/index.ts'
import { setSignedIn, setSignedOut } from './cookies.ts'
import { hasCsrfToken, isFromElsewhere } from './gatekeeper.ts'
import type { Identities } from './identities.ts'
import { safeNext } from './next.ts'
import { refusal } from './refusals.ts'
import { endSession, startBearer, startSession } from './sessions.ts'
import { type Outcome, trySignIn } from './sign-in.ts'
import { newToken } from './tokens.ts'

export interface SignInParts {
  users: UsersServices
  identities: Identities
}

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
  auto_login: ticked.optional(),
  csrfmiddlewaretoken: text(256).optional(),
  next: text(2048).optional(),
})
const tokenBody = z.object({
  username: text(128).nullish(),
  password: text(maxPassword).nullish(),
  public_key: text(16_384).nullish(),
  /** Whom a component speaks for. */
  remote_addr: text(64)
    .refine((given) => given === '' || isIP(given) > 0)
    .nullish(),
})

const userAgentOf = (request: FastifyRequest) => (request.headers['user-agent'] ?? '').slice(0, 254)
const refusedBody = (ctx: Context, outcome: Extract<Outcome<unknown>, { ok: false }>) => ({
  ...refusal(outcome.error, ctx.language, outcome.reason, outcome.params),
  ...(outcome.passwordRules && { password_rules: outcome.passwordRules }),
})

export function signInRoutes(parts: SignInParts): RouteByHand[] {
  return [
    route({
      method: 'POST',
      path: '/core/auth/login/',
      access: 'public',
      records: 'changes',
      byHand: 'signing in: a page, and cookies',
      body: loginBody,
      query: z.object({ next: text(2048).optional() }),
      handler: (ctx, call) => signInByPage(parts, ctx, call),
    }),
    route({
      method: ['GET', 'POST'],
      path: '/core/auth/logout/',
      access: 'public',
      records: { unrecorded: 'who signs out ends only the sign-in that is in the books' },
      byHand: 'signing out: a redirect, and cookies',
      query: z.object({ next: text(2048).optional() }),
      handler: async (ctx, { request, reply, query }) => {
        const next = safeNext(query.next)
        const isElsewhere = /^(cross|same)-site$/.test(String(request.headers['sec-fetch-site']))
        // A link on another site signs nobody out.
        if (!isElsewhere && ctx.identity?.sessionId !== undefined) {
          await endSession(ctx.db, ctx.identity.sessionId)
          await parts.identities.changed(ctx.db)
        }
        if (!isElsewhere) setSignedOut(request, reply)
        return reply.redirect(
          `/core/auth/login/${next === '/' ? '' : `?next=${encodeURIComponent(next)}`}`,
          302,
        )
      },
    }),
    ...['auth', 'tokens'].map((name) =>
      route({
        method: 'POST',
        path: `/api/v1/authentication/${name}/`,
        access: 'public',
        records: 'changes',
        byHand: 'signing in: its refusals have a shape of their own',
        body: tokenBody,
        handler: (ctx, call) => signInByApi(parts, ctx, call),
      }),
    ),
  ]
}

async function signInByPage(
  { users, identities }: SignInParts,
  ctx: Context,
  { request, reply, body, query }: Call<z.output<typeof loginBody>, { next?: string | undefined }>,
) {
  if (isFromElsewhere(request)) throw new ApiError(403, 'origin_refused')
  if (!hasCsrfToken(request, body.csrfmiddlewaretoken))
    throw new ApiError(403, 'csrf_failed', { knownAs: 'permission_denied' })
  const [password = '', newPassword] = await users.secrets.openEnvelopes(
    body.new_password === undefined ? [body.password] : [body.password, body.new_password],
  )
  const values = ctx.settings
  const autoLogin = (body.auto_login ?? false) && !values.SESSION_EXPIRE_AT_BROWSER_CLOSE_FORCE
  const from = { remoteAddr: ctx.remoteAddr, userAgent: userAgentOf(request) }
  const outcome = await trySignIn(
    ctx,
    users,
    {
      username: body.username.trim(),
      password: password.slice(0, maxPassword),
      publicKey: undefined,
      newPassword: newPassword?.slice(0, maxPassword),
      type: 'W',
      ...from,
    },
    ({ db }, userId) =>
      startSession(db, {
        userId,
        ...from,
        autoLogin,
        ageSeconds: values.SESSION_COOKIE_AGE,
        onlyOne: values.USER_LOGIN_SINGLE_MACHINE_ENABLED,
      }),
  )
  if (!outcome.ok) return new Reply(400, refusedBody(ctx, outcome))
  // The session this browser had before is over.
  if (ctx.identity?.sessionId !== undefined) await endSession(ctx.db, ctx.identity.sessionId)
  if (ctx.identity?.sessionId !== undefined || values.USER_LOGIN_SINGLE_MACHINE_ENABLED)
    await identities.changed(ctx.db)
  setSignedIn(request, reply, outcome.signIn, { autoLogin, ageSeconds: values.SESSION_COOKIE_AGE })
  const next = safeNext(body.next ?? query.next)
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  return isForm ? reply.redirect(next, 302) : { next }
}

const loginTypes = ['W', 'T', 'U'] as const

async function signInByApi(
  { users }: SignInParts,
  ctx: Context,
  { request, body }: Call<z.output<typeof tokenBody>>,
) {
  // Only a component has seen the proof that somebody holds a key, and only it may say where somebody is.
  const isComponent = ctx.identity?.isComponent === true
  const remoteAddr = (isComponent && body.remote_addr) || ctx.remoteAddr
  const publicKey = body.public_key || undefined
  if (publicKey !== undefined && !isComponent) throw new ApiError(403, 'public_key_needs_component')
  const named = request.headers[headers.loginType]
  const ageSeconds = ctx.settings.TOKEN_EXPIRATION
  const outcome = await trySignIn(
    ctx,
    users,
    {
      username: body.username?.trim() ?? '',
      password: body.password ?? undefined,
      publicKey,
      type: loginTypes.find((type) => type === named) ?? 'U',
      remoteAddr,
      userAgent: userAgentOf(request),
    },
    // A component learns who somebody is and cannot become them: its list of calls would mean nothing. Gateways of other make expect a
    // token beside the person; theirs is kept nowhere, so no call takes it.
    async ({ db }, userId) =>
      isComponent
        ? { token: newToken(), date_expired: new Date(), signed_in_ms: await clockOf(db) }
        : { ...(await startBearer(db, { userId, remoteAddr, ageSeconds })), signed_in_ms: undefined },
  )
  if (!outcome.ok) return new Reply(400, refusedBody(ctx, outcome))
  const { token, date_expired, signed_in_ms } = outcome.signIn
  return new Reply(201, {
    token,
    keyword: 'Bearer',
    date_expired: formatDatetime(date_expired, ctx.zone),
    user: await profileOf(ctx, users, outcome.userId),
    ...(signed_in_ms !== undefined && { signed_in_ms }),
  })
}
