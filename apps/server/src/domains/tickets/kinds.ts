/** What a type of ticket is: one declaration each, made by the domain that opens such tickets. */
import type { TicketType } from '@sallyport/contract'
import type { Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import type { TicketFound } from './finding.ts'

export interface TicketKind {
  type: TicketType
  /** Whether somebody it was assigned to may still decide: what made them an assignee may be gone. */
  mayDecide: (db: Executor, ticket: TicketFound, userId: string) => Promise<boolean>
  /** What follows from the last approval, in its transaction. */
  approved?: (ctx: Context, ticket: TicketFound) => Promise<void>
}
