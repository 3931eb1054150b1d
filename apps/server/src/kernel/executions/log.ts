/** The log of an execution: written by its worker in batches, read by anybody from any line on. */
import { and, asc, eq, gte, sql } from 'drizzle-orm'
import type { Executor } from '../database/index.ts'
import { executionLogs, executionRows } from './tables.ts'

const maxLineChars = 4096
const maxLines = 20_000
const maxChars = 4 << 20
const flushMs = 200
/** Then whoever writes waits. */
const maxWaiting = 1000

/** Who may write: the worker that holds this attempt. */
export interface Holder {
  id: string
  worker: string
  attempt: number
}
export const held = ({ id, worker, attempt }: Holder) =>
  and(
    eq(executionRows.id, id),
    eq(executionRows.worker, worker),
    eq(executionRows.attempt, attempt),
    eq(executionRows.status, 'running'),
  )

export class LogWriter {
  readonly #holder: Holder
  readonly #append: (holder: Holder, from: number, lines: readonly string[]) => Promise<void>
  readonly #secrets = new Set<string>()
  readonly #waiting: string[] = []
  #next: number
  #chars: number
  #left = 0
  #isClosed = false
  #flushing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(
    holder: Holder,
    written: { lines: number; chars: number },
    append: (holder: Holder, from: number, lines: readonly string[]) => Promise<void>,
  ) {
    this.#holder = holder
    this.#next = written.lines
    this.#chars = written.chars
    this.#append = append
  }

  hide(secret: string): void {
    if (secret !== '') this.#secrets.add(secret)
  }

  async write(text: string): Promise<void> {
    if (this.#isClosed) return
    let shown = text
    for (const secret of this.#secrets) shown = shown.replaceAll(secret, '***')
    for (const line of shown.replaceAll('\u0000', '').split(/\r?\n/)) this.#take(line)
    // What could not be stored is tried again with the next lines, and at the end.
    this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), flushMs)
    if (this.#waiting.length >= maxWaiting) await this.flush()
  }

  #take(line: string): void {
    const kept = line.length > maxLineChars ? `${line.slice(0, maxLineChars - 1)}…` : line
    const at = this.#next + this.#waiting.length
    if (at >= maxLines || this.#chars + kept.length > maxChars) this.#left++
    else {
      this.#waiting.push(kept)
      this.#chars += kept.length
    }
  }

  /** Resolves when everything said so far is stored. @throws when it cannot be */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    while (this.#flushing) await this.#flushing.catch(() => undefined)
    if (this.#waiting.length === 0) return
    const lines = this.#waiting.splice(0, this.#waiting.length)
    const from = this.#next
    this.#next += lines.length
    this.#flushing = this.#append(this.#holder, from, lines)
    try {
      await this.#flushing
    } catch (error) {
      this.#next = from
      this.#waiting.unshift(...lines)
      throw error
    } finally {
      this.#flushing = undefined
    }
  }

  /** Stores the rest, how much was left out, and the last word; nothing can be written afterwards. */
  async close(leftOut: (count: number) => string, last: string | undefined): Promise<void> {
    await this.flush()
    this.#isClosed = true
    const ending = [...(this.#left > 0 ? [leftOut(this.#left)] : []), ...(last === undefined ? [] : [last])]
    if (ending.length > 0) await this.#append(this.#holder, this.#next, ending)
  }
}

/** Stores lines of an execution that this worker still holds. */
export async function appendLines(
  db: Executor,
  holder: Holder,
  from: number,
  lines: readonly string[],
): Promise<void> {
  await db.execute(
    sql`insert into ${executionLogs} (execution_id, line, text)
      select ${executionRows.id}, ${from}::int + item.at::int - 1, item.text
      from ${executionRows}, unnest(${sql.param(lines)}::text[]) with ordinality as item (text, at) where ${held(holder)}`,
  )
}

/** How much of its log is there: of an attempt before. */
export async function writtenOf(db: Executor, id: string): Promise<{ lines: number; chars: number }> {
  const [found] = await db
    .select({
      lines: sql<number>`coalesce(max(${executionLogs.line}) + 1, 0)::int`,
      chars: sql<number>`coalesce(sum(length(${executionLogs.text})), 0)::int`,
    })
    .from(executionLogs)
    .where(eq(executionLogs.execution_id, id))
  return found ?? { lines: 0, chars: 0 }
}

export interface LogPart {
  lines: string[]
  /** Where the next part begins. */
  next: number
  hasBegun: boolean
  /** There is no more yet. */
  isAll: boolean
  /** There is no more, and there will not be. */
  isEnd: boolean
}

const maxReadLines = 500

/** Lines from that one on, up to so many characters; undefined when there is no such execution (any more). */
export async function readLog(
  db: Executor,
  id: string,
  from: number,
  maxReadChars: number,
): Promise<LogPart | undefined> {
  // The state first: what is written before the end is told is found by the second statement.
  const [row] = await db
    .select({ date_start: executionRows.date_start, date_finished: executionRows.date_finished })
    .from(executionRows)
    .where(eq(executionRows.id, id))
  if (row === undefined) return undefined
  const found = await db
    .select({ text: executionLogs.text })
    .from(executionLogs)
    .where(and(eq(executionLogs.execution_id, id), gte(executionLogs.line, from)))
    .orderBy(asc(executionLogs.line))
    .limit(maxReadLines)
  const lines: string[] = []
  let chars = 0
  for (const { text } of found) {
    chars += text.length
    if (lines.length > 0 && chars > maxReadChars) break
    lines.push(text)
  }
  return {
    lines,
    next: from + lines.length,
    hasBegun: row.date_start !== null || found.length > 0,
    isEnd: row.date_finished !== null && lines.length === found.length && found.length < maxReadLines,
    isAll: lines.length === found.length && found.length < maxReadLines,
  }
}
