/** What opened an account, and when it changed. */
import { type Account, choiceLabel, formatDatetime, secretTypes } from '@sallyport/contract'
import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { StoredRow } from '../../kernel/events.ts'
import type { SavedOf } from '../../kernel/resource/binding.ts'
import type { Secrets } from '../../kernel/secrets/index.ts'
import { users } from '../users/index.ts'
import { accountHistories, accounts } from './tables.ts'

/** A row of history is written on create and whenever what opens the account changed. */
export async function keepHistory(
  ctx: Context,
  rows: readonly SavedOf<typeof Account, typeof accounts>[],
): Promise<void> {
  const changed = rows.filter(
    ({ mode, input, before }) =>
      mode === 'create' ||
      Boolean(input.secret) ||
      (input.secret_type !== undefined && input.secret_type !== before?.secret_type),
  )
  if (changed.length === 0) return
  const ids = sql`${sql.param(changed.map(({ id }) => id))}::uuid[]`
  await ctx.db.execute(
    sql`update ${accounts} set version = (select count(*) from ${accountHistories} where ${accountHistories.id} = ${accounts.id})
      where ${accounts.id} = any(${ids})`,
  )
  await ctx.db.execute(
    sql`insert into ${accountHistories} (id, org_id, secret, secret_type, version, history_user)
      select ${accounts.id}, ${accounts.org_id}, ${accounts.secret}, ${accounts.secret_type}, ${accounts.version},
        ${ctx.identity?.id ?? null}::uuid
      from ${accounts} where ${accounts.id} = any(${ids})`,
  )
}

const maxHistories = 1000

/** Newest first, without the one that is in force. */
export async function historiesOf(ctx: Context, secrets: Secrets, account: StoredRow) {
  const rows = await ctx.db
    .select({ ...getTableColumns(accountHistories), history_user_name: users.name })
    .from(accountHistories)
    .leftJoin(users, eq(users.id, accountHistories.history_user))
    .where(
      and(
        eq(accountHistories.id, String(account['id'])),
        eq(accountHistories.org_id, String(account['org_id'])),
      ),
    )
    .orderBy(desc(accountHistories.history_id))
    .limit(maxHistories)
  const open = (sealed: unknown) => (typeof sealed === 'string' ? secrets.unseal(sealed) : null)
  const all = rows.map((row) => ({
    id: row.id,
    secret: open(row.secret),
    secret_type: { value: row.secret_type, label: choiceLabel(secretTypes, row.secret_type, ctx.language) },
    version: row.version,
    history_date: formatDatetime(row.history_date, ctx.zone),
    history_user: row.history_user,
    history_user_name: row.history_user_name,
  }))
  const [newest, ...older] = all
  return newest !== undefined && newest.secret === open(account['secret']) ? older : all
}
