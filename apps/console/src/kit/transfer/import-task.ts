import { ApiError, fieldErrorsOf } from '../api/errors.ts'

export type ImportValues = Readonly<Record<string, unknown>>
/** What was refused says why: a line for each field, and what is wrong with each by its name. */
export interface Refusal {
  lines: readonly string[]
  fields: Readonly<Record<string, string>>
}
/** `ok` was written. */
export type RowStatus = 'pending' | 'ok' | Refusal
export interface ImportRow {
  key: number
  values: ImportValues
  status: RowStatus
}
export type TaskStatus = 'pending' | 'started' | 'stopped' | 'done'
export interface TaskState {
  status: TaskStatus
  rows: readonly ImportRow[]
}

interface TaskParts {
  rows: readonly ImportValues[]
  /** Writes one row; rejects with ApiError. */
  send: (values: ImportValues) => Promise<unknown>
  /** Between two rows. */
  pauseMs: number
  /** What a field is called in a sentence about it. */
  labelOf: (field: string) => string
  /** The sentence about an error that names no field. */
  describe: (error: unknown) => string
  /** It stopped by itself, and what is left can be sent later: no connection, no login, a confirmation given up. */
  onInterrupted: (error: unknown) => void
  /** It came to its end. */
  onDone: (failed: number) => void
}

export const hasFailed = ({ status }: ImportRow): boolean => typeof status === 'object'

/**
 * An import without looks: rows are sent one after the other, what was written is never sent again, and nothing is lost when it stops in
 * the middle, whoever or whatever stopped it.
 */
export class ImportTask {
  readonly #parts: TaskParts
  readonly #listeners = new Set<() => void>()
  #state: TaskState
  #running: Promise<void> | undefined
  readonly #edited = new Set<number>()

  constructor(parts: TaskParts) {
    this.#parts = parts
    this.#state = {
      status: 'pending',
      rows: parts.rows.map((values, key) => ({ key, values, status: 'pending' })),
    }
  }

  get state(): TaskState {
    return this.#state
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Whether something was begun and is not at its end, or a row was changed and is not written. */
  get isUnfinished(): boolean {
    const { status, rows } = this.#state
    const isLeft = (row: ImportRow) =>
      (status === 'stopped' && row.status === 'pending') || (row.status !== 'ok' && this.#edited.has(row.key))
    return status === 'started' || rows.some((row) => isLeft(row))
  }

  /** Begins, goes on, or tries again what failed. */
  async start(): Promise<void> {
    const { status, rows } = this.#state
    if (status === 'started') return
    const again = status === 'done' ? rows.map((row) => (hasFailed(row) ? pending(row) : row)) : rows
    this.#set({ status: 'started', rows: again })
    // Whoever goes on before a stop took effect goes on with the run that is under way.
    this.#running ??= this.#run().finally(() => (this.#running = undefined))
    await this.#running
  }

  readonly stop = (): void => {
    if (this.#state.status === 'started') this.#set({ status: 'stopped' })
  }

  /** A row that was changed is to be sent, whatever became of it before. */
  readonly edit = (key: number, name: string, value: unknown): void => {
    this.#edited.add(key)
    this.#setRow(key, (row) => ({ ...pending(row), values: { ...row.values, [name]: value } }))
  }

  async #run(): Promise<void> {
    for (let row = this.#next(); row !== undefined; row = this.#next()) {
      const { key, values } = row
      try {
        await this.#parts.send(values)
        this.#settle(key, values, 'ok')
      } catch (error) {
        const status = this.#refusal(error)
        if (status === undefined) {
          this.stop()
          this.#parts.onInterrupted(error)
          return
        }
        this.#settle(key, values, status)
      }
      await new Promise((resolve) => {
        setTimeout(resolve, this.#parts.pauseMs)
      })
    }
    if (this.#state.status !== 'started') return
    this.#set({ status: 'done' })
    this.#parts.onDone(this.#state.rows.filter((row) => hasFailed(row)).length)
  }

  #next(): ImportRow | undefined {
    const { status, rows } = this.#state
    return status === 'started' ? rows.find((row) => row.status === 'pending') : undefined
  }

  /** Undefined where it is not the row that was refused. */
  #refusal(error: unknown): RowStatus | undefined {
    if (!(error instanceof ApiError) || error.status === 0 || error.status === 401) return undefined
    const errors = Object.entries(fieldErrorsOf(error.body))
    const lines = errors.map(([field, text]) => `${this.#parts.labelOf(field)}: ${text}`)
    // What is wrong inside a field is wrong with its cell.
    const fields = Object.fromEntries(errors.map(([field, text]) => [field.split('.', 1)[0], text]))
    return { lines: lines.length > 0 ? lines : [this.#parts.describe(error)], fields }
  }

  /** Unless the row was changed meanwhile. */
  #settle(key: number, sent: ImportValues, status: RowStatus): void {
    this.#setRow(key, (row) => (row.values === sent ? { ...row, status } : row))
  }

  #setRow(key: number, change: (row: ImportRow) => ImportRow): void {
    this.#set({ rows: this.#state.rows.map((row) => (row.key === key ? change(row) : row)) })
  }

  #set(change: Partial<TaskState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

const pending = (row: ImportRow): ImportRow => ({ ...row, status: 'pending' })
