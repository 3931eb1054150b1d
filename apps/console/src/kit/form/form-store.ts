import type { FieldErrors } from '../api/errors.ts'
import type { FieldDescription } from './form-spec.ts'
import { type FormValues, valueAt, withValue } from './paths.ts'
import { sameValue } from './same-value.ts'

/** What a form holds at one moment. */
export interface FormState {
  /** The row as it was last read, or what a new one begins with. */
  readonly base: FormValues
  /** What the person changed, by field name; nothing else of the base is held on to. */
  readonly touched: FormValues
  /** The base with what was touched: what is seen. */
  readonly values: FormValues
  /** By field name; `name.index.column` inside a list of objects. */
  readonly errors: FieldErrors
  /** Touched fields that somebody else has changed meanwhile, with what they hold now. */
  readonly conflicts: FormValues
}

/**
 * The state of a form, without looks: touched fields over a base that may be replaced at any time. Whoever draws a
 * part of it subscribes to that part alone (`useFormState`). Its functions never change, so they can be handed down.
 */
export class FormStore {
  #state: FormState
  #fields: ReadonlyMap<string, FieldDescription>
  readonly #listeners = new Set<() => void>()

  constructor(base: FormValues, fields: readonly FieldDescription[] = []) {
    this.#state = { base, touched: {}, values: base, errors: {}, conflicts: {} }
    this.#fields = byName(fields)
  }

  get state(): FormState {
    return this.#state
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Whether something is typed that leaving would lose. */
  get isDirty(): boolean {
    return Object.keys(this.#state.touched).some((name) => this.#fields.has(name))
  }

  /** The fields as they are described now; they say how values are compared. */
  describe(fields: readonly FieldDescription[]): void {
    this.#fields = byName(fields)
  }

  /**
   * Puts what is touched over another base. Where `isNewRow`, a touched field whose value differs from the one it
   * was typed over is a conflict, unless somebody else typed the same; new defaults of the same row are none.
   */
  rebase(base: FormValues, isNewRow: boolean): void {
    const before = this.#state
    const touched: Record<string, unknown> = {}
    const conflicts: Record<string, unknown> = {}
    for (const [name, mine] of Object.entries(before.touched)) {
      const theirs = valueAt(base, name)
      if (this.#same(name, mine, theirs)) {
        continue
      }
      touched[name] = mine
      if (isNewRow && !this.#same(name, valueAt(before.base, name), theirs)) {
        conflicts[name] = theirs
      } else if (name in before.conflicts) {
        conflicts[name] = theirs
      }
    }
    this.#set({ base, touched, conflicts })
  }

  /** One field changed, with all that follows from it. A value that is what the base says is no longer touched. */
  readonly set = (name: string, value: unknown): void => {
    const { touched, errors, conflicts } = this.#state
    const changed = this.#touch(touched, name, value)
    const consequences = this.#fields.get(name)?.consequences?.(value, overlaid(this.#state.base, changed))
    let next = changed
    for (const [other, follows] of Object.entries(consequences ?? {})) {
      next = this.#touch(next, other, follows)
    }
    this.#set({
      touched: next,
      errors: errorsAfter(errors, name, valueAt(this.#state.values, name), value),
      conflicts: name in next ? conflicts : without(conflicts, name),
    })
  }

  /** Says what is wrong with one field; undefined: nothing. */
  setError(name: string, problem: string | undefined): void {
    const { errors } = this.#state
    if (errors[name] !== problem) {
      this.#set({ errors: problem ? { ...errors, [name]: problem } : without(errors, name) })
    }
  }

  setErrors(errors: FieldErrors): void {
    this.#set({ errors })
  }

  /** Of two values typed for one field, the person's own stays. */
  readonly keepMine = (name: string): void => this.#set({ conflicts: without(this.#state.conflicts, name) })

  /** Of two values typed for one field, the other person's stays. */
  readonly takeTheirs = (name: string): void => {
    const { touched, conflicts, errors } = this.#state
    this.#set({
      touched: without(touched, name),
      conflicts: without(conflicts, name),
      errors: without(errors, name),
    })
  }

  /** `sent` was saved and the row is now `base`: what was typed since stays touched, all else (secrets too) is let go. */
  settle(base: FormValues, sent: FormValues): void {
    const since = Object.entries(this.#state.touched).filter(([name, value]) => value !== sent[name])
    this.#set({ base, touched: Object.fromEntries(since), errors: {}, conflicts: {} })
  }

  /** Back to the base. */
  readonly reset = (): void => this.#set({ touched: {}, errors: {}, conflicts: {} })

  #same(name: string, a: unknown, b: unknown): boolean {
    return sameValue(this.#fields.get(name), a, b)
  }

  #touch(touched: FormValues, name: string, value: unknown): FormValues {
    // Undefined opens a field again for what the base has for it.
    const isUntouched = value === undefined || this.#same(name, value, valueAt(this.#state.base, name))
    return isUntouched ? without(touched, name) : { ...touched, [name]: value }
  }

  #set(change: Partial<FormState>): void {
    const next = { ...this.#state, ...change }
    this.#state = { ...next, values: overlaid(next.base, next.touched) }
    for (const listener of this.#listeners) {
      listener()
    }
  }
}

function byName(fields: readonly FieldDescription[]): ReadonlyMap<string, FieldDescription> {
  return new Map(fields.map((field) => [field.name, field]))
}

function overlaid(base: FormValues, touched: FormValues): FormValues {
  let values = base
  for (const [name, value] of Object.entries(touched)) {
    values = withValue(values, name, value)
  }
  return values
}

/** What is known to be wrong once a field is changed. In a list of objects errors stay with the rows that stay. */
function errorsAfter(errors: FieldErrors, name: string, before: unknown, after: unknown): FieldErrors {
  const rest: FieldErrors = {}
  for (const [at, problem] of Object.entries(errors)) {
    if (!at.startsWith(`${name}.`)) {
      if (at !== name) {
        rest[at] = problem
      }
      continue
    }
    const [index = '', ...column] = at.slice(name.length + 1).split('.')
    const row: unknown = Array.isArray(before) ? before[Number(index)] : undefined
    const place = Array.isArray(after) && row !== undefined ? after.indexOf(row) : -1
    if (place >= 0) {
      rest[[name, place, ...column].join('.')] = problem
    }
  }
  return rest
}

function without<T>(of: Readonly<Record<string, T>>, name: string): Record<string, T> {
  return Object.fromEntries(Object.entries(of).filter(([key]) => key !== name))
}
