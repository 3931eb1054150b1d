/** What the forms and details of rules about assets share: whom and what they are about, and whom they ask. */
import type { LoginAssetAcl } from '@sallyport/contract/resources/login-asset-acls'
import { valueAt } from '../../../kit/form/paths.ts'
import { userSource } from '../sources.ts'

const asksPeople = (action: unknown) => action === 'review' || action === 'warning' || action === 'notice'
const all = { widget: 'list', initial: ['*'], required: true } as const

export const ruleFields = {
  'users.username_group': { ...all, help: 'console:ruleUsersHelp' },
  'assets.name_group': { ...all, help: 'console:ruleAssetsHelp' },
  'assets.address_group': { ...all, help: 'console:ruleAddressesHelp' },
  'accounts.username_group': { ...all, help: 'console:ruleAccountsHelp' },
  priority: { required: true },
  action: { widget: 'radio', initial: 'reject', help: 'console:ruleActionHelp' },
  reviewers: {
    relation: userSource,
    required: (values: Readonly<{ action?: unknown }>) => values.action === 'review',
    hidden: (values: Readonly<{ action?: unknown }>) => !asksPeople(values.action),
  },
} as const

const about = [
  'users.username_group',
  'assets.name_group',
  'assets.address_group',
  'accounts.username_group',
] as const

/** Whether a rule is as its form begins, with nothing narrowed: named and sent like that it would shut out everybody. */
export function rejectsEverybody(values: { action?: unknown; is_active?: unknown }): boolean {
  const isAll = (names: unknown) => Array.isArray(names) && names.includes('*')
  return (
    values.action === 'reject' &&
    values.is_active !== false &&
    about.every((name) => isAll(valueAt(values, name)))
  )
}

type Shown = Pick<LoginAssetAcl, 'reviewers' | 'action'>
/** How some fields of every rule are shown in its detail. */
export const ruleValues = {
  reviewers: ({ reviewers }: Shown) => reviewers.map(({ name }) => name).join(', '),
}

/** Told by lists as their mirrors; an id tells nobody anything. */
export const unlisted = ['id', 'users', 'assets', 'accounts', 'reviewers'] as const
