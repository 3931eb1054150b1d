/** Approvals of connections to assets: who may give one, and the tokens that are good from then on. */
import { eq } from 'drizzle-orm'
import { isAssetReviewer } from '../../acls/index.ts'
import type { TicketKind, Tickets } from '../../tickets/index.ts'
import { connectionTokens } from '../tables.ts'
import { expiry } from './connection-tokens.ts'

/** Decides who still reviews by the rule the ticket was opened for; what waited for the approval has some minutes from then on. */
export const assetLoginConfirmKind = ({ extend }: Pick<Tickets, 'extend'>): TicketKind => ({
  type: 'login_asset_confirm',
  mayDecide: (db, { meta }, userId) => isAssetReviewer(db, String(meta['rule_id']), userId),
  approved: async (ctx, { id }) => {
    await extend(ctx.db, id, ctx.settings.CONNECTION_TOKEN_EXPIRATION)
    await ctx.db
      .update(connectionTokens)
      .set({ is_active: true, date_expired: expiry(ctx) })
      .where(eq(connectionTokens.from_ticket_id, id))
  },
})
