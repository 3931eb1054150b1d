import {
  defaultSettings,
  type SettingName,
  settings as declared,
  type SettingValues,
} from '@sallyport/contract'
import { type SQL, sql } from 'drizzle-orm'
import { createCache } from '../../kernel/cache.ts'
import type { Executor } from '../../kernel/database/index.ts'
import type { Ground } from '../../kernel/ground.ts'
import { settings } from './tables.ts'

/** The values in force, for every domain. */
export interface Settings {
  /** Of this moment; a request has those of its beginning as `ctx.settings`. */
  all(): Promise<SettingValues>
  /** Stores values that were parsed already; every process follows once the transaction is committed. */
  store(executor: Executor, values: Partial<SettingValues>): Promise<void>
}

export function createSettings(ground: Pick<Ground, 'database' | 'live'>): Settings {
  const cache = createCache<SettingValues>(ground, 'settings', { ttlMs: 60_000, maxEntries: 1 })
  const all = () =>
    cache.get('all', async (executor) => {
      const rows = await executor
        .select({ name: settings.name, value: settings.value })
        .from(settings)
        .where(sql`not ${settings.encrypted}`)
      return { ...defaultSettings, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) }
    })
  return {
    all,
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
