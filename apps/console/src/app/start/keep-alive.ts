import { Profile } from '@sallyport/contract/resources/users'
import { ApiError } from '../../kit/api/errors.ts'
import { readOne } from '../../kit/api/one.ts'
import { currentSession } from '../../kit/session/session.ts'
import { endSession, resumeSession, sessionState } from './session-end.ts'

const quietMs = 30_000

let timer: ReturnType<typeof setTimeout> | undefined

/** Counts from the last answer: after thirty quiet seconds one silent profile call shows whether the session lives. */
export function noteAnswer(): void {
  clearTimeout(timer)
  if (sessionState() === 'live') timer = setTimeout(() => void checkSession(), quietMs)
}

/** Whether the session lives, or lives again, and is still the same person's; the page is told. */
export async function checkSession(): Promise<boolean> {
  try {
    const { id } = await readOne(Profile, { silent: true })
    if (id !== currentSession()?.profile.id) return false
    resumeSession()
    return true
  } catch (error) {
    // Any other failure shows itself at the person's next step.
    if (error instanceof ApiError && error.status === 401) endSession()
    return false
  }
}
