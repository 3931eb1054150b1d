import type { Domain } from '../../kernel/domain.ts'
import type { Tickets } from '../tickets/index.ts'
import { loginAssetCheck } from './calls.ts'
import { commandFilterServed } from './command-filters.ts'
import { commandGroupServed } from './command-groups.ts'
import { loginAssetAclServed } from './login-asset-rules.ts'
import { loginAclServed } from './login-rules.ts'

export { commandConfirmKind, commandFiltersOf, commandReviewRule, tellingRule } from './command-filters.ts'
export {
  admit,
  askReviewers,
  type AssetLogin,
  connectingOf,
  reviewRuleOf,
  reviewSeconds,
} from './login-asset-reviews.ts'
export { isAssetReviewer, type LoginAssetRule } from './login-asset-rules.ts'
export { isReviewer, type LoginRule, loginRuleOf } from './login-rules.ts'

/** Rules of who may come in, and reach what, from where and when. */
export const domain = ({ tickets }: { tickets: Tickets }): Domain => ({
  name: 'acls',
  resources: [loginAclServed, loginAssetAclServed, commandFilterServed, commandGroupServed],
  services: [loginAssetCheck(tickets)],
})
