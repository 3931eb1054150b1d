/** Rules about what is done with assets: whom, which assets and which accounts they are about. */
import { choices } from '../resource/choices.ts'
import { choice, computed, integer, list, many, object, text } from '../resource/field.ts'
import { active, commented, created, identified, organized, updated } from '../resource/resource.ts'

/**
 * What a rule does with what it is about: `review` waits until a reviewer decides; `warning` lets through, warns the person and tells the
 * reviewers; `notice` lets through and tells them.
 */
export const aclActions = choices('acl_action', ['reject', 'accept', 'review', 'warning', 'notice'])
export type AclAction = (typeof aclActions.values)[number]

/** `*` stands for all; everything else for what is called just so. */
const names = list({ max: 128, default: ['*'] })
const shownNames = computed(list({ max: 128 }))

/** The higher priority matches first, then what was changed longest ago. */
export const ruleOrder = ['-priority', 'date_updated', 'name'] as const

export const ruleFields = {
  ...identified,
  name: text({ max: 128, required: true, filter: true, search: true }),
  /** The four groups as lists show them. */
  users_username_group: shownNames,
  assets_name_group: shownNames,
  assets_address_group: computed(list({ max: 1024 })),
  accounts_username_group: shownNames,
  users: object({ username_group: names }, { required: true }),
  assets: object(
    {
      name_group: names,
      /** `*`, addresses, networks (`10.0.0.0/8`), ranges (`10.0.0.1-10.0.0.9`), host names. */
      address_group: list({ max: 1024, default: ['*'] }),
    },
    { required: true },
  ),
  accounts: object({ username_group: names }, { required: true }),
  priority: integer({ min: 1, max: 100, default: 50, help: 'acl_priority' }),
  action: choice(aclActions, { default: 'reject' }),
  reviewers: many('users.user', ['id', 'name']),
  reviewers_amount: computed(integer()),
  ...active,
  ...commented,
  ...organized,
  ...created,
  ...updated,
}

/** What `?fields_size=small` shows. */
export const smallRuleFields = [
  'id',
  'name',
  'users_username_group',
  'assets_name_group',
  'assets_address_group',
  'accounts_username_group',
  'users',
  'accounts',
  'assets',
  'is_active',
  'date_created',
  'date_updated',
  'priority',
  'action',
  'comment',
  'created_by',
  'org_id',
] as const
