import { ConnectionToken, SuperConnectionToken } from '@sallyport/contract'
import { eq, sql } from 'drizzle-orm'
import { callerOf } from '../../kernel/context.ts'
import { type RelatedTable, type Served, serve } from '../../kernel/resource/binding.ts'
import { org, own, system } from '../../kernel/resource/rows.ts'
import { assetRelation } from '../assets/index.ts'
import { users } from '../users/index.ts'
import { gatewayTokenCalls, ownTokenCalls, type TokenParts } from './calls.ts'
import { notExpired, prepareToken } from './tokens/connection-tokens.ts'
import { connectionTokens } from './tables.ts'

const anybody: RelatedTable = {
  table: users,
  rows: system,
  visible: () => eq(users.is_service_account, false),
}

const computed = {
  from_ticket: sql`${connectionTokens.from_ticket_id}`,
  from_ticket_info: sql`'{}'::json`,
  expire_time: sql`greatest(0, extract(epoch from ${connectionTokens.date_expired} - now()))::int`,
  is_expired: sql`${connectionTokens.date_expired} <= now()`,
}

export function tokensServed(parts: TokenParts): readonly Served[] {
  const relations = { user: anybody, asset: assetRelation }
  return [
    serve(ConnectionToken, {
      table: connectionTokens,
      rows: own(connectionTokens.user_id),
      visible: () => notExpired,
      relations,
      computed,
      prepare: (ctx, saving) => prepareToken(ctx, saving, callerOf(ctx).id),
      calls: ownTokenCalls(parts),
    }),
    serve(SuperConnectionToken, {
      table: connectionTokens,
      rows: org(connectionTokens.org_id),
      held: { goes: sql`true` },
      relations,
      computed,
      prepare: async (ctx, saving) => ({
        ...(await prepareToken(ctx, saving, String(saving.input.user))),
        component_id: callerOf(ctx).id,
      }),
      calls: gatewayTokenCalls(parts),
    }),
  ]
}
