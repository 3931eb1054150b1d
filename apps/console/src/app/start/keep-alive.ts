import { Profile } from '@sallyport/contract/resources/users'
import { ApiError } from '../../kit/api/errors.ts'
import { readOne } from '../../kit/api/one.ts'
import { endSession } from './session-end.ts'

const quietMs = 30_000

let timer: ReturnType<typeof setTimeout> | undefined

/** Counts from the last answer: after thirty quiet seconds one silent profile call shows whether the session lives. */
export function noteAnswer(): void {
  clearTimeout(timer)
  timer = setTimeout(() => void checkSession(), quietMs)
}

async function checkSession(): Promise<void> {
  try {
    await readOne(Profile, { silent: true })
  } catch (error) {
    // Any other failure shows itself at the person's next step.
    if (error instanceof ApiError && error.status === 401) endSession()
  }
}
