/** What administrators do with the directory: trying it, looking who is there, and bringing people in (settings.md, category ldap). */
import {
  Directory,
  type DirectoryPerson,
  type ErrorKey,
  errors,
  type Params,
  rootOrgId,
  serverTexts,
  sortedBy,
  systemOrgId,
  translate,
} from '@sallyport/contract'
import { inArray } from 'drizzle-orm'
import type { Context, Organization } from '../../kernel/context.ts'
import { ApiError, refusedAs } from '../../kernel/errors.ts'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import { namesOf, termsOf } from '../../kernel/resource/query.ts'
import { type CheckConfirmed, secretToTry } from '../settings/index.ts'
import { type FoundPerson, tryOnce, users } from '../users/index.ts'
import { checkPassword, type DirectorySet, readAll } from './client.ts'
import { DirectoryFailure, inLanguage } from './failure.ts'
import { isFilter } from './filter.ts'
import { createReading, forget, readState } from './jobs.ts'
import { directorySet, type DirectoryServices } from './service.ts'
import { asked, bindPassword, directoryOf, isAddress, isMap, mapIn } from './set.ts'

/** Of a request that waits for the directory. */
const answerMs = 20_000

/** A bare text (settings.md). */
const refusedInWords = (key: ErrorKey, params?: Params) =>
  new ApiError(400, key, { body: (language) => translate(errors, language, key, params) })

const sentenceOf = {
  server: 'ldap_server_invalid',
  bind: 'ldap_bind_invalid',
  search: 'ldap_search_invalid',
} as const satisfies Record<DirectoryFailure['part'], ErrorKey>

async function inWords<T>({ language }: Context, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof DirectoryFailure)) throw error
    throw refusedInWords(sentenceOf[error.part], { reason: error.reason(language) })
  }
}

/** @returns how many people it finds @throws ApiError 400 with what is wrong first, as a bare text */
async function checkSet(ctx: Context, at: DirectorySet, isOn: boolean): Promise<number> {
  const { language } = ctx
  const say = (key: ErrorKey) => ({ reason: translate(errors, language, key) })
  if (!isAddress(at.url)) throw refusedInWords('ldap_server_invalid', say('ldap_scheme'))
  if (!isMap(at.names)) {
    // Whether the server answers is told first.
    await inWords(ctx, () => readAll({ ...at, bases: [], names: {} }, { timeoutMs: limitOf(at) }))
    throw refusedInWords('ldap_map_invalid')
  }
  if (!isFilter(at.filter)) throw refusedInWords('ldap_search_invalid', say('ldap_filter_wrong'))
  const { people, counts } = await inWords(ctx, () => readAll(at, { timeoutMs: limitOf(at) }))
  const empty = counts.find(({ count }) => count === 0)
  if (empty !== undefined) {
    const reason = translate(errors, language, 'ldap_nobody', { base: empty.base })
    throw refusedInWords('ldap_search_invalid', { reason })
  }
  if (!isOn) throw refusedInWords('ldap_off')
  return people.length
}

const limitOf = ({ connectTimeoutMs }: DirectorySet) => connectTimeoutMs + answerMs

/** The last read, unless another is asked for. */
const isCached = (said: string | undefined) => said === undefined || ['', '1', 'true', 'True'].includes(said)

