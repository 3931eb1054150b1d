import { find, languages, OrgRole, Role, roleNames, SystemRole } from '@sallyport/contract'
import { eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { Binding } from '../../kernel/resource/binding.ts'
import { type Served, serve } from '../../kernel/resource/binding.ts'
import { system } from '../../kernel/resource/rows.ts'
import { roleBindings, roles } from './tables.ts'

/** What a role is called in the reader's language; roles made by people have one name. */
export const displayName = (ctx: Context, role: { name: string; builtin?: boolean }) =>
  find(roleNames, ctx.language, role.name) ?? role.name

const builtinNames = Object.keys(roleNames.en)

/** Built-in roles whose stored or translated name contains the text. */
function namesLike(value: string): string[] {
  const wanted = value.toLowerCase()
  return builtinNames.filter((name) =>
    languages.some((language) => find(roleNames, language, name)?.toLowerCase().includes(wanted)),
  )
}

const nameFilter = (value: string): SQL | undefined =>
  or(
    sql`${roles.name} ilike ${`%${value.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`,
    sql`${roles.builtin} and ${inArray(roles.name, ['', ...namesLike(value)])}`,
  )

/** A role by its id, its stored name, or what a built-in one is called in any language. */
export function roleNamed(value: string): SQL {
  const called = builtinNames.filter((name) =>
    languages.some((language) => find(roleNames, language, name) === value),
  )
  return sql`(${roles.id}::text = ${value.toLowerCase()} or ${roles.name} = ${value} or (${roles.builtin} and ${inArray(roles.name, ['', ...called])}))`
}

const countUsers = (ctx: Context, where: SQL = sql`true`) =>
  sql`(select count(distinct ${roleBindings.user_id})::int from ${roleBindings} where ${roleBindings.role_id} = ${roles.id} and ${where}${
    ctx.org.is_root
      ? sql``
      : sql` and (${roleBindings.org_id} is null or ${roleBindings.org_id} = ${ctx.org.id})`
  })`

const common: Binding<(typeof Role)['fields'], 'name'> = {
  table: roles,
  rows: system,
  computed: { display_name: sql`${roles.name}`, users_amount: (ctx) => countUsers(ctx) },
  filters: { name: nameFilter },
  present: (ctx, row) =>
    typeof row['display_name'] === 'string'
      ? { ...row, display_name: displayName(ctx, { name: row['display_name'] }) }
      : row,
}

export const served: readonly Served[] = [
  serve(SystemRole, { ...common, visible: () => eq(roles.scope, 'system') }),
  serve(OrgRole, { ...common, visible: () => eq(roles.scope, 'org') }),
  serve(Role, common),
]
