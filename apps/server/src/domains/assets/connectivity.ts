/** How rows that are tested show why a test failed. */
import { reasonSchema } from '@sallyport/contract/gateway/probes'
import { targetMessages } from '@sallyport/contract/messages/gateway-targets'
import { translate } from '@sallyport/contract'
import type { Context } from '../../kernel/context.ts'

/** Last touch on a presented row: the reason as a sentence in the reader's language, empty where there is none. */
export function withReason<Row extends Record<string, unknown>>(
  ctx: Pick<Context, 'language'>,
  row: Row,
): Row {
  if (!('connectivity_reason' in row)) return row
  const { data } = reasonSchema.safeParse(row['connectivity_reason'])
  const sentence = data === undefined ? '' : translate(targetMessages, ctx.language, data.code, data.params)
  return { ...row, connectivity_reason: sentence }
}
