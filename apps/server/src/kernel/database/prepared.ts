import { createHash } from 'node:crypto'
import { Client } from 'pg'
import { codeOf } from '../failure.ts'

/** Each connection keeps a plan for each name, some 30 KiB in PostgreSQL. */
const maxNames = 256
const maxTextLength = 16_384
/** What was asked so often is asked again. */
const oftenEnough = 8

/**
 * Which statements PostgreSQL parses and plans once for each connection, and not each time, which costs it more than carrying them out:
 * those asked often, at most 256 of them.
 */
class StatementNames {
  readonly #asked = new Map<string, number>()
  readonly #names = new Map<string, string>()
  #generation = 0

  /** The name to prepare it under; undefined for what is not asked often. */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= maxNames || text.length > maxTextLength) return known
    const times = (this.#asked.get(text) ?? 0) + 1
    if (this.#asked.size >= maxNames * 8) this.#asked.clear()
    this.#asked.set(text, times)
    if (times < oftenEnough) return undefined
    const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22)
    const name = `s${this.#generation}_${digest}`
    this.#asked.delete(text)
    this.#names.set(text, name)
    return name
  }

  /** Names are given anew, since what they stand for no longer fits the tables. */
  renew(): void {
    this.#generation++
    this.#names.clear()
  }
}

const statements = new StatementNames()

type Callback = (error: unknown, result: unknown) => void
type Query = (config: unknown, ...rest: unknown[]) => Promise<unknown> | void

// The type of `query` has eleven overloads, which a subclass would have to repeat.
const { query: send } = Client.prototype as unknown as {
  query: (this: Client, ...config: unknown[]) => ReturnType<Query>
}

/** A connection that has what is asked often prepared. */
export class PreparingClient extends Client {
  override query = ((config, ...rest) => {
    const name = isText(config) ? statements.nameOf(config.text) : undefined
    if (name === undefined || !isText(config)) return send.call(this, config, ...rest)
    const callback = rest.at(-1)
    const named = { ...config, name }
    if (!isCallback(callback)) {
      return (send.call(this, named, ...rest) as Promise<unknown>).catch((error: unknown) => {
        renewAfter(error)
        throw error
      })
    }
    return send.call(this, named, ...rest.slice(0, -1), (error: unknown, result: unknown) => {
      renewAfter(error)
      callback(error, result)
    })
  }) as Query as typeof Client.prototype.query
}

/** A column was added or changed by a newer server while this one runs: "cached plan must not change result type". */
function renewAfter(error: unknown): void {
  if (error !== null && error !== undefined && codeOf(error) === '0A000') statements.renew()
}

const isCallback = (value: unknown): value is Callback => typeof value === 'function'

const isText = (config: unknown): config is { text: string } =>
  typeof config === 'object' &&
  config !== null &&
  'text' in config &&
  typeof config.text === 'string' &&
  !('submit' in config) &&
  !('name' in config && config.name !== undefined)
