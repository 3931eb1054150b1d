/** What the server says to gateways of visitors, signed with a key of its own (packages/contract/src/gateway/statement.ts). */
import { createPrivateKey, generateKeyPair, randomUUID, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { type Statement, statementSeconds } from '@sallyport/contract/gateway/statement'
import { sharedKey, type SharedKey } from '../../kernel/secrets/shared-keys.ts'
import type { TerminalServices } from './services.ts'

async function createPair(): Promise<SharedKey> {
  const pair = await promisify(generateKeyPair)('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return pair
}

export class Statements {
  readonly #services: Pick<TerminalServices, 'database' | 'secrets'>
  #pair: Promise<SharedKey> | undefined

  constructor(services: Pick<TerminalServices, 'database' | 'secrets'>) {
    this.#services = services
  }

  /** PEM of the key they are signed with; the same on all servers. */
  async publicKey(): Promise<string> {
    return (await this.#load()).publicKey
  }

  async say(said: Omit<Statement, 'id' | 'expires'>): Promise<string> {
    const { privateKey } = await this.#load()
    const statement: Statement = {
      ...said,
      id: randomUUID(),
      expires: Math.floor(Date.now() / 1000) + statementSeconds,
    }
    const text = Buffer.from(JSON.stringify(statement)).toString('base64url')
    return `${text}.${sign(null, Buffer.from(text), createPrivateKey(privateKey)).toString('base64url')}`
  }

  #load(): Promise<SharedKey> {
    const { database, secrets } = this.#services
    this.#pair ??= sharedKey(database.db, secrets, 'gateway_statements', createPair).catch(
      (error: unknown) => {
        this.#pair = undefined
        throw error
      },
    )
    return this.#pair
  }
}
