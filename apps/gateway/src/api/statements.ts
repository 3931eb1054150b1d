import { createPublicKey, verify } from 'node:crypto'
import type { TerminalConfig } from '@sallyport/contract/gateway/registration'
import {
  statementMaxLength,
  statementSchema,
  statementSeconds,
  type Statement,
} from '@sallyport/contract/gateway/statement'

/** Takes the server's word for visitors: said to this gateway, of now, and once. */
export class Statements {
  readonly #settings: () => Pick<TerminalConfig, 'terminal_id' | 'statement_key'>
  /** When the ones already used may be forgotten, by id. */
  readonly #used = new Map<string, number>()

  constructor(settings: () => Pick<TerminalConfig, 'terminal_id' | 'statement_key'>) {
    this.#settings = settings
  }

  /** What is said, or undefined when it is nobody's, somebody else's, too old, or was used. */
  take(text: string | string[] | undefined): Statement | undefined {
    const { terminal_id, statement_key } = this.#settings()
    if (typeof text !== 'string' || text.length > statementMaxLength || statement_key === '') return undefined
    const [said = '', signature = ''] = text.split('.')
    const key = createPublicKey(statement_key)
    if (!verify(null, Buffer.from(said), key, Buffer.from(signature, 'base64url'))) return undefined
    const statement = statementSchema.parse(JSON.parse(Buffer.from(said, 'base64url').toString('utf8')))
    const now = Date.now() / 1000
    for (const [id, until] of this.#used) if (until < now) this.#used.delete(id)
    if (statement.gateway !== terminal_id || statement.expires < now || this.#used.has(statement.id))
      return undefined
    this.#used.set(statement.id, statement.expires + statementSeconds)
    return statement
  }
}
