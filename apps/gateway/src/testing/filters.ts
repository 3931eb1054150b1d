import { randomUUID } from 'node:crypto'
import type { CommandFilter } from '@sallyport/contract/gateway/grants'

/** A command filter with one group of such a pattern. */
export const filter = (
  action: CommandFilter['action'],
  pattern: string,
  changes: Partial<CommandFilter> = {},
): CommandFilter => ({
  id: randomUUID(),
  name: `${action}s`,
  action,
  priority: 50,
  is_active: true,
  reviewers: [],
  command_groups: [
    { id: randomUUID(), name: 'group', type: 'regex', content: pattern, ignore_case: true, pattern },
  ],
  ...changes,
})
