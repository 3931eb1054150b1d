import type { Domain } from '../../kernel/domain.ts'
import { loginAclServed } from './login-rules.ts'

export { isReviewer, type LoginRule, loginRuleOf } from './login-rules.ts'

/** Rules of who may come in, and reach what, from where and when. */
export const domain: Domain = { name: 'acls', resources: [loginAclServed] }
