import { Profile as ProfileResource } from '@sallyport/contract/resources/users'
import { api } from '../../kit/api/client.ts'
import { listPath } from '../../kit/api/resource.ts'
import { currentSession, setSession } from '../../kit/session/session.ts'
import type { Profile } from '../../kit/session/types.ts'

/** Reads the profile again after a change, for everything that shows it. */
export async function refreshProfile(): Promise<void> {
  const profile = await api.get<Profile>(listPath(ProfileResource.path))
  const session = currentSession()
  if (session) {
    setSession({ ...session, profile })
  }
}
