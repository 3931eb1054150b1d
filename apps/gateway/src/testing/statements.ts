import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import type { Statement } from '@sallyport/contract/gateway/statement'
import { publicUser, type TestUser } from './people.ts'

/** What the test server says of visitors to the gateway, which knows its key. */
export class TestStatements {
  readonly gateway = randomUUID()
  readonly #keys = generateKeyPairSync('ed25519')

  get publicKey(): string {
    return this.#keys.publicKey.export({ type: 'spki', format: 'pem' })
  }

  /** Its word for a visitor. */
  of(
    user: TestUser,
    kind: Statement['kind'],
    target: string,
    { key = this.#keys.privateKey, ...changes }: Partial<Statement> & { key?: KeyObject } = {},
  ): string {
    const statement: Statement = {
      id: randomUUID(),
      gateway: this.gateway,
      expires: Math.floor(Date.now() / 1000) + 60,
      user: publicUser(user),
      kind,
      target,
      remote_addr: '127.0.0.9',
      language: 'en',
      ...changes,
    }
    const text = Buffer.from(JSON.stringify(statement)).toString('base64url')
    return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`
  }
}
