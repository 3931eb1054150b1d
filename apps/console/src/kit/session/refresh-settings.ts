import { PublicSettings } from '@sallyport/contract/resources/settings'
import { readOne } from '../api/one.ts'
import { applyInterface } from '../theme/interface.ts'
import { currentSession, setSession } from './session.ts'

/** Reads what everybody may know of the settings again after a change, for everything that shows it. */
export async function refreshSettings(): Promise<void> {
  const settings = await readOne(PublicSettings)
  applyInterface(settings.INTERFACE)
  const session = currentSession()
  if (session) setSession({ ...session, settings })
}
