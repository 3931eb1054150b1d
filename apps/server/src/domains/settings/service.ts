import {
  defaultSettings,
  type SecretSettingName,
  secretSettings,
  type SettingName,
  settings as declared,
  type SettingValues,
} from '@sallyport/contract'
import { eq, type SQL, sql } from 'drizzle-orm'
import { createCache } from '../../kernel/cache.ts'
import type { Executor } from '../../kernel/database/index.ts'
import type { Ground } from '../../kernel/ground.ts'
import { settings } from './tables.ts'

/** The values in force, for every domain. */
export interface Settings {
  /** Of this moment; a request has those of its beginning as `ctx.settings`. */
  all(): Promise<SettingValues>
  /** As they are stored at this moment, secrets sealed; `lock` keeps others from changing any until the transaction ends. */
  stored(executor: Executor, options: { lock: boolean }): Promise<StoredSettings>
  /** A secret in the clear; undefined where none was set. */
  secret(executor: Executor, name: SecretSettingName): Promise<string | undefined>
  /** Stores values that were parsed already, null for one that is no longer set; every process follows once the transaction is committed. */
  store(executor: Executor, values: Partial<StoredSettings>): Promise<void>
}
export type StoredSettings = SettingValues & Partial<Record<SecretSettingName, string>>

const isSecret = (name: string): name is SecretSettingName => Object.hasOwn(secretSettings, name)

/** `known`: what is known better than by its default, as long as nobody set it. */
export function createSettings(
  ground: Pick<Ground, 'database' | 'live' | 'secrets'>,
  known: Partial<SettingValues> = {},
): Settings {
  const { secrets } = ground
  const initial = { ...defaultSettings, ...known }
  const cache = createCache<SettingValues>(ground, 'settings', { ttlMs: 60_000, maxEntries: 1 })
  const read = async (executor: Executor, where?: SQL): Promise<Record<string, unknown>> => {
    // As text: a text that looks like a number would come back as one.
    const rows = await executor
      .select({ name: settings.name, value: sql<string>`${settings.value}::text` })
      .from(settings)
      .where(where)
    return Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value) as unknown]))
  }
  const all = () =>
    cache.get('all', async (executor) => ({
      ...initial,
      ...(await read(executor, sql`not ${settings.encrypted}`)),
    }))
  return {
    all,
    async stored(executor, { lock }) {
      if (lock) await executor.execute(sql`select pg_advisory_xact_lock(hashtext('sallyport:settings'))`)
      return { ...initial, ...(await read(executor)) }
    },
    async secret(executor, name) {
      const sealed = (await read(executor, eq(settings.name, name)))[name]
      return typeof sealed === 'string' ? secrets.unseal(sealed) : undefined
    },
    async store(executor, values) {
      for (const [name, value] of Object.entries(values)) {
        if (value === null) {
          await executor.delete(settings).where(eq(settings.name, name))
          continue
        }
        const encrypted = isSecret(name)
        const { category } = encrypted ? secretSettings[name] : declared[name as SettingName]
        await executor
          .insert(settings)
          .values({ name, value: encrypted ? secrets.seal(value as string) : value, category, encrypted })
          .onConflictDoUpdate({
            target: settings.name,
            set: { value: sql`excluded.value`, date_updated: new Date() },
          })
      }
      await cache.changed(executor)
    },
  }
}

/** SQL of a setting's value, as JSON. */
export const settingSql = (name: SettingName): SQL =>
  sql`coalesce((select ${settings.value} from ${settings} where ${settings.name} = ${name}),
    ${JSON.stringify(declared[name].default)}::jsonb)`
