import { URL } from 'node:url'

const start = '/'
const here = 'http://here.invalid'

/** Where to go after signing in or out: a path of this site. Anything a browser could take for another one is refused. */
export function safeNext(next: unknown): string {
  if (typeof next !== 'string' || next.length > 2048 || !next.startsWith('/') || /[\\\p{Cc}]/u.test(next))
    return start
  if (!URL.canParse(next, here)) return start
  const url = new URL(next, here)
  // `/.//host` is resolved to `//host`, which is another site.
  if (url.origin !== here || url.pathname.startsWith('//') || url.pathname.startsWith('/core/auth/'))
    return start
  return `${url.pathname}${url.search}${url.hash}`
}
