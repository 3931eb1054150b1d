/**
 * What happened, for those who keep books of it. Operate logs are written in the same transaction as the change, so that there is no
 * change without its record; everything else (notifications, kills, counters) waits for the commit.
 */
import type { OperateAction, Resource } from '@sallyport/contract'
import type { Context } from './context.ts'
import { afterCommit } from './database/index.ts'

export type StoredRow = Readonly<Record<string, unknown>>

export interface Changed {
  type: 'created' | 'updated' | 'deleted'
  resource: Resource
  id: string
  /** The stored columns and relation ids before; undefined when created. */
  before: StoredRow | undefined
  after: StoredRow | undefined
  /** Names of secret fields that were written; their values are nobody's business. */
  secrets: readonly string[]
}
/** A declared call was carried out on a row; it may have changed columns that are no fields, or nothing that shows. */
export interface CalledOn {
  type: 'called'
  /** The word of the books for it. */
  action: OperateAction
  /** The call's name in the declaration. */
  call: string
  resource: Resource
  id: string
  before: StoredRow
  /** Undefined when the call removed the row. */
  after: StoredRow | undefined
}
/** Something worth recording that is not a change of a row: a login, a secret read, a session opened. */
export interface Happened {
  type: 'happened'
  name: string
  data: Readonly<Record<string, unknown>>
}
export type DomainEvent = Changed | CalledOn | Happened

type Listener = (ctx: Context, event: DomainEvent) => Promise<void>

export class Events {
  readonly #inTransaction: Listener[] = []
  readonly #afterCommit: Listener[] = []

  /** Runs inside the transaction of the change; an error there undoes the change. */
  onRecord(listener: Listener): void {
    this.#inTransaction.push(listener)
  }

  /** Runs after the commit, in order; an error there is logged and changes nothing. */
  onCommitted(listener: Listener): void {
    this.#afterCommit.push(listener)
  }

  async emit(ctx: Context, event: DomainEvent, failed: (error: unknown) => void): Promise<void> {
    for (const listener of this.#inTransaction) await listener(ctx, event)
    await afterCommit(ctx.db, async () => {
      for (const listener of this.#afterCommit) {
        try {
          await listener(ctx, event)
        } catch (error) {
          failed(error)
        }
      }
    })
  }
}
