/** The value of a cookie, without surrounding quotes, or undefined. */
export function readCookie(name: string, source: string = document.cookie): string | undefined {
  for (const part of source.split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) {
      return decode(
        part
          .slice(at + 1)
          .trim()
          .replaceAll('"', ''),
      )
    }
  }
  return undefined
}

/** Writes a cookie for the whole site. `maxAgeSeconds` left out makes it end with the browser session. */
export function writeCookie(name: string, value: string, maxAgeSeconds?: number): void {
  const age = maxAgeSeconds === undefined ? '' : `; max-age=${maxAgeSeconds}`
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; samesite=lax${age}`
}

/** The CSRF token the server handed out; its cookie's name starts with a configurable prefix. */
export function csrfToken(source: string = document.cookie): string | undefined {
  const prefix = readCookie('SESSION_COOKIE_NAME_PREFIX', source) ?? 'jms_'
  return readCookie(`${prefix}csrftoken`, source)
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    // A cookie written by another program may hold a bare percent sign.
    return value
  }
}
