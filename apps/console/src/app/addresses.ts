import { signInPages } from '@sallyport/contract/addresses'

/** The console's base path. */
export const base = '/ui'

/** Below the base: where a login in a tab of its own ends. */
export const loggedInPath = '/logged-in'

/** Where a page of this console lies, with its query: what `next` holds. */
export function currentAddress(): string {
  return `${location.pathname}${location.search}`
}

/** Where somebody goes who forgot the password: the server knows whether that is a page of ours. */
export const forgottenAddress = signInPages.beginForgotten

/** Whether an address shows the page on which a forgotten password is replaced. */
export const isPasswordAddress = (pathname: string): boolean =>
  /^\/core\/auth\/password\/(forgot|reset)\/?$/.test(pathname)

/** Whether an address shows the sign-in page. */
export function isSignInAddress(pathname: string): boolean {
  return /^(\/core\/auth\/login(\/(mfa|wait-confirm|guard))?|\/ui\/login)\/?$/.test(pathname)
}

/** The sign-in page that leads back to an address. */
export function signInAddress(next: string = currentAddress()): string {
  return `${signInPages.signIn}?next=${encodeURIComponent(next)}`
}

/** Signing out, then in again, leads back to an address. */
export function signOutAddress(next: string = currentAddress()): string {
  return `${signInPages.signOut}?next=${encodeURIComponent(next)}`
}

/**
 * Where to go after signing in: a path of this origin or the console's start. Everything a browser could read as
 * another origin (`//host`, `/\host`, a scheme, control characters) is refused.
 */
export function safeNext(next: string | null | undefined, origin: string = location.origin): string {
  const fallback = `${base}/`
  if (!next || !next.startsWith('/') || /[\\\p{Cc}]/u.test(next)) return fallback
  let url: URL
  try {
    url = new URL(next, origin)
  } catch {
    return fallback
  }
  if (
    url.origin !== origin ||
    isSignInAddress(url.pathname) ||
    isPasswordAddress(url.pathname) ||
    url.pathname.startsWith('/core/auth/logout')
  ) {
    return fallback
  }
  return `${url.pathname}${url.search}${url.hash}`
}

/** The address of an old link (`/ui/#/x`), or undefined when it is none. */
export function historyAddress(hash: string): string | undefined {
  return hash.startsWith('#/') ? `${base}${hash.slice(1)}` : undefined
}
