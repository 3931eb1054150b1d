/** Secrets that come from elsewhere: of an account that is copied or moved, of a template that is used. */
import { isUuid } from '@sallyport/contract'
import { and, inArray } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { forbidden, invalid } from '../../kernel/errors.ts'
import type { Batch } from '../../kernel/resource/binding.ts'
import type { Secrets } from '../../kernel/secrets/index.ts'
import type { CheckedSecret } from './secrets.ts'
import { type CheckConfirmed, inOrgOf, recordSeen, takeAlong } from './seen.ts'
import { accounts, accountTemplates } from './tables.ts'

type StoredAccount = typeof accounts.$inferSelect
type StoredTemplate = typeof accountTemplates.$inferSelect

/** What the rows of one write copy from. */
export interface Sources {
  accounts: ReadonlyMap<string, StoredAccount>
  templates: ReadonlyMap<string, StoredTemplate>
}

/** Whether what is stored for an account would be sent to another machine, or typed into the login of another account. */
const goesElsewhere = ({ input, before }: Batch['given'][number]) =>
  before !== undefined &&
  ((input['asset'] !== undefined && input['asset'] !== before['asset_id']) ||
    (typeof input['su_from'] === 'string' && input['su_from'] !== before['su_from_id']))

/**
 * `id` in the body of a create names the account that is copied, or with `template` the template that is used. The secrets of accounts
 * that are copied, or go to another asset or through another login, are taken along: all of one write at once.
 */
export async function sourcesOf(
  ctx: Context,
  checkConfirmed: CheckConfirmed,
  given: Batch['given'],
): Promise<Sources> {
  const copying = given.flatMap(({ input, before }) =>
    before === undefined && typeof input['id'] === 'string' && isUuid(input['id'])
      ? [{ id: input['id'], isTemplate: input['template'] === true }]
      : [],
  )
  const named = (templates: boolean) => [
    ...new Set(copying.flatMap(({ id, isTemplate }) => (isTemplate === templates ? [id] : []))),
  ]
  const [accountIds, templateIds] = [named(false), named(true)]
  const copied =
    accountIds.length === 0
      ? []
      : await ctx.db
          .select()
          .from(accounts)
          .where(and(inArray(accounts.id, accountIds), inOrgOf(ctx, accounts.org_id)))
  const moved = given
    .filter((one) => goesElsewhere(one))
    .map(({ before }) => before as unknown as StoredAccount)
  await takeAlong(ctx, checkConfirmed, [...copied, ...moved])
  const used = await usedTemplates(ctx, templateIds)
  return {
    accounts: new Map(copied.map((one) => [one.id, one])),
    templates: new Map(used.map((one) => [one.id, one])),
  }
}

/**
 * Templates are there to be used: by whoever may see them, without being shown what opens them; it is recorded as if it was.
 * @throws ApiError 403 to who may not see templates
 */
export async function usedTemplates(ctx: Context, ids: readonly string[]): Promise<StoredTemplate[]> {
  if (ids.length === 0) return []
  if (!ctx.can('accounts.view_accounttemplate')) throw forbidden('template_use_denied')
  const used = await ctx.db
    .select()
    .from(accountTemplates)
    .where(and(inArray(accountTemplates.id, [...ids]), inOrgOf(ctx, accountTemplates.org_id)))
  const open = used.filter(({ secret }) => secret !== null)
  await recordSeen(
    ctx,
    ...open.map(({ id, name, org_id }) => ({
      resource_type: 'accounts.accounttemplate' as const,
      resource: name,
      org_id,
      id,
    })),
  )
  return used
}

/** What opens the copy; nothing where the source holds no secret. @throws ValidationError on a secret of another type */
export function copiedSecret(
  secrets: Secrets,
  from: StoredAccount | StoredTemplate,
  type: string,
): Partial<CheckedSecret> {
  if (from.secret === null) return {}
  if (from.secret_type !== type) throw invalid('secret_type', 'secret_of_another_type')
  return { secret: secrets.unseal(from.secret), spec_info: from.spec_info }
}
