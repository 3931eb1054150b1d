/** Asking the directory: who somebody is there, whether a password is theirs, who there is. One connection for each question. */
import {
  BusyError,
  Client,
  type Entry,
  InvalidCredentialsError,
  ResultCodeError,
  UnavailableError,
} from 'ldapts'
import { connect, type Place } from './connection.ts'
import { DirectoryFailure, type Part, told } from './failure.ts'
import type { FoundPerson } from '../users/index.ts'
import { filterOf, filterOfAll } from './filter.ts'
import { personOf } from './person.ts'

/** The directory as it is set. */
export interface DirectorySet extends Place {
  bindDn: string
  bindPassword: string | undefined
  /** At least one. */
  bases: readonly string[]
  /** With `%(user)s` in the place of the username. */
  filter: string
  /** Attributes there, by what they are here: `username`, `name`, `email`, and `groups` where these are brought along. */
  names: Readonly<Record<string, string>>
  pageSize: number
}

/** People read at once, at most. */
export const mostPeople = 20_000
const searchTimeoutMs = 15_000

/** In bytes: of everybody, and of one entry or two. */
const mostOfAll = 32 << 20
const mostOfOne = 4 << 20

interface Limits {
  timeoutMs: number
  signal?: AbortSignal | undefined
}

/** @throws DirectoryFailure whatever else than an answer comes of it */
async function asking<T>(
  at: DirectorySet,
  limits: Limits & { mostBytes: number },
  ask: (client: Client) => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(limits.timeoutMs)
  const ends = AbortSignal.any([late, ...(limits.signal ? [limits.signal] : [])])
  const socket = await connect(at, { ends, mostBytes: limits.mostBytes })
  let isTaken = false
  const client = new Client({
    url: 'ldap://directory',
    // The one that was secured: a second one, after it was closed, would be in the clear.
    createConnection: () => {
      if (isTaken) throw new DirectoryFailure('server', { key: 'ldap_closed' })
      isTaken = true
      return socket
    },
  })
  try {
    await part('bind', () => bindFirst(client, at))
    return await ask(client)
  } catch (error) {
    if (late.aborted) throw new DirectoryFailure('server', { key: 'ldap_too_late' })
    throw error
  } finally {
    socket.destroy()
  }
}

async function bindFirst(client: Client, { bindDn, bindPassword }: DirectorySet): Promise<void> {
  if (bindDn === '') return
  // Without a password servers say yes, and mean nobody in particular (RFC 4513 5.1.2).
  if (!bindPassword) throw new DirectoryFailure('bind', { key: 'ldap_password_missing' })
  await client.bind(bindDn, bindPassword)
}

async function part<T>(of: Part, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DirectoryFailure) throw error
    // What is no answer of LDAP says that the connection is gone.
    if (!(error instanceof ResultCodeError))
      throw new DirectoryFailure('server', { key: 'ldap_closed' }, error)
    throw new DirectoryFailure(of, told(error), error)
  }
}

/** Everybody who is found in one place, page by page. */
async function* pagesOf(client: Client, at: DirectorySet, base: string, filter: string) {
  yield* client.searchPaginated(base, {
    scope: 'sub',
    filter,
    attributes: [...new Set(Object.values(at.names))],
    timeLimit: searchTimeoutMs / 1000,
    paged: { pageSize: at.pageSize },
  })
}

export interface CountedPeople {
  people: FoundPerson[]
  /** How many in each place. */
  counts: { base: string; count: number }[]
}

/** Everybody the filter finds who has a username, the first of each. @throws DirectoryFailure */
export const readAll = (at: DirectorySet, limits: Limits): Promise<CountedPeople> =>
  asking(at, { ...limits, mostBytes: mostOfAll }, (client) =>
    part('search', async () => {
      const people = new Map<string, FoundPerson>()
      const counts: CountedPeople['counts'] = []
      for (const base of at.bases) {
        let count = 0
        for await (const { searchEntries } of pagesOf(client, at, base, filterOfAll(at.filter)))
          for (const entry of searchEntries) {
            const found = personOf(at.names, entry)
            if (found.username === '') continue
            count += 1
            if (!people.has(found.username)) people.set(found.username, found)
            if (people.size > mostPeople)
              throw new DirectoryFailure('search', { key: 'ldap_too_much', params: { most: mostPeople } })
          }
        counts.push({ base, count })
      }
      return { people: [...people.values()], counts }
    }),
  )

export type Answered = { is: 'right'; person: FoundPerson } | { is: 'wrong' }

/**
 * Whether this is the password of whoever has that username there: one entry is searched for, and bound as.
 * @throws DirectoryFailure where there is no answer
 */
export async function checkPassword(
  at: DirectorySet,
  { username, password }: { username: string; password: string },
  limits: Limits,
): Promise<Answered> {
  // A bind without a password succeeds, whoever it names.
  if (username === '' || password === '') return { is: 'wrong' }
  return await asking(at, { ...limits, mostBytes: mostOfOne }, async (client) => {
    const entry = await part('search', () => onlyEntry(client, at, username))
    if (entry === undefined) return { is: 'wrong' }
    const person = personOf(at.names, entry)
    // Directories take Ann, ann and ann@example.com for the same: each would have guesses of their own.
    if (person.username !== username || entry.dn === '') return { is: 'wrong' }
    const isTheirs = await part('bind', () => binds(client, entry.dn, password))
    return isTheirs ? { is: 'right', person } : { is: 'wrong' }
  })
}

/** @returns undefined where none is found, or several */
async function onlyEntry(client: Client, at: DirectorySet, username: string): Promise<Entry | undefined> {
  const found = new Map<string, Entry>()
  for (const base of at.bases) {
    const { searchEntries } = await client.search(base, {
      scope: 'sub',
      filter: filterOf(at.filter, username),
      attributes: [...new Set(Object.values(at.names))],
      sizeLimit: 2,
      timeLimit: searchTimeoutMs / 1000,
    })
    for (const entry of searchEntries) found.set(entry.dn.toLowerCase(), entry)
  }
  const [entry] = found.values()
  return found.size === 1 ? entry : undefined
}

async function binds(client: Client, dn: string, password: string): Promise<boolean> {
  try {
    await client.bind(dn, password)
    return true
  } catch (error) {
    // That it is too busy says nothing of the password. Everything else it says is no: locked, disabled, expired.
    if (error instanceof BusyError || error instanceof UnavailableError) throw error
    if (error instanceof InvalidCredentialsError || error instanceof ResultCodeError) return false
    throw error
  }
}
