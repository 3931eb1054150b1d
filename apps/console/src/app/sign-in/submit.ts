import { api } from '../../kit/api/client.ts'
import { csrfToken } from '../../kit/api/cookies.ts'
import { sealSecret } from '../../kit/secrets/secrets.ts'

const signInPath = '/core/auth/login/'

export interface Credentials {
  username: string
  password: string
  autoLogin: boolean
  /** Replaces a password that must be changed. */
  newPassword?: string
}

/**
 * Signs in; answers the address to go on to, which the caller must still judge. Rejects with ApiError; `refusalText`
 * and `passwordDemand` read the server's reason from it.
 */
export async function signIn(credentials: Credentials, next: string): Promise<string | undefined> {
  // The page may have stood open longer than the token and the key that came with it.
  if (csrfToken() === undefined) await api.raw(signInPath)
  const { username, password, newPassword, autoLogin } = credentials
  const answer = await api.post<{ next?: string }>(
    signInPath,
    {
      username: username.trim(),
      password: await sealSecret(password),
      ...(newPassword !== undefined && { new_password: await sealSecret(newPassword) }),
      auto_login: autoLogin,
    },
    { query: { next } },
  )
  return answer.next
}
