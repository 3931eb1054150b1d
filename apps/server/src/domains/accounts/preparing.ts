/** What an account is written with. */
import type { Account, SecretType } from '@sallyport/contract'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import type { AskedOf, InputOf, SavingOf } from '../../kernel/resource/binding.ts'
import type { Secrets } from '../../kernel/secrets/index.ts'
import { copiedSecret, type Sources, sourcesOf } from './copies.ts'
import { secretColumns, withKeyOpened } from './secrets.ts'
import { type CheckConfirmed, inOrgOf } from './seen.ts'
import { accounts } from './tables.ts'

type Saving = SavingOf<typeof Account, typeof accounts>
type Input = InputOf<typeof Account, typeof accounts>

/** Where the type of a key is not known yet, and for accounts that come with their asset, `prepareAccount` opens it. */
export const openKey = (ctx: Context, { mode, input, id }: AskedOf<typeof Account>): Promise<Input> =>
  withKeyOpened<Input>(input, async () =>
    mode === 'patch' && id !== undefined ? await typeOf(ctx, id) : undefined,
  )

async function typeOf(ctx: Context, id: string): Promise<SecretType | undefined> {
  const [found] = await ctx.db
    .select({ type: accounts.secret_type })
    .from(accounts)
    .where(and(eq(accounts.id, id), inOrgOf(ctx, accounts.org_id)))
  return found?.type
}

/** What a new account copies. */
function sourceOf(sources: Sources, { id, template }: Pick<Input, 'id' | 'template'>) {
  if (id === undefined) return undefined
  if (!template) return sources.accounts.get(id)
  const found = sources.templates.get(id)
  if (found === undefined) throw invalid('template', 'template_not_here')
  return found
}

export const prepareAccount =
  (secrets: Secrets, checkConfirmed: CheckConfirmed) =>
  async (ctx: Context, saving: Saving): Promise<Input> => {
    const { mode, input, before, batch } = saving
    const sources = await batch.once('sources', () => sourcesOf(ctx, checkConfirmed, batch.given))
    const { id, passphrase: _passphrase, template, push_now: _pushNow, secret: _secret, ...rest } = input
    const prepared: Input = { ...rest }
    const type =
      saving.mode === 'create' ? saving.input.secret_type : (input.secret_type ?? saving.before.secret_type)
    const source = mode === 'create' ? sourceOf(sources, { id, template }) : undefined
    const username = input.username || (before ?? source)?.username || ''
    if (mode === 'create') prepared.username = username
    if (input.name === null || (mode === 'create' && !input.name)) prepared.name = username
    Object.assign(prepared, await secretColumns(type, input, before))
    if (source && prepared.secret === undefined) Object.assign(prepared, copiedSecret(secrets, source, type))
    return prepared
  }
