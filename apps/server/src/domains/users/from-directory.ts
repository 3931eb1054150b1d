/** People of a directory (LDAP) become users: made, or brought up to date, by their usernames. Whoever comes from elsewhere stays as they are. */
import { createHash } from 'node:crypto'
import { choiceLabels, errors, find, roleIds, translate, User } from '@sallyport/contract'
import { and, eq, inArray, like, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { Context, Organization } from '../../kernel/context.ts'
import { type Executor, withTransaction } from '../../kernel/database/index.ts'
import { ApiError, inText, ValidationError } from '../../kernel/errors.ts'
import { storedRow } from '../../kernel/resource/read.ts'
import { arrayOf } from '../../kernel/resource/references.ts'
import { createRows, updateRows } from '../../kernel/resource/write.ts'
import { roleBindings } from '../rbac/index.ts'
import { recordMemberships } from './membership.ts'
import { groupServed, userServed } from './resources.ts'
import type { UsersServices } from './service.ts'
import { userGroupMembers, userGroups, users } from './tables.ts'

/** In lines as long as they may be here. */
export interface FoundPerson {
  username: string
  name: string
  /** Empty where the directory knows none. */
  email: string
  /** Where the directory is asked for them: these, of all groups that are the directory's, and no others. */
  groups?: readonly string[]
}
export interface FoundProblem {
  username: string
  /** In the language of the caller. */
  reason: string
}
/**
 * Makes them members of the organization, as its users; rights they hold already stay.
 * @param ctx not in a transaction: each few of them are stored in one of their own, and one who cannot be keeps nobody else out
 * @returns who could not be, and why
 */
export type StoreFound = (
  ctx: Context,
  org: Organization,
  found: readonly FoundPerson[],
) => Promise<FoundProblem[]>

const source = 'ldap'
const address = z.email().max(128)
const atOnce = 200
/** A statement takes so many parameters, and a membership has two. */
const linksAtOnce = 10_000
/** In one parameter, however many they are. */
const isAnyOf = (column: PgColumn, values: readonly unknown[]) =>
  sql`${column} = any(${arrayOf(values, column)})`
/** In front of the names of groups that are the directory's. */
export const groupPrefix = 'AD '

export function storeFound(services: UsersServices): StoreFound {
  return async (ctx, org, found) => {
    const store = new Storing(services, ctx.inOrg(org))
    for (let from = 0; from < found.length; from += atOnce) await store.some(found.slice(from, from + atOnce))
    return store.problems
  }
}

async function knownOf(db: Executor, found: readonly FoundPerson[]) {
  const rows = await db
    .select({
      id: users.id,
      username: users.username,
      name: users.name,
      email: users.email,
      source: users.source,
      isComponent: users.is_service_account,
    })
    .from(users)
    .where(
      inArray(
        users.username,
        found.map(({ username }) => username),
      ),
    )
  return new Map(rows.map((row) => [row.username, row]))
}

class Storing {
  readonly problems: FoundProblem[] = []
  readonly #services: UsersServices
  readonly #ctx: Context
  readonly #served

  constructor(services: UsersServices, ctx: Context) {
    this.#services = services
    this.#ctx = ctx
    this.#served = userServed(services)
  }

  async some(found: readonly FoundPerson[]): Promise<void> {
    const known = await this.#create(found)
    for (const person of found) {
      const row = known.get(person.username)
      if (row !== undefined && this.#isOurs(person, row))
        await this.#alone(person, () => this.#refresh(person, row))
    }
    const failed = new Set(this.problems.map(({ username }) => username))
    const grouped = found.filter(({ username }) => !failed.has(username))
    try {
      await this.#group(grouped)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      for (const person of grouped) await this.#alone(person, () => this.#group([person]))
    }
  }

  #isOurs({ username }: FoundPerson, row: { source: string; isComponent: boolean }): boolean {
    if (row.source === source && !row.isComponent) return true
    const { language } = this.#ctx
    const from = find(choiceLabels, language, `user_source.${row.source}`) ?? row.source
    this.problems.push({
      username,
      reason: translate(errors, language, 'ldap_other_source', { source: from }),
    })
    return false
  }

  #writing(ctx: Context) {
    return { served: this.#served, ctx, secrets: this.#services.secrets }
  }

  /** Those who are unknown, all at once; again without those something is wrong with. @returns those who are known */
  async #create(found: readonly FoundPerson[]): ReturnType<typeof knownOf> {
    let fresh: FoundPerson[] = []
    try {
      return await this.#inTurn(async (ctx) => {
        const known = await knownOf(ctx.db, found)
        fresh = found.filter(({ username }) => !known.has(username))
        const bodies = fresh.map(({ username, name, email }) => ({
          username,
          name,
          email: email || this.#addressOf(username),
          source,
        }))
        await createRows(this.#writing(ctx), bodies)
        return known
      })
    } catch (error) {
      if (!(error instanceof ValidationError) || !Array.isArray(error.problems)) throw error
      const wrong = new Set<FoundPerson>()
      for (const [at, problems] of error.problems.entries()) {
        const person = fresh[at]
        if (person === undefined || Object.keys(problems).length === 0) continue
        wrong.add(person)
        this.#refused(person, new ValidationError(problems))
      }
      if (wrong.size === 0) throw error
      return await this.#create(found.filter((person) => !wrong.has(person)))
    }
  }

  /** Of several who bring in the same people at once, one after the other: whom one has made is known to the next. */
  #inTurn<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
    return withTransaction(this.#ctx.db, async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('sallyport:people of the directory'))`)
      return await work(this.#ctx.within(tx))
    })
  }

  /** Of somebody the directory knows none of: by the username, or by a digest of it where that is no part of an address. */
  #addressOf(username: string): string {
    const suffix = this.#ctx.settings.EMAIL_SUFFIX
    const wanted = username.includes('@') ? username : `${username}@${suffix}`
    if (address.safeParse(wanted).success) return wanted
    return `user-${createHash('sha256').update(username).digest('hex').slice(0, 16)}@${suffix}`
  }

  #refused({ username }: FoundPerson, error: ApiError): void {
    const { language } = this.#ctx
    const reason =
      error instanceof ValidationError
        ? (inText(error).render(language) as { error: string }).error
        : translate(errors, language, error.code, error.params)
    this.problems.push({ username, reason })
  }

  async #alone(person: FoundPerson, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { problems } = error as Partial<ValidationError>
      this.#refused(person, Array.isArray(problems) ? new ValidationError(problems[0] ?? {}) : error)
    }
  }

  /** Name and address, as far as the caller may say how this person signs in; and the membership, where there is none. */
  async #refresh(person: FoundPerson, row: { id: string; name: string; email: string }): Promise<void> {
    const change = {
      ...(person.name !== row.name && { name: person.name }),
      ...(person.email !== '' && person.email !== row.email && { email: person.email }),
    }
    const isChanged = Object.keys(change).length > 0
    if (!isChanged && (await this.#isMember(this.#ctx, row.id))) return
    await withTransaction(this.#ctx.db, async (tx) => {
      // Wherever they are members.
      const ctx = this.#ctx.inOrg({ ...this.#ctx.org, is_root: true }).within(tx)
      const read = (lock = false) => storedRow(this.#served, ctx, eq(users.id, row.id), { lock })
      const before = await read(true)
      if (before === undefined || before['source'] !== source) return
      if (isChanged) await updateRows(this.#writing(ctx), 'patch', [{ before, body: change }])
      if (await this.#isMember(ctx, row.id)) return
      const joining = await read()
      await this.#services.rbac.assign(tx, row.id, [roleIds.orgUser], this.#ctx.org.id)
      const after = await read()
      await ctx.emit({ type: 'updated', resource: User, id: row.id, before: joining, after, secrets: [] })
    })
  }

  async #isMember({ db }: Context, id: string): Promise<boolean> {
    const found = await db
      .select({ id: roleBindings.id })
      .from(roleBindings)
      .where(and(eq(roleBindings.user_id, id), eq(roleBindings.org_id, this.#ctx.org.id)))
      .limit(1)
    return found.length > 0
  }

  /** Their groups of the directory become those it says. */
  async #group(found: readonly FoundPerson[]): Promise<void> {
    const known = await knownOf(
      this.#ctx.db,
      found.filter(({ groups }) => groups !== undefined),
    )
    if (known.size === 0) return
    const wanted = found.flatMap(({ username, groups = [] }) => {
      const id = known.get(username)?.id
      return id === undefined ? [] : groups.map((group) => ({ id, name: `${groupPrefix}${group}` }))
    })
    const orgId = this.#ctx.org.id
    await this.#inTurn(async (ctx) => {
      const { db } = ctx
      const ofDirectory = and(eq(userGroups.org_id, orgId), like(userGroups.name, `${groupPrefix}%`))
      const there = await db
        .select({ id: userGroups.id, name: userGroups.name })
        .from(userGroups)
        .where(ofDirectory)
      const ids = new Map(there.map(({ id, name }) => [name, id]))
      const missing = [...new Set(wanted.map(({ name }) => name))].filter((name) => !ids.has(name))
      const writing = { served: groupServed(), ctx, secrets: this.#services.secrets }
      for (const row of await createRows(
        writing,
        missing.map((name) => ({ name })),
      ))
        ids.set(String(row['name']), String(row['id']))
      const links = wanted.flatMap(({ id, name }) => {
        const usergroup_id = ids.get(name)
        return usergroup_id === undefined ? [] : [{ user_id: id, usergroup_id }]
      })
      const people = [...known.values()].map(({ id }) => id)
      const held =
        ids.size === 0
          ? []
          : await db
              .select()
              .from(userGroupMembers)
              .where(
                and(
                  inArray(userGroupMembers.user_id, people),
                  isAnyOf(userGroupMembers.usergroup_id, [...ids.values()]),
                ),
              )
      const keyOf = (link: { user_id: string; usergroup_id: string }) =>
        `${link.user_id} ${link.usergroup_id}`
      const keys = new Set(links.map((link) => keyOf(link)))
      const left = held.filter((link) => !keys.has(keyOf(link)))
      if (left.length > 0) {
        const gone = left.map(({ id }) => id)
        await db.delete(userGroupMembers).where(isAnyOf(userGroupMembers.id, gone))
        await recordMemberships(ctx, left, 'left')
      }
      const joined = []
      for (let from = 0; from < links.length; from += linksAtOnce) {
        const some = links.slice(from, from + linksAtOnce)
        joined.push(...(await db.insert(userGroupMembers).values(some).onConflictDoNothing().returning()))
      }
      if (joined.length > 0) await recordMemberships(ctx, joined, 'joined')
    })
  }
}
