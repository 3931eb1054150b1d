import { PublicSettings } from '@sallyport/contract/resources/settings'
import { readOne } from '../../kit/api/one.ts'
import { currentSession, setSession } from '../../kit/session/session.ts'

/** Reads what everybody may know of the settings again after a change, for everything that shows it. */
export async function refreshSettings(): Promise<void> {
  const settings = await readOne(PublicSettings)
  const session = currentSession()
  if (session) setSession({ ...session, settings })
}
