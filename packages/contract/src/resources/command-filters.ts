/** Rules about commands, and the groups of commands they are about. */
import { commandGroupLimits } from '../command-patterns.ts'
import { choices } from '../resource/choices.ts'
import { boolean, choice, computed, integer, many, text } from '../resource/field.ts'
import {
  commented,
  created,
  identified,
  organized,
  resource,
  type RowOf,
  updated,
} from '../resource/resource.ts'
import { ruleFields, ruleOrder, smallRuleFields } from './asset-rules.ts'

export const commandGroupTypes = choices('command_group_type', ['command', 'regex'])

export const CommandGroup = resource({
  app: 'acls',
  model: 'commandgroup',
  path: 'acls/command-groups',
  scope: 'org',
  order: ['name'],
  fields: {
    ...identified,
    name: text({ max: 128, required: true, filter: true, search: true }),
    type: choice(commandGroupTypes, { default: 'command' }),
    /** Of commands one a line, of regular expressions one. */
    content: text({
      max: commandGroupLimits.content,
      required: true,
      multiline: true,
      order: false,
      help: 'command_group_content',
    }),
    ignore_case: boolean({ default: true }),
    ...commented,
    ...organized,
    ...created,
    ...updated,
  },
})
export type CommandGroup = RowOf<typeof CommandGroup>

/** The first active rule with a group that matches decides about a command; without one it passes. */
export const CommandFilterAcl = resource({
  app: 'acls',
  model: 'commandfilteracl',
  path: 'acls/command-filter-acls',
  scope: 'org',
  order: ruleOrder,
  small: smallRuleFields,
  fields: {
    ...ruleFields,
    command_groups: many('acls.commandgroup', ['id', 'name']),
    command_groups_amount: computed(integer()),
  },
})
export type CommandFilterAcl = RowOf<typeof CommandFilterAcl>
