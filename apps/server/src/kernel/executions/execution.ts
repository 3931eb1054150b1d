import { z } from 'zod'
import type { Context } from '../context.ts'
import type { Executor } from '../database/index.ts'

/** What came of it, for people and programs to read; never a secret. */
export type Summary = Readonly<Record<string, unknown>>

export interface Concurrency {
  total?: number
  perKey?: number
}

/** Work that runs beside requests: declared once in a domain's `jobs.ts`, started anywhere, done by a process with the role `worker`. */
export interface Execution<Input> {
  /** `domain.verb`; letters, digits, `-`, `.`. */
  kind: string
  /** What it needs to know: ids, never secrets, because it is stored in the clear. */
  input: z.ZodType<Input>
  /** After this time its signal aborts and it ends as `timeout`. */
  timeoutSeconds: number
  /** How many may run at once on all nodes together: of the kind, and of the kind with the same key. No limit unless said. */
  concurrency?: Concurrency
  /** What is soon done has places of its own, beside as many of the others as there may be. Nothing is unless said. */
  small?: { is(input: Input): boolean; concurrency: Concurrency }
  /** When its worker dies: done again by another, from the beginning unless it looks what is done, (at most three times in all), or ended as `error`. */
  onCrash: 'resume' | 'fail'
  /** Five fields, UTC; its input is `{}`. */
  cron?: string
  /** Takes away what one left lying about whose worker died. */
  abandoned?(db: Executor, id: string): Promise<void>
  /**
   * What it answers becomes the summary. An `ApiError` ends it as `failed` with that error's code, anything else that is thrown as `error`.
   * Nobody is the caller: rights are those of the code, so `ctx.can` holds nothing.
   */
  run(ctx: Context, work: Work<Input>): Promise<Summary | void>
}

export interface Work<Input> {
  id: string
  input: Input
  /** Who started it, as the books record people. */
  user: string
  /** 1 at the first attempt. */
  attempt: number
  /** When the first attempt began. */
  begun: Date
  log: ExecutionLog
  /** How far it is; told to whoever watches within a second. */
  progress: (done: number, total?: number) => void
  /** Aborts when it is cancelled, its time is over, or the process stops: then it has two seconds to end. */
  signal: AbortSignal
}

/**
 * Appends lines to the stored log; resolves when there is room for more, so whoever writes a lot waits for it. A line keeps 4,096 characters,
 * a log 20,000 lines and 4 MiB; what goes beyond is counted and left out.
 */
export interface ExecutionLog {
  (text: string): Promise<void>
  /** Whatever is written from now on, this text shows as `***`. */
  hide(secret: string): void
}

export const execution = <Input>(declaration: Execution<Input>): Execution<Input> => declaration

/** What is done once a day and needs to know nothing: one at a time, begun anew where a worker died. To be spread into it, with its `cron`. */
export const daily = {
  input: z.object({}),
  timeoutSeconds: 3600,
  concurrency: { total: 1 },
  onCrash: 'resume',
} as const satisfies Partial<Execution<unknown>>
