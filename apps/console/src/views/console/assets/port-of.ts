const ports: Readonly<Record<string, number>> = { 'https:': 443 }
const usualPort = 80

/** The port of a URL: the one it names, or that of its scheme; undefined while it is none. Without a scheme it is http. */
export function portOf(value: unknown): number | undefined {
  const typed = typeof value === 'string' ? value.trim() : ''
  const address = /^[a-z][a-z0-9+.-]*:\/\//iu.test(typed) ? typed : `http://${typed}`
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  return url.port === '' ? (ports[url.protocol] ?? usualPort) : Number(url.port)
}
