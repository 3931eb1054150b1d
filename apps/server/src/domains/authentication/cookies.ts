/** The cookies a browser lives by. */
import { createHmac } from 'node:crypto'
import { cookiePrefix, cookies } from '@sallyport/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { newToken } from './tokens/tokens.ts'

const csrfAgeSeconds = 365 * 86_400

const shared = (request: FastifyRequest) => ({
  path: '/',
  sameSite: 'lax' as const,
  secure: request.protocol === 'https',
})

export const sessionToken = (request: FastifyRequest) => request.cookies[cookies.session]

/** Of a sign-in that is under way. */
export const pendingToken = (request: FastifyRequest) => request.cookies[cookies.pendingSignIn]

export function setPending(request: FastifyRequest, reply: FastifyReply, token: string): void {
  reply.setCookie(cookies.pendingSignIn, token, { ...shared(request), httpOnly: true })
}

export function clearPending(request: FastifyRequest, reply: FastifyReply): void {
  if (pendingToken(request) !== undefined) reply.clearCookie(cookies.pendingSignIn, shared(request))
}

/** The token of a session's forms: derived from the session's own, so it is good for no other session and nothing is kept. */
const csrfOf = (token: string) => createHmac('sha256', token).update('csrf').digest('base64url')

/** What unsafe requests of this browser must repeat: its session's token, or before signing in the one it was given. */
export function expectedCsrf(request: FastifyRequest): string | undefined {
  const token = sessionToken(request)
  return token === undefined ? request.cookies[cookies.csrf] : csrfOf(token)
}

function setCsrf(request: FastifyRequest, reply: FastifyReply, value: string): void {
  // Read by the console's script, so not HttpOnly.
  reply.setCookie(cookies.csrf, value, { ...shared(request), maxAge: csrfAgeSeconds })
}

/** Gives a browser what it needs before it can sign in and send secrets: on pages, not on calls of the API. */
export function greet(request: FastifyRequest, reply: FastifyReply, publicKey: string): void {
  const given = request.cookies
  if (given[cookies.prefix] !== cookiePrefix) reply.setCookie(cookies.prefix, cookiePrefix, shared(request))
  const csrf = expectedCsrf(request)
  if (csrf === undefined || given[cookies.csrf] !== csrf) setCsrf(request, reply, csrf ?? newToken())
  const key = Buffer.from(publicKey).toString('base64')
  if (given[cookies.publicKey]?.replaceAll('"', '') !== key)
    reply.setCookie(cookies.publicKey, key, { ...shared(request), encode: (value) => `"${value}"` })
}

/** The browser is signed in: a new session, a new form token. With `autoLogin` it stays so when it is closed. */
export function setSignedIn(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  { autoLogin, ageSeconds }: { autoLogin: boolean; ageSeconds: number },
): void {
  reply.setCookie(cookies.session, token, {
    ...shared(request),
    httpOnly: true,
    ...(autoLogin ? { maxAge: ageSeconds } : {}),
  })
  setCsrf(request, reply, csrfOf(token))
  reply.setCookie(cookies.sessionExpire, autoLogin ? 'age' : 'close', {
    ...shared(request),
    maxAge: ageSeconds,
  })
}

export function setSignedOut(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(cookies.session, shared(request))
  setCsrf(request, reply, newToken())
}
