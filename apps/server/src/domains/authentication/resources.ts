import { ConnectionToken, SuperConnectionToken } from '@sallyport/contract'
import { eq, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { type RelatedTable, type Served, serve } from '../../kernel/resource/binding.ts'
import { org, own, system } from '../../kernel/resource/rows.ts'
import { assetRelation } from '../assets/index.ts'
import { assigneesTold, reviewInfo } from '../tickets/index.ts'
import { users } from '../users/index.ts'
import { gatewayTokenCalls, ownTokenCalls, type TokenParts } from './calls.ts'
import { notExpired } from './tokens/connection-tokens.ts'
import { connectionTokens } from './tables.ts'

const anybody: RelatedTable = {
  table: users,
  rows: system,
  visible: () => eq(users.is_service_account, false),
}

const computed = {
  from_ticket: sql`${connectionTokens.from_ticket_id}`,
  from_ticket_info: assigneesTold(sql`${connectionTokens.from_ticket_id}`),
  expire_time: sql`greatest(0, extract(epoch from ${connectionTokens.date_expired} - now()))::int`,
  is_expired: sql`${connectionTokens.date_expired} <= now()`,
}

/** A token that waits for an approval tells how to wait for it, each by calls of their own. */
const waitingFor =
  (waiting: 'component' | 'person') =>
  (ctx: Context, row: { from_ticket?: string | null; from_ticket_info?: unknown }) => {
    if (!('from_ticket_info' in row)) return row
    const { from_ticket: id, from_ticket_info: assignees } = row
    const isWaited = typeof id === 'string'
    const ticket = { id: id ?? '', type: 'login_asset_confirm' as const }
    return {
      ...row,
      from_ticket_info: isWaited ? reviewInfo(ctx, ticket, assignees as string[], waiting) : {},
    }
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
      present: waitingFor('person'),
      calls: ownTokenCalls(parts),
    }),
    serve(SuperConnectionToken, {
      table: connectionTokens,
      rows: org(connectionTokens.org_id),
      held: { goes: sql`true` },
      relations,
      computed,
      present: waitingFor('component'),
      calls: gatewayTokenCalls(parts),
    }),
  ]
}
