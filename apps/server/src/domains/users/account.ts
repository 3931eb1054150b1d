/** How an account is kept and shown, whoever looks at it: its person, an administrator, a gateway. */
import { eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { RelatedTable, Through } from '../../kernel/resource/binding.ts'
import { org, system } from '../../kernel/resource/rows.ts'
import { displayName, roleBindings, roles } from '../rbac/index.ts'
import { settingSql } from '../settings/index.ts'
import { isBlocked } from './blocks.ts'
import { isValid, notExpired } from './service.ts'
import { userGroupMembers, userGroups, users } from './tables.ts'

/** Whoever may enter the console somewhere, as for the rules of passwords. */
const isAdministrator = sql`exists (select 1 from ${roleBindings} join ${roles} on ${roles.id} = ${roleBindings.role_id}
  where ${roleBindings.user_id} = ${users.id} and ${roles.permissions} @> '["rbac.view_console"]'::jsonb)`

/** Forced by the rule for everybody or for administrators, or for this person. */
const mfaForced: SQL = sql`(${users.mfa_level} = 2
  or ${settingSql('SECURITY_MFA_AUTH')} = '1'::jsonb
  or (${settingSql('SECURITY_MFA_AUTH')} = '2'::jsonb and ${isAdministrator}))`

export const computed = {
  avatar_url: sql`''`,
  password_strategy: sql`'email'`,
  is_valid: isValid,
  is_expired: sql`not ${notExpired}`,
  is_otp_secret_key_bound: sql`${users.otp_secret} is not null`,
  can_public_key_auth: sql`(${settingSql('TERMINAL_PUBLIC_KEY_AUTH')})::boolean`,
  mfa_enabled: sql`(${users.mfa_level} > 0 or ${mfaForced})`,
  mfa_force_enabled: mfaForced,
  login_blocked: isBlocked,
} satisfies Record<string, SQL>

const roleOf = (scope: 'system' | 'org'): RelatedTable => ({
  table: roles,
  rows: system,
  attributes: { display_name: sql`${roles.name}` },
  visible: () => eq(roles.scope, scope),
})
const bindingsOf = (scope: 'system' | 'org', among: NonNullable<Through['among']>): Through => ({
  link: roleBindings,
  from: roleBindings.user_id,
  to: roleBindings.role_id,
  target: roleOf(scope),
  among,
})

export const relations = {
  groups: {
    link: userGroupMembers,
    from: userGroupMembers.user_id,
    to: userGroupMembers.usergroup_id,
    target: { table: userGroups, rows: org(userGroups.org_id) },
    among: (ctx: Context) => ({
      where: ctx.org.is_root
        ? undefined
        : sql`${userGroupMembers.usergroup_id} in (select ${userGroups.id} from ${userGroups} where ${userGroups.org_id} = ${ctx.org.id})`,
    }),
  },
  system_roles: bindingsOf('system', () => ({ where: isNull(roleBindings.org_id) })),
  // Nobody holds an organization's role in the view of all of them.
  org_roles: bindingsOf('org', (ctx) => ({
    where: eq(roleBindings.org_id, ctx.org.id),
    columns: { org_id: ctx.org.id },
  })),
} satisfies Record<string, Through>

interface ShownRole {
  display_name: string
}

/** Roles by their names in the reader's language; the wire leaves `avatar_url` of people without a picture to the client. */
export function present(ctx: Context, row: Record<string, unknown>): Record<string, unknown> {
  for (const field of ['system_roles', 'org_roles'])
    if (Array.isArray(row[field]))
      row[field] = (row[field] as ShownRole[]).map((role) => ({
        ...role,
        display_name: displayName(ctx, { name: role.display_name }),
      }))
  return row
}
