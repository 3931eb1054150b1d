/**
 * The windows of a browser share one login. Whoever shows the login page, or starts as a person, says so, and windows to which that is news ask
 * the server who they are; so does each window that is come back to.
 */
import { Profile } from '@sallyport/contract/resources/users'
import { stopCalls } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { readOne } from '../api/one.ts'
import { hearLogin, tellLogin } from './login-channel.ts'
import { endSession, replaceSession, resumeSession, sessionState } from './login-state.ts'

/** Whose page this is. */
let ownId: string | undefined

/** From here on the page is this person's. Told again whenever it starts anew. */
export function watchLogin(personId: string): void {
  tellLogin(personId)
  if (ownId !== undefined) return
  ownId = personId
  const check = () => void checkSession()
  hearLogin((toldId) => {
    if (toldId !== ownId || sessionState() !== 'live') check()
  })
  window.addEventListener('focus', check)
  // A page the browser had put away as it was.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) check()
  })
}

/** Whether the session lives, or lives again, and is still the same person's; the page is told. */
export async function checkSession(): Promise<boolean> {
  try {
    const { id } = await readOne(Profile, { silent: true })
    if (ownId === undefined || id === ownId) {
      resumeSession()
      return true
    }
    stopCalls()
    replaceSession()
  } catch (error) {
    // Who has dismissed the message is not told again by coming back. Any other failure shows itself at the person's next step.
    if (error instanceof ApiError && error.status === 401 && sessionState() === 'live') endSession()
  }
  return false
}
