import { api } from '../../kit/api/client.ts'
import { csrfToken } from '../../kit/api/cookies.ts'
import { ApiError, isRecord } from '../../kit/api/errors.ts'
import { sealSecret } from '../../kit/secrets/secrets.ts'

const signInPath = '/core/auth/login/'

export interface Credentials {
  username: string
  password: string
  autoLogin: boolean
}

/**
 * Signs in; answers the address to go on to, which the caller must still judge. Rejects with ApiError; `refusalText`
 * reads the server's reason from it.
 */
export async function signIn(credentials: Credentials, next: string): Promise<string | undefined> {
  // The page may have stood open longer than the token and the key that came with it.
  if (csrfToken() === undefined) await api.raw(signInPath)
  const answer = await api.post<{ next?: string }>(
    signInPath,
    {
      username: credentials.username.trim(),
      password: await sealSecret(credentials.password),
      auto_login: credentials.autoLogin,
    },
    { query: { next } },
  )
  return answer.next
}

/**
 * Why the server refused, in its own words, with the tries left or the minutes to wait. Here `error` is a code, not a
 * sentence.
 */
export function refusalText(failure: unknown): string | undefined {
  if (!(failure instanceof ApiError)) return undefined
  const { body, serverText } = failure
  return isRecord(body) && typeof body['msg'] === 'string' ? body['msg'] : serverText
}
