import { passwordRulesOf } from '@sallyport/contract'
import { hashChosen } from '../../users/index.ts'
import { passed, type Step } from './step.ts'

const dayMs = 86_400_000

/** A password that is too old, or was set by somebody else, opens the door only together with a new one. */
export const passwordStep: Step = async (ctx, { rbac }, { person, provenBy, given, newPasswordHash }) => {
  const { settings } = ctx
  if (provenBy !== 'Password' || newPasswordHash !== undefined) return passed
  const oldest = Date.now() - settings.SECURITY_PASSWORD_EXPIRATION_TIME * dayMs
  const isOld = person.datePassword !== null && person.datePassword.getTime() < oldest
  if (!isOld && !person.mustChange) return passed
  // Whoever administers anything needs the administrators' kind of password.
  const isAdmin = (await rbac.offered(person.id, 'console', ctx.language)).length > 0
  const passwordRules = passwordRulesOf(settings, isAdmin)
  const { newPassword } = given
  if (newPassword === undefined) {
    const reason = person.mustChange ? 'need_update_password' : 'password_expired'
    return { is: 'refused', error: reason, reason, passwordRules }
  }
  const chosen = await hashChosen(ctx, person, newPassword, isAdmin)
  if ('hash' in chosen) return { is: 'passed', now: { newPasswordHash: chosen.hash } }
  const { key: reason, params } = chosen.problem
  return { is: 'refused', error: reason, reason, ...(params && { params }), passwordRules }
}
