/** What other domains need of the directory: whether a password is that of somebody it knows. */
import type { Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { Ground } from '../../kernel/ground.ts'
import type { Orgs } from '../orgs/index.ts'
import type { Settings } from '../settings/index.ts'
import type { StoreFound } from '../users/index.ts'
import { checkPassword, type DirectorySet } from './client.ts'
import { DirectoryFailure } from './failure.ts'
import { directoryOf, nameOf } from './set.ts'

export interface DirectoryServices extends Pick<Ground, 'database' | 'executions' | 'log'> {
  settings: Settings
  orgs: Orgs
  /** Puts people of the directory among the users. */
  storeFound: StoreFound
}

/** Whose password the directory may be asked for: somebody of it, or somebody unknown here who is let in by it. */
type Asked = { source: string } | undefined

const unanswered = ['directory_unavailable', 'directory_person_refused'] as const
/** Whether the password was not looked at, or its person could not be made a user: no guess. */
export const isUnanswered = (error: unknown): error is ApiError =>
  error instanceof ApiError && unanswered.some((code) => code === error.code)

/** Whether that person's password is checked by the directory at all. */
export function isCheckedThere({ settings }: Pick<Context, 'settings'>, person: Asked): boolean {
  if (!settings.AUTH_LDAP) return false
  if (person !== undefined) return person.source === 'ldap'
  return !settings.ONLY_ALLOW_EXIST_USER_AUTH && !settings.AUTH_LDAP_USER_LOGIN_ONLY_IN_USERS
}

export interface Directory {
  /**
   * Whether it is the password of that name there. Somebody who is right and unknown here is made a user.
   * @param ctx not in a transaction
   * @throws ApiError 400 `directory_unavailable`, `directory_person_refused`
   */
  isPassword(ctx: Context, person: Asked, given: { username: string; password: string }): Promise<boolean>
}

/** Of a sign-in, after it is connected. */
const answerMs = 15_000
const mostAtOnce = 20
/** For so long whoever got no answer in time gets none again: guesses at one name stand in line, and would hold its person up for minutes. */
const silentMs = 5000

const isLate = (error: unknown) =>
  error instanceof DirectoryFailure && 'key' in error.said && error.said.key === 'ldap_too_late'

export function createDirectory({ settings, orgs, storeFound, log }: DirectoryServices): Directory {
  let running = 0
  /** Until when, by directory and name. */
  const silent = new Map<string, number>()
  function noteSilent(asked: string): void {
    const now = performance.now()
    for (const [other, until] of silent) if (until < now) silent.delete(other)
    silent.set(asked, now + silentMs)
  }
  /** @throws DirectoryFailure */
  async function ask(ctx: Context, given: { username: string; password: string }) {
    if (running >= mostAtOnce) throw new DirectoryFailure('server', { key: 'ldap_busy' })
    running += 1
    try {
      const at = await directorySet(settings, ctx)
      const asked = `${nameOf(at)} ${given.username}`
      if ((silent.get(asked) ?? 0) > performance.now())
        throw new DirectoryFailure('server', { key: 'ldap_too_late' })
      return await checkPassword(at, given, { timeoutMs: at.connectTimeoutMs + answerMs }).catch(
        (error: unknown) => {
          if (isLate(error)) noteSilent(asked)
          throw error
        },
      )
    } finally {
      running -= 1
    }
  }
  return {
    async isPassword(ctx, person, given) {
      const answered = await ask(ctx, given).catch((error: unknown) => {
        if (!(error instanceof DirectoryFailure)) throw error
        log.warn({ err: error }, 'the directory could not check a password')
        throw new ApiError(400, 'directory_unavailable', { cause: error })
      })
      if (answered.is === 'wrong') return false
      if (person !== undefined) return true
      const org = await orgs.resolve(ctx.settings.AUTH_LDAP_SYNC_ORG_ID)
      // Nobody is signed in yet, and a gateway that asks for somebody did not make a user of them.
      const [problem] = await storeFound(ctx.asSystem(), org, [answered.person])
      if (problem !== undefined)
        throw new ApiError(400, 'directory_person_refused', { params: { reason: problem.reason } })
      return true
    },
  }
}

/** The directory as it is stored, with its password. */
export async function directorySet(settings: Settings, { db }: { db: Executor }): Promise<DirectorySet> {
  const values = await settings.stored(db, { lock: false })
  return directoryOf(values, await settings.secret(db, 'AUTH_LDAP_BIND_PASSWORD'))
}
