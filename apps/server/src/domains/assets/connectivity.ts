/** How rows that are tested show why a test failed. */
import { reasonSchema, reasonSentence } from '@sallyport/contract/gateway/probes'
import type { Context } from '../../kernel/context.ts'

/** Last touch on a presented row: the reason as a sentence in the reader's language, empty where there is none. */
export function withReason<Row extends Record<string, unknown>>(
  ctx: Pick<Context, 'language'>,
  row: Row,
): Row {
  const { connectivity_reason: reason } = row
  if (reason === undefined) return row
  const { data } = reason === null ? {} : reasonSchema.safeParse(reason)
  const sentence = data === undefined ? '' : reasonSentence(data, ctx.language)
  return { ...row, connectivity_reason: sentence }
}
