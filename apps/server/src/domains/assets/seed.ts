import { builtInPlatforms } from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import type { Executor } from '../../kernel/database/index.ts'
import { ensureRoot } from './nodes.ts'
import { platforms } from './tables.ts'

/** Puts the built-in platforms in place; those that may be changed here (not internal) keep their changes. */
async function seedPlatforms(db: Executor): Promise<void> {
  for (const platform of builtInPlatforms)
    await db
      .insert(platforms)
      .values({ ...platform, created_by: 'System', updated_by: 'System' })
      .onConflictDoUpdate({
        target: platforms.id,
        set: { protocols: platform.protocols, automation: platform.automation, name: platform.name },
        setWhere: sql`${platforms.internal}
          and (${platforms.protocols} <> excluded.protocols
            or ${platforms.automation} <> excluded.automation
            or ${platforms.name} <> excluded.name)`,
      })
}

export async function seed(db: Executor): Promise<void> {
  await seedPlatforms(db)
  const orgs = await db.execute<{ id: string; name: string }>(sql`select id, name from organizations`)
  for (const org of orgs.rows) await ensureRoot(db, org)
}
