/** Groups of commands; their pattern is made and checked when they are written. */
import { CommandGroup, isUuid } from '@sallyport/contract'
import {
  type CommandGroupContent,
  commandGroupLimits as limits,
  commandsOf,
  patternOf,
} from '@sallyport/contract/command-patterns'
import { eq, inArray } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { ApiError, invalid, ValidationError } from '../../kernel/errors.ts'
import { offload, OffloadFailure } from '../../kernel/offload/index.ts'
import {
  type AskedOf,
  type InputOf,
  type RelatedTable,
  type SavingOf,
  serve,
} from '../../kernel/resource/binding.ts'
import { isRecord } from '../../kernel/resource/nested.ts'
import { org } from '../../kernel/resource/rows.ts'
import { checkSize } from './filters-size.ts'
import type * as Regex from './regex.ts'
import { commandFilterAclGroups, commandGroups } from './tables.ts'

type Input = InputOf<typeof CommandGroup, typeof commandGroups>

/** An expression that takes longer than this to look at is refused as too large. */
const regexes = offload<typeof Regex>(new URL('regex.ts', import.meta.url), {
  threads: 1,
  maxWaiting: 20,
  budgetMs: 2000,
  memoryMiB: 256,
})

export const commandGroup: RelatedTable = { table: commandGroups, rows: org(commandGroups.org_id) }

export const commandGroupServed = serve(CommandGroup, {
  table: commandGroups,
  rows: org(commandGroups.org_id),
  ahead,
  checkSent,
  prepare: (_ctx, { input, before }: SavingOf<typeof CommandGroup, typeof commandGroups>): Input => {
    const isHalf = before !== undefined && (input.type === undefined || input.content === undefined)
    if (!isHalf || input.pattern === undefined) return input
    const pattern = patternOf({ type: input.type ?? before.type, content: input.content ?? before.content })
    // Somebody else changed the other half of it since it was looked at.
    if (input.pattern !== pattern) throw new ApiError(409, 'changed_meanwhile')
    return input
  },
  saved: async (ctx, rows) => {
    const ids = rows.flatMap(({ mode, input, id }) => (mode !== 'create' && input.pattern ? [id] : []))
    if (ids.length === 0) return
    const links = await ctx.db
      .select()
      .from(commandFilterAclGroups)
      .where(inArray(commandFilterAclGroups.commandgroup_id, ids))
    const filtersOf = (group: string) =>
      links.flatMap((link) => (link.commandgroup_id === group ? [link.commandfilteracl_id] : []))
    await checkSize(
      ctx.db,
      'content',
      rows.map(({ id }) => ({ filters: filtersOf(id) })),
    )
  },
})

/** Making the patterns of as much as one call could bring takes seconds. @throws ApiError 413 */
function checkSent(rows: readonly unknown[]): void {
  const lengthOf = (row: unknown) =>
    isRecord(row) && typeof row['content'] === 'string' ? row['content'].length : 0
  if (rows.reduce<number>((sum, row) => sum + lengthOf(row), 0) > limits.contentOfCall)
    throw new ApiError(413, 'command_groups_too_long', { params: { max: limits.contentOfCall } })
}

/** Looked at before the transaction: nobody holds a connection meanwhile. */
async function ahead(
  ctx: Context,
  { mode, input, id }: AskedOf<typeof CommandGroup>,
): Promise<AskedOf<typeof CommandGroup>['input'] & { pattern?: string }> {
  if (input.type === undefined && input.content === undefined) return input
  const before = mode === 'create' ? undefined : await stored(ctx, id)
  const group: CommandGroupContent = {
    type: input.type ?? before?.type ?? 'command',
    content: input.content ?? before?.content ?? '',
  }
  if (group.type === 'regex') await checkRegex(group.content)
  else checkCommands(group.content)
  return { ...input, pattern: patternOf(group) }
}

async function stored(ctx: Context, id: string | undefined) {
  if (id === undefined || !isUuid(id)) return undefined
  const [row] = await ctx.db.select().from(commandGroups).where(eq(commandGroups.id, id))
  return row
}

/** @throws ValidationError */
function checkCommands(content: string): void {
  const count = commandsOf(content).length
  if (count === 0) throw invalid('content', 'commands_none')
  if (count > limits.commands) throw invalid('content', 'commands_too_many', { max: limits.commands, count })
}

/** @throws ValidationError */
async function checkRegex(regex: string): Promise<void> {
  const lineEnd = regex.search(/[\r\n]/)
  if (lineEnd !== -1) throw invalid('content', 'regex_lines', { at: lineEnd + 1 })
  if (regex.length > limits.regex) throw invalid('content', 'max_length', { max: limits.regex })
  try {
    const problem = await regexes('check', regex)
    if (problem !== undefined) throw new ValidationError({ content: [problem] })
  } catch (error) {
    throw error instanceof OffloadFailure ? invalid('content', 'regex_too_large') : error
  }
}
