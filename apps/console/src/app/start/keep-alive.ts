import { api } from '../../kit/api/client.ts'
import { ApiError } from '../../kit/api/errors.ts'
import { endSession } from './session-end.ts'

const quietMs = 30_000
const profilePath = 'users/profile/'

let timer: ReturnType<typeof setTimeout> | undefined

/** Counts from the last answer: after thirty quiet seconds one silent profile call shows whether the session lives. */
export function noteAnswer(path: string): void {
  if (path.includes(profilePath)) return
  clearTimeout(timer)
  timer = setTimeout(() => void checkSession(), quietMs)
}

async function checkSession(): Promise<void> {
  try {
    await api.get(profilePath)
  } catch (error) {
    // Any other failure shows itself at the person's next step.
    if (error instanceof ApiError && error.status === 401) endSession()
  }
}
