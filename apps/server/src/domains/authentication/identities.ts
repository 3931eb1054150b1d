/** From credentials to the person they stand for. Remembered for seconds, forgotten at once when accounts or sign-ins change. */
import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { type Cache, createCache } from '../../kernel/cache.ts'
import type { Identity } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import type { Ground } from '../../kernel/ground.ts'
import type { Rbac } from '../rbac/index.ts'
import type { Settings } from '../settings/index.ts'
import { isValid, users } from '../users/index.ts'
import { accessKeys, bearerTokens, webSessions } from './tables.ts'
import { hashOf } from './tokens/tokens.ts'

type By = Identity['by']

export interface AccessKeyOwner {
  identity: Identity
  secret: string
}

export interface Identities {
  bySession(token: string): Promise<Identity | undefined>
  byBearer(token: string): Promise<Identity | undefined>
  byAccessKey(id: string): Promise<AccessKeyOwner | undefined>
  /** Call when sessions, tokens or keys were taken away; changes of people and roles are heard of anyhow. */
  changed(executor: Executor): Promise<void>
}

/** What is remembered; an account that expires meanwhile is refused all the same. */
interface Known {
  identity: Identity
  until: Date | null
}
type KnownKey = Known & AccessKeyOwner
const unexpired = <K extends Known>(known: K | undefined): K | undefined =>
  known?.until && known.until.getTime() <= Date.now() ? undefined : known

/** A sign-in is renewed by use, but not written down more often than this. */
const renewEverySeconds = 60

export function createIdentities(
  ground: Pick<Ground, 'database' | 'live' | 'secrets'>,
  rbac: Rbac,
  settings: Settings,
): Identities {
  const { secrets } = ground
  const limits = { ttlMs: 10_000, maxEntries: 20_000 }
  const signIns: Cache<Known | undefined> = createCache(ground, 'access', limits)
  const keys: Cache<KnownKey | undefined> = createCache(ground, 'access', limits)

  const person = {
    id: users.id,
    name: users.name,
    username: users.username,
    isComponent: users.is_service_account,
    until: users.date_expired,
  }
  type Person = {
    id: string
    name: string
    username: string
    isComponent: boolean
    until: Date | null
  }
  const identify = async (
    found: Person,
    by: By,
    signIn: Pick<Identity, 'sessionId' | 'bearerId'>,
  ): Promise<Known> => ({
    until: found.until,
    identity: {
      id: found.id,
      name: found.name,
      username: found.username,
      isComponent: found.isComponent,
      isSuperAdmin: await rbac.isSuperAdmin(found.id),
      by,
      ...signIn,
    },
  })

  const expiry = (seconds: number): SQL => sql`now() + ${seconds} * interval '1 second'`

  async function loadSession(db: Executor, token: string): Promise<Known | undefined> {
    const [found] = await db
      .select({
        ...person,
        sessionId: webSessions.id,
        isStale: isStale(webSessions.date_expired, await sessionAge()),
      })
      .from(webSessions)
      .innerJoin(users, eq(users.id, webSessions.user_id))
      .where(
        and(eq(webSessions.token_hash, hashOf(token)), gt(webSessions.date_expired, sql`now()`), isValid),
      )
    if (found === undefined) return undefined
    if (found.isStale)
      await db
        .update(webSessions)
        .set({ date_last_used: sql`now()`, date_expired: expiry(await sessionAge()) })
        .where(eq(webSessions.id, found.sessionId))
    return await identify(found, 'session', { sessionId: found.sessionId })
  }
  async function loadBearer(db: Executor, token: string): Promise<Known | undefined> {
    const [found] = await db
      .select({
        ...person,
        tokenId: bearerTokens.id,
        isStale: isStale(bearerTokens.date_expired, await tokenAge()),
      })
      .from(bearerTokens)
      .innerJoin(users, eq(users.id, bearerTokens.user_id))
      .where(
        and(eq(bearerTokens.token_hash, hashOf(token)), gt(bearerTokens.date_expired, sql`now()`), isValid),
      )
    if (found === undefined) return undefined
    if (found.isStale)
      await db
        .update(bearerTokens)
        .set({ date_expired: expiry(await tokenAge()) })
        .where(eq(bearerTokens.id, found.tokenId))
    return await identify(found, 'bearer', { sessionId: undefined, bearerId: found.tokenId })
  }
  async function loadAccessKey(db: Executor, id: string): Promise<KnownKey | undefined> {
    const [found] = await db
      .select({ ...person, secret: accessKeys.secret })
      .from(accessKeys)
      .innerJoin(users, eq(users.id, accessKeys.user_id))
      .where(and(eq(accessKeys.id, id), accessKeys.is_active, isValid))
    return (
      found && {
        ...(await identify(found, 'signature', { sessionId: undefined })),
        secret: secrets.unseal(found.secret),
      }
    )
  }
  const sessionAge = async () => (await settings.all()).SESSION_COOKIE_AGE
  const tokenAge = async () => (await settings.all()).TOKEN_EXPIRATION
  const isStale = (
    expires: typeof webSessions.date_expired | typeof bearerTokens.date_expired,
    ageSeconds: number,
  ) => sql<boolean>`${expires} < now() + ${ageSeconds - renewEverySeconds} * interval '1 second'`

  return {
    bySession: async (token) =>
      unexpired(await signIns.get(`session ${hashOf(token)}`, (db) => loadSession(db, token)))?.identity,
    byBearer: async (token) =>
      unexpired(await signIns.get(`bearer ${hashOf(token)}`, (db) => loadBearer(db, token)))?.identity,
    byAccessKey: async (id) => unexpired(await keys.get(id, (db) => loadAccessKey(db, id))),
    changed: (executor) => signIns.changed(executor),
  }
}
