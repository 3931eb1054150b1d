/** How rows that are tested show why a test failed. */
import { reasonSchema, reasonSentence } from '@sallyport/contract/gateway/probes'
import type { Context } from '../../kernel/context.ts'

/** Last touch on a presented row: the reason as a sentence in the reader's language, empty where there is none. */
export function withReason<Row extends Record<string, unknown>>(
  ctx: Pick<Context, 'language'>,
  row: Row,
): Row {
  if (!('connectivity_reason' in row)) return row
  const { data } = reasonSchema.safeParse(row['connectivity_reason'])
  const sentence = data === undefined ? '' : reasonSentence(data, ctx.language)
  return { ...row, connectivity_reason: sentence }
}
