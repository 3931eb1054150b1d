import { Profile } from '@sallyport/contract/resources/users'
import { readOne } from '../api/one.ts'
import { currentSession, setSession } from './session.ts'

/** Reads the profile again after a change, for everything that shows it. */
export async function refreshProfile(): Promise<void> {
  const profile = await readOne(Profile)
  const session = currentSession()
  if (session) {
    setSession({ ...session, profile })
  }
}
