import { loginRuleOf } from '../../acls/index.ts'
import { passed, type Step } from './step.ts'

/** The login rules of the person, by where they are now. */
export const rulesStep: Step = async (ctx, _parts, { person, way }) => {
  const rule = await loginRuleOf(ctx.db, person.id, way.remoteAddr, new Date())
  if (rule?.action === 'reject') return { is: 'refused', error: 'acl_error', reason: 'acl_error' }
  return rule === undefined ? passed : { is: 'passed', now: { rule } }
}
