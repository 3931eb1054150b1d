/** What a login name asks for. */
export type LoginName =
  | { kind: 'menu'; username: string }
  | { kind: 'direct'; username: string; protocol: string; account: string; address: string }
  | { kind: 'token'; token_id: string }

const MAX_LENGTH = 512
const TOKEN = /^JMS-([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/i
/** Separators that are really there: `@` first, `#` where `@` is inconvenient or part of the user name. */
const SEPARATORS = ['@', '#']

/**
 * Reads `user`, `user@account@address`, `user@protocol@account@address`, the same with `#`, and `JMS-<token id>`. A name with two or
 * three separators is always the direct form. Undefined when a part is empty, too long or holds control characters.
 */
export function parseLoginName(name: string): LoginName | undefined {
  if (name.length === 0 || name.length > MAX_LENGTH || /\p{Cc}/u.test(name)) return undefined
  const token = TOKEN.exec(name)?.[1]
  if (token) return { kind: 'token', token_id: token.toLowerCase() }
  for (const separator of SEPARATORS) {
    const parts = name.split(separator)
    if (parts.length !== 3 && parts.length !== 4) continue
    if (parts.some((part) => part === '')) return undefined
    const [username = '', ...rest] = parts
    const [address = '', account = '', protocol = 'ssh'] = rest.toReversed()
    return { kind: 'direct', username, protocol, account, address }
  }
  return { kind: 'menu', username: name }
}
