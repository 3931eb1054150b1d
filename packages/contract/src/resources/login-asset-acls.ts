/** Rules about who connects to which asset. */
import { resource, type RowOf } from '../resource/resource.ts'
import { ruleFields, ruleOrder, smallRuleFields } from './asset-rules.ts'

/** The first active rule that matches decides whether somebody granted an account may connect with it; without one they may. */
export const LoginAssetAcl = resource({
  app: 'acls',
  model: 'loginassetacl',
  path: 'acls/login-asset-acls',
  scope: 'org',
  order: ruleOrder,
  small: smallRuleFields,
  licensed: true,
  fields: ruleFields,
})
export type LoginAssetAcl = RowOf<typeof LoginAssetAcl>
