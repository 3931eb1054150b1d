/**
 * Who may decide about another person. How somebody signs in is decided only by those whose rights cover all that the person holds,
 * everywhere: whoever sets a password or an address can become its owner. Nobody gives or takes a role with more than he holds himself.
 */
import type { User } from '@sallyport/contract'
import { callerOf, type Context } from '../../kernel/context.ts'
import { dateOf } from '../../kernel/datetimes.ts'
import { forbidden, invalid } from '../../kernel/errors.ts'
import type { InputOf, RowOf } from '../../kernel/resource/binding.ts'
import { covers, isSystemAdmin, type Right, rightsOfPeople } from '../rbac/index.ts'
import type { UsersServices } from './service.ts'
import type { users } from './tables.ts'

/**
 * Whether `mine` reach over all of `theirs`. Members of an organization hold its grants, too, so the caller must manage people in each
 * organization they belong to: permissions alone would let the administrator of one become an ordinary member of another.
 */
const reachesOver = (mine: readonly Right[], theirs: readonly Right[]) =>
  covers(mine, [
    ...theirs,
    ...theirs.map(({ roleId, orgId }) => ({ roleId, orgId, permissions: managing(orgId) })),
  ])
const managing = (orgId: string | null) => new Set(orgId === null ? [] : ['users.change_user'])

/** @throws ApiError 403 unless the caller may decide how these people sign in, whether they do, and whether there are these accounts. */
export async function checkMayManageSignIns(ctx: Context, userIds: readonly string[]): Promise<void> {
  const caller = callerOf(ctx)
  const others = userIds.filter((id) => id !== caller.id)
  if (caller.isSuperAdmin || others.length === 0) return
  const rights = await rightsOfPeople(ctx.db, [caller.id, ...others])
  if (others.some((id) => isSystemAdmin(rights.get(id)))) throw forbidden('system_admin_protected')
  const mine = rights.get(caller.id) ?? []
  if (caller.isComponent || others.some((id) => !reachesOver(mine, rights.get(id) ?? [])))
    throw forbidden('person_beyond_rights')
}

/** Fields that decide how, and whether, a person signs in: in every organization at once. */
const signInFields = [
  'name',
  'username',
  'email',
  'phone',
  'mfa_level',
  'source',
  'is_active',
  'need_update_password',
] as const

/** Seconds: what a form shows and sends back is not finer. */
const secondsOf = (ctx: Context, value: string | Date | null | undefined) => {
  const date = dateOf(ctx, value)
  return date && Math.floor(date.getTime() / 1000)
}

type Written = InputOf<typeof User, typeof users>
type Stored = RowOf<typeof User, typeof users>

const changesExpiry = (ctx: Context, input: Written, before: Stored) =>
  input.date_expired !== undefined &&
  secondsOf(ctx, input.date_expired) !== secondsOf(ctx, before.date_expired)
/** Whether somebody else is to check the person's password from now on. */
export const changesSource = (input: Written, before: Stored): boolean =>
  input.source !== undefined && input.source !== before.source

/** The field of a payload that would keep an account from signing in, now or later. */
export const lockingOut = (ctx: Context, input: Written, before: Stored) =>
  changesSource(input, before) && input.source !== 'local'
    ? 'source'
    : changesExpiry(ctx, input, before) && input.date_expired
      ? 'date_expired'
      : undefined

/**
 * One's own level of MFA, in the profile and in the list of people alike: lowering it needs a confirmation, and who is made to use a second
 * factor is made to by somebody else. What may not be changed leaves the payload.
 */
export async function prepareOwnMfaLevel(
  ctx: Context,
  { checkConfirmed }: Pick<UsersServices, 'checkConfirmed'>,
  input: { mfa_level?: number },
  before: Pick<Stored, 'mfa_level'>,
): Promise<void> {
  const { mfa_level: level } = input
  if (before.mfa_level === 2) delete input.mfa_level
  else if (level === 2) throw invalid('mfa_level', 'own_mfa_required')
  else if (level !== undefined && level < before.mfa_level) await checkConfirmed(ctx, 'mfa')
}

/** Whether a payload changes how the person of the stored row signs in; a form that sends back what it was shown does not. */
export function changesSignIn(ctx: Context, input: Written, before: Stored): boolean {
  // Neither is ever shown, so whatever is sent is new.
  if (input.password || input.public_key) return true
  if (changesExpiry(ctx, input, before)) return true
  return signInFields.some(
    (name) => input[name] !== undefined && (input[name] ?? '') !== (before[name] ?? ''),
  )
}
