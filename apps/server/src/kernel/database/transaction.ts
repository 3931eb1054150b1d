import { AsyncLocalStorage } from 'node:async_hooks'
import type { ExtractTablesWithRelations } from 'drizzle-orm'
import type { NodePgDatabase, NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgTransaction } from 'drizzle-orm/pg-core'

type Schema = Record<string, never>
export type Transaction = PgTransaction<NodePgQueryResultHKT, Schema, ExtractTablesWithRelations<Schema>>
/** What queries run on: the pool, or a transaction. */
export type Executor = NodePgDatabase | Transaction

type Hook = () => void | Promise<void>
const hooksOf = new WeakMap<Executor, Hook[]>()
const running = new AsyncLocalStorage<{ tx: Transaction | undefined }>()

/** The transaction this call runs inside, if it does. Only for what must not take a second connection: caches, and the pool's guard. */
export const transactionHere = (): Transaction | undefined => running.getStore()?.tx

/**
 * Runs `work` in a transaction, or in a savepoint when `executor` is a transaction already. What `afterCommit` was given
 * runs in order once the outermost transaction is committed, and never when it (or its own savepoint) is rolled back. Such
 * hooks handle their own errors: one that throws makes this reject although the rows are there.
 */
export async function withTransaction<T>(
  executor: Executor,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const outer = hooksOf.get(executor)
  const hooks: Hook[] = []
  const result = await executor.transaction(async (tx) => {
    hooksOf.set(tx, hooks)
    const scope: { tx: Transaction | undefined } = { tx }
    try {
      return await running.run(scope, () => work(tx))
    } finally {
      // Work that was started here and goes on is no part of the transaction any more.
      scope.tx = undefined
    }
  })
  if (outer !== undefined) outer.push(...hooks)
  else for (const hook of hooks) await hook()
  return result
}

/** Runs `hook` after the commit; at once when there is no transaction to wait for. */
export async function afterCommit(executor: Executor, hook: Hook): Promise<void> {
  const hooks = hooksOf.get(executor)
  if (hooks === undefined) await hook()
  else hooks.push(hook)
}
