import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { signedNames, signingText } from '@sallyport/contract/gateway/signature'
import { refuse, type Reply } from './recordings.ts'

/** The gateway as the test server knows it: its account, and the key it signs with. */
export class TestComponent {
  readonly bootstrapToken = randomBytes(12).toString('hex')
  readonly #account = randomUUID()
  #key: { id: string; secret: string } | undefined

  get profile(): Reply {
    return { status: 200, body: { id: this.#account, name: 'g', username: 'g' } }
  }

  register(headers: IncomingMessage['headers']): Reply {
    if (headers.authorization !== `BootstrapToken ${this.bootstrapToken}`) {
      return refuse(401, 'authentication_failed', 'Wrong token')
    }
    this.#key = { id: randomUUID(), secret: randomUUID() }
    return {
      status: 201,
      body: { name: 'g', type: 'koko', service_account: { id: 's', access_key: this.#key } },
    }
  }

  /** As when an administrator deletes the gateway's account. */
  forgetKey(): void {
    this.#key = undefined
  }

  hasSigned({ method = '', url: target = '', headers }: IncomingMessage): boolean {
    const match = /keyId="([^"]*)".*headers="([^"]*)".*signature="([^"]*)"/.exec(headers.authorization ?? '')
    if (!match || !this.#key || match[1] !== this.#key.id) return false
    // Another body, and another time, are other requests: a gateway says which body it means, and that it is sent once.
    if (match[2] !== signedNames.join(' ')) return false
    const text = signingText(signedNames, { method, target, headers })
    return (
      text !== undefined && createHmac('sha256', this.#key.secret).update(text).digest('base64') === match[3]
    )
  }
}