export function directoryCalls(
  services: DirectoryServices,
  checkConfirmed: CheckConfirmed,
): {
  calls: Provided
  reading: ReturnType<typeof createReading>
} {
  const { settings, executions, orgs, storeFound } = services
  const reading = createReading(settings)

  /** @throws ApiError 409 `{msg}` while it is being read, 400 `{error}` when it could not be */
  async function peopleOf(ctx: Context, cachePolice: string | undefined): Promise<readonly FoundPerson[]> {
    const failed = (reason: string) => refusedAs('error', 400, 'ldap_read_failed', { reason })
    if (!isCached(cachePolice))
      try {
        const at = await directorySet(settings, ctx)
        return (await readAll(at, { timeoutMs: limitOf(at) })).people
      } catch (error) {
        if (!(error instanceof DirectoryFailure)) throw error
        throw failed(error.reason(ctx.language))
      }
    const state = await readState(ctx, { settings, executions, reading })
    if (state.is === 'read') return state.people
    if (state.is === 'failed') throw failed(inLanguage(state.said, ctx.language))
    throw refusedAs('msg', 409, state.is === 'begun' ? 'ldap_read_begun' : 'ldap_read_running')
  }

  async function organization(ctx: Context, asked: string | null | undefined): Promise<Organization> {
    const id = asked || ctx.settings.AUTH_LDAP_SYNC_ORG_ID
    const org = await orgs.resolve(id)
    if (org.id !== id || org.id === rootOrgId || org.id === systemOrgId)
      throw refusedAs('error', 400, 'not_valid_org')
    return org
  }

  const calls = provide(Directory, {
    testConfig: async (ctx, { body }) => {
      const stored = await settings.stored(ctx.db, { lock: false })
      const names = mapIn(body.AUTH_LDAP_USER_ATTR_MAP) as typeof stored.AUTH_LDAP_USER_ATTR_MAP
      const sent = { AUTH_LDAP_START_TLS: false, AUTH_LDAP_BIND_DN: '', ...body }
      const given = { ...sent, AUTH_LDAP_USER_ATTR_MAP: names }
      const password = await secretToTry(ctx, bindPassword, {
        sent: given,
        stored,
        others: asked,
        settings,
        checkConfirmed,
      })
      const count = await checkSet(
        ctx,
        directoryOf({ ...stored, ...given }, password),
        body.AUTH_LDAP === true,
      )
      return translate(serverTexts, ctx.language, 'ldap_test_done', { count })
    },

    testLogin: async (ctx, { body: { username, password } }) => {
      const at = await directorySet(settings, ctx)
      await checkSet(ctx, at, ctx.settings.AUTH_LDAP)
      const who = { username, ip: ctx.remoteAddr }
      // Guessing a password here is guessing it.
      const verdict = await tryOnce(ctx.db, who, ctx.settings, async () => {
        const answered = await inWords(ctx, () =>
          checkPassword(at, { username, password }, { timeoutMs: limitOf(at) }),
        )
        return answered.is === 'right'
      })
      if (verdict.is === 'blocked')
        throw verdict.by === 'account'
          ? refusedInWords('block_login', { minutes: ctx.settings.SECURITY_LOGIN_LIMIT_TIME })
          : refusedInWords('block_global_ip_login', { minutes: ctx.settings.SECURITY_LOGIN_IP_LIMIT_TIME })
      if (verdict.is === 'wrong') throw refusedInWords('ldap_login_failed')
      return translate(serverTexts, ctx.language, 'ldap_login_done', { username })
    },

    users: async (ctx, { query: { cache_police, search, order } }) => {
      const people = await peopleOf(ctx, cache_police)
      const terms = termsOf(search).map((term) => term.toLowerCase())
      const found = people.filter(({ username, name, email }) => {
        const texts = [username, name, email].map((text) => text.toLowerCase())
        return terms.every((term) => texts.some((text) => text.includes(term)))
      })
      const existing = await existingOf(ctx, found)
      const rows = found.map((person) => rowOf(person, existing))
      return ordered(rows, order)
    },

    import: {
      // A few of them in each transaction: one who cannot be stored keeps nobody else out.
      ahead: async (ctx, { body, query }) => {
        const org = await organization(ctx, body.org_id)
        const people = new Map((await peopleOf(ctx, query.cache_police)).map((one) => [one.username, one]))
        const named = body.username_list.includes('*') ? [...people.keys()] : [...new Set(body.username_list)]
        const missing = named.filter((username) => !people.has(username))
        const chosen = named.flatMap((username) => people.get(username) ?? [])
        const problems = [
          ...missing.map((username) => ({
            username,
            reason: translate(errors, ctx.language, 'ldap_not_in_directory'),
          })),
          ...(await storeFound(ctx, org, chosen)),
        ]
        if (problems.length > 0)
          throw new ApiError(400, 'error', {
            body: () => ({ errors: problems.map(({ username, reason }) => ({ [username]: reason })) }),
          })
        const params = { count: chosen.length, org: org.name }
        return () => Promise.resolve({ msg: translate(serverTexts, ctx.language, 'ldap_imported', params) })
      },
    },

    refresh: async (ctx) => {
      await forget(ctx)
      return { msg: 'success' }
    },
  })
  return { calls, reading }
}

/** Which of these usernames are users here. */
async function existingOf({ db }: Context, people: readonly FoundPerson[]): Promise<ReadonlySet<string>> {
  const names = people.map(({ username }) => username)
  if (names.length === 0) return new Set()
  const rows = await db.select({ username: users.username }).from(users).where(inArray(users.username, names))
  return new Set(rows.map(({ username }) => username))
}

const rowOf = (
  { username, name, email, groups = [] }: FoundPerson,
  existing: ReadonlySet<string>,
): DirectoryPerson => ({
  id: username,
  username,
  name,
  email,
  groups: [...groups],
  existing: existing.has(username),
})

const sortable = sortedBy(Directory.calls.users) as (keyof DirectoryPerson)[]

/** As lists are: names that sort nothing are dropped. */
function ordered(rows: DirectoryPerson[], order: string | undefined): DirectoryPerson[] {
  const asked = namesOf(order).filter((part) => sortable.some((name) => name === part.replace(/^-/, '')))
  const parts = asked.length > 0 ? [...asked, 'username'] : ['existing', 'username']
  const compared = (a: DirectoryPerson, b: DirectoryPerson, part: string) => {
    const by = part.replace(/^-/, '') as keyof DirectoryPerson
    return (part.startsWith('-') ? -1 : 1) * String(a[by]).localeCompare(String(b[by]))
  }
  return rows.toSorted((a, b) => parts.map((part) => compared(a, b, part)).find((one) => one !== 0) ?? 0)
}
