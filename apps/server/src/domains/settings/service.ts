import { type SettingName, settings as declared, type SettingValues } from '@sallyport/contract'
import { type SQL, sql } from 'drizzle-orm'
import { createCache } from '../../kernel/cache.ts'
import type { Executor } from '../../kernel/database/index.ts'
import type { Ground } from '../../kernel/ground.ts'
import { settings } from './tables.ts'

/** The values in force, for every domain. */
export interface Settings {
  get<K extends SettingName>(name: K): Promise<SettingValues[K]>
  /** All of them, of one moment. */
  all(): Promise<SettingValues>
  /** Stores values that were parsed already; every process follows once the transaction is committed. */
  store(executor: Executor, values: Partial<SettingValues>): Promise<void>
}

const defaults = Object.fromEntries(
  Object.entries(declared).map(([name, { default: value }]) => [name, value]),
) as unknown as SettingValues

export function createSettings({ database, live }: Pick<Ground, 'database' | 'live'>): Settings {
  const cache = createCache<SettingValues>(live, 'settings', { ttlMs: 60_000, maxEntries: 1 })
  const all = () =>
    cache.get('all', async () => {
      const rows = await database.db
        .select({ name: settings.name, value: settings.value })
        .from(settings)
        .where(sql`not ${settings.encrypted}`)
      return { ...defaults, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) }
    })
  return {
    all,
    get: async (name) => (await all())[name],
    async store(executor, values) {
      for (const [name, value] of Object.entries(values)) {
        const { category } = declared[name as SettingName]
        await executor
          .insert(settings)
          .values({ name, value, category })
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
  sql`coalesce((select ${settings.value} from ${settings} where ${settings.name} = ${name}), ${JSON.stringify(declared[name].default)}::jsonb)`
