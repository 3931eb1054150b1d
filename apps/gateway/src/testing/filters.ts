import type { CommandFilter } from '../policy/command-filter.ts'

/** A command filter with one group of such patterns. */
export const filter = (
  action: CommandFilter['action'],
  pattern: string,
  changes: Partial<CommandFilter> = {},
): CommandFilter => ({
  id: `filter-${action}`,
  name: `${action}s`,
  action,
  is_active: true,
  reviewers: [],
  command_groups: [{ pattern, ignore_case: true }],
  ...changes,
})
