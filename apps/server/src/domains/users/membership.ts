/** Memberships that are written as relations are changes of their groups, and the books tell them as that. */
import { UserGroup } from '@sallyport/contract'
import { inArray } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { StoredRow } from '../../kernel/events.ts'
import { userGroups, users } from './tables.ts'

/** @param links rows of the table of memberships */
export async function recordMemberships(
  ctx: Context,
  links: readonly StoredRow[],
  how: 'joined' | 'left',
): Promise<void> {
  const valuesOf = (name: string) => [...new Set(links.map((link) => String(link[name])))]
  const people = await ctx.db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(inArray(users.id, valuesOf('user_id')))
  const groups = await ctx.db
    .select()
    .from(userGroups)
    .where(inArray(userGroups.id, valuesOf('usergroup_id')))
  const ofGroup = Map.groupBy(links, (link) => link['usergroup_id'])
  for (const group of groups) {
    const ids = new Set(ofGroup.get(group.id)?.map((link) => link['user_id']))
    const without = { ...group, users: [] }
    const withThem = { ...group, users: people.filter(({ id }) => ids.has(id)) }
    const [before, after] = how === 'joined' ? [without, withThem] : [withThem, without]
    await ctx.emit({ type: 'updated', resource: UserGroup, id: group.id, before, after, secrets: [] })
  }
}
