/** Account templates, as they are listed, written, and opened. */
import { AccountTemplate, AccountTemplateSecret, protocols, type SecretType } from '@sallyport/contract'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { type InputOf, type SavingOf, serve, type Served } from '../../kernel/resource/binding.ts'
import { org } from '../../kernel/resource/rows.ts'
import type { Secrets } from '../../kernel/secrets/index.ts'
import { secretColumns, withKeyOpened } from './secrets.ts'
import { inOrgOf, listSeen, recordSeen } from './seen.ts'
import { accountTemplates } from './tables.ts'

type Saving = SavingOf<typeof AccountTemplate, typeof accountTemplates>
type Input = InputOf<typeof AccountTemplate, typeof accountTemplates>

async function typeOf(ctx: Context, id: string): Promise<SecretType | undefined> {
  const [found] = await ctx.db
    .select({ type: accountTemplates.secret_type })
    .from(accountTemplates)
    .where(and(eq(accountTemplates.id, id), inOrgOf(ctx, accountTemplates.org_id)))
  return found?.type
}

async function prepare(_ctx: Context, saving: Saving): Promise<Input> {
  const { input, before } = saving
  const { passphrase: _passphrase, secret: _secret, ...rest } = input
  const type =
    saving.mode === 'create' ? saving.input.secret_type : (input.secret_type ?? saving.before.secret_type)
  return { ...rest, ...(await secretColumns(type, input, before)) }
}

/** Kinds of secret that any of these protocols takes. */
const takenBy = (names: readonly string[]): SecretType[] => [
  ...new Set(Object.entries(protocols).flatMap(([name, of]) => (names.includes(name) ? of.secretTypes : []))),
]

const shared = {
  table: accountTemplates,
  rows: org(accountTemplates.org_id),
  computed: { has_secret: sql`(${accountTemplates.secret} is not null)` },
  filters: {
    protocols: (value: string) => {
      const types = takenBy(value.split(',', 100))
      return types.length === 0 ? sql`false` : inArray(accountTemplates.secret_type, types)
    },
  },
} as const

export const templateServed: Served = serve(AccountTemplate, {
  ...shared,
  ahead: (ctx, { mode, input, id }) =>
    withKeyOpened<Input>(input, async () =>
      mode === 'patch' && id !== undefined ? await typeOf(ctx, id) : undefined,
    ),
  prepare,
})

const books = { type: 'accounts.accounttemplate', org: accountTemplates.org_id } as const

export const templateSecretServed = (secrets: Secrets): Served =>
  serve(AccountTemplateSecret, {
    ...shared,
    calls: {
      open: (ctx, called) => listSeen(ctx, called, books),
      openOne: (ctx, { row: { id, name, org_id } }) =>
        recordSeen(ctx, { resource_type: books.type, resource: name, org_id, id }),
    },
    present: (_ctx, row) => {
      const sealed = row.secret
      return { ...row, ...('secret' in row && { secret: sealed ? secrets.unseal(sealed) : null }) }
    },
  })
