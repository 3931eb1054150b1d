/** The accounts a grant promises by a template: made on the assets it covers, where they are missing. */
import { maxAssetsOfAccount } from '@sallyport/contract'
import { and, eq, notExists, sql, type SQL } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { forbidden, invalid, refused } from '../../kernel/errors.ts'
import type { Ground } from '../../kernel/ground.ts'
import { assets } from '../assets/index.ts'
import { copiedSecret, usedTemplates } from './copies.ts'
import { createOnAssets } from './many-assets.ts'
import { accountServed } from './resources.ts'
import type { CheckConfirmed } from './seen.ts'
import { accounts } from './tables.ts'

/**
 * Makes the account of each template on each of the assets (ids, as a query) that has none with its username and kind of secret, and
 * answers the usernames by the templates' ids. @throws ValidationError on `accounts`; ApiError 403 to who may not make accounts
 * or use templates, 400 where more than 5,000 assets lack one
 */
export type AccountsByTemplate = (
  ctx: Context,
  templateIds: readonly string[],
  covered: SQL,
) => Promise<ReadonlyMap<string, string>>

const nameMax = 128

export function accountsByTemplate(
  { secrets }: Pick<Ground, 'secrets'>,
  checkConfirmed: CheckConfirmed,
): AccountsByTemplate {
  const served = accountServed(secrets, checkConfirmed)
  return async (ctx, templateIds, covered) => {
    if (!ctx.can('accounts.add_account')) throw forbidden()
    const templates = await usedTemplates(ctx, templateIds)
    if (templates.length < new Set(templateIds).size) throw invalid('accounts', 'template_not_here')
    for (const template of templates) {
      const { username, secret_type, privileged, is_active } = template
      const name = `${template.name.slice(0, nameMax - '-clone'.length)}-clone`
      const has = (what: SQL | undefined) =>
        ctx.db
          .select()
          .from(accounts)
          .where(and(eq(accounts.asset_id, assets.id), what))
      const isThere = and(eq(accounts.username, username), eq(accounts.secret_type, secret_type))
      const lacking = await ctx.db
        .select({ id: assets.id, isNameTaken: sql<boolean>`exists ${has(eq(accounts.name, name))}` })
        .from(assets)
        .where(and(sql`${assets.id} in (${covered})`, notExists(has(isThere))))
        .limit(maxAssetsOfAccount + 1)
      if (lacking.length > maxAssetsOfAccount)
        throw refused('account_too_many_assets', { max: maxAssetsOfAccount })
      if (lacking.some(({ isNameTaken }) => isNameTaken)) throw invalid('accounts', 'account_name_there')
      const account = { name, username, secret_type, privileged, is_active }
      await createOnAssets(
        { served, ctx, secrets },
        { ...account, ...copiedSecret(secrets, template, secret_type) },
        lacking.map(({ id }) => id),
      )
    }
    return new Map(templates.map(({ id, username }) => [id, username]))
  }
}
