/** `POST acls/login-asset/check/`: a component asks whether a connection has to be approved, and then waits for the ticket. */
import { Asset, type AssetLoginCheck, LoginAssetCheck, User } from '@sallyport/contract'
import { and, eq } from 'drizzle-orm'
import { callerOf, type Context } from '../../kernel/context.ts'
import { noSuch } from '../../kernel/errors.ts'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import { assets } from '../assets/index.ts'
import { type Tickets, waitingFor } from '../tickets/index.ts'
import { isPerson, users } from '../users/index.ts'
import { type AssetLogin, askReviewers, reviewRuleOf } from './login-asset-reviews.ts'

export const loginAssetCheck = (tickets: Tickets): Provided =>
  provide(LoginAssetCheck, {
    check: async (ctx, { body }): Promise<AssetLoginCheck> => {
      const login = await loginOf(ctx, body)
      const rule = await reviewRuleOf(ctx, login)
      if (rule === undefined) return { need_review: false }
      const id = await askReviewers(ctx, tickets, rule, login, callerOf(ctx).id)
      const info = await waitingFor(ctx, { id, type: 'login_asset_confirm' }, 'component')
      return {
        need_review: true,
        check_review_status: info.check_ticket_api,
        close_review: info.close_ticket_api,
        ticket_detail_url: info.ticket_detail_page_url,
        reviewers: info.assignees,
        ticket_id: id,
      }
    },
  })

interface Named {
  user_id: string
  asset_id: string
  account_username?: string
}

/** @throws ValidationError at the id of what is not there */
async function loginOf(
  { db }: Pick<Context, 'db'>,
  { user_id, asset_id, account_username = '' }: Named,
): Promise<AssetLogin> {
  const [user] = await db
    .select({ id: users.id, name: users.name, username: users.username })
    .from(users)
    .where(and(eq(users.id, user_id), isPerson))
  if (user === undefined) throw noSuch('user_id', User)
  const [asset] = await db
    .select({ id: assets.id, name: assets.name, address: assets.address, org_id: assets.org_id })
    .from(assets)
    .where(eq(assets.id, asset_id))
  if (asset === undefined) throw noSuch('asset_id', Asset)
  return { user, asset, accounts: account_username === '' ? [] : [account_username] }
}
