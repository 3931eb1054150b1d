import type { PublicKey } from '../keys/key.ts'
import { parsePublicKey } from '../keys/public-key.ts'
import { SshError } from '../wire/errors.ts'
import { message } from '../wire/messages.ts'
import type { PacketStream } from '../wire/packet-stream.ts'
import { Reader } from '../wire/reader.ts'
import { Writer } from '../wire/writer.ts'
import { Interview, type Ask } from './interview.ts'
import { connectionService, hostboundMethod, signedClaim } from './publickey.ts'

export type MethodName = 'publickey' | 'password' | 'keyboard-interactive'

/** What a client shows to prove who it is. */
type Shown = { username: string } & (
  | { method: 'none' }
  /** `isProven`: by its signature, which has been verified; otherwise the client asks whether this key would do. */
  | { method: 'publickey'; key: PublicKey; isProven: boolean }
  | { method: 'password'; password: string }
  | { method: 'keyboard-interactive'; ask: Ask }
)
/** `failures`: so many were wrong before. */
export type AuthRequest = Shown & { failures: number }

/**
 * `partial`: right, but not all there is to prove. `refused`: no, and not to be counted, as for one of the many keys of an agent. `wrong`
 * counts.
 */
export type Verdict = 'accepted' | Refusal
export type Refusal = 'partial' | 'refused' | 'wrong'

export interface ServerAuthOptions {
  /** Signature algorithms of clients' keys that are taken. */
  keyAlgorithms: readonly string[]
  /** Methods that can go on after this verdict, told to the client. */
  methods: (verdict: Refusal) => readonly MethodName[]
  /** One after the other. What it throws ends the connection. */
  authenticate: (request: AuthRequest) => Promise<Verdict>
  /** So many that are wrong end the connection. */
  maxFailures: number
  /** The client has just been told that it is in. */
  onSuccess?: (username: string) => void
}

/** Requests of one client, wrong or not. */
const maxRequests = 100
const maxUsernameBytes = 1024
const maxPasswordBytes = 4096
const maxBannerChars = 16_384

/** The server's side of user authentication (RFC 4252). */
export class ServerAuth {
  isDone = false
  readonly #packets: PacketStream
  readonly #options: ServerAuthOptions
  /** Until the client asked for this service no banner may be sent. */
  #banners: string[] | undefined = []
  #username: string | undefined
  #requests = 0
  #failures = 0
  #busy: Promise<void> | undefined
  #interview: Interview | undefined
  /** The connection is gone: what is still being judged comes to nothing. */
  #isOver = false

  constructor(packets: PacketStream, options: ServerAuthOptions) {
    this.#packets = packets
    this.#options = options
    void packets.closed.then(() => (this.#isOver = true))
  }

  /** A text for the person (RFC 4252, 5.4); lines end with `\n`. Nothing once the login is done. */
  banner(text: string): void {
    if (this.isDone) return
    if (this.#banners) this.#banners.push(text)
    else this.#sendBanner(text)
  }

  /** A service (5), and everything from 50 to 79. Throws an `SshError` for what may not come now. */
  take(payload: Buffer): void | Promise<void> {
    const number = payload[0] ?? 0
    if (number === message.serviceRequest) {
      this.#onService(new Reader(payload, 1))
      return
    }
    if (number === message.userauthInfoResponse && this.#interview?.isAsking) {
      this.#interview.answer(new Reader(payload, 1))
      return
    }
    if (number !== message.userauthRequest || this.#banners) {
      throw new SshError('protocolError', 'A message came when it was not its turn')
    }
    // A client may ask anew, whatever came of its questions (RFC 4256, 3.1), and may send several requests at once.
    this.#interview?.abandon()
    if (this.#busy) return this.#busy.then(() => this.take(payload))
    this.#onRequest(payload)
  }

  /** Some clients, paramiko among them, ask before each attempt; OpenSSH accepts it, too. */
  #onService(body: Reader): void {
    const service = body.name()
    body.end()
    if (service !== 'ssh-userauth' || this.isDone) {
      throw new SshError('serviceNotAvailable', 'No such service is offered now')
    }
    this.#count()
    this.#packets.send(new Writer(32).byte(message.serviceAccept).string(service).finish())
    const waiting = this.#banners ?? []
    this.#banners = undefined
    for (const text of waiting) this.#sendBanner(text)
  }

  #count(): void {
    if (++this.#requests > maxRequests) throw new SshError('noMoreMethods', 'There were too many attempts')
  }

  #onRequest(payload: Buffer): void {
    // What comes behind the success is not looked at (RFC 4252, 5.1).
    if (this.isDone || this.#isOver) return
    const body = new Reader(payload, 1)
    const username = body.text(maxUsernameBytes)
    const service = body.name()
    const method = body.name()
    if (service !== connectionService) {
      throw new SshError('serviceNotAvailable', 'No such service is offered')
    }
    this.#username ??= username
    if (username !== this.#username) {
      throw new SshError('protocolError', 'The user name must stay the same on one connection')
    }
    this.#count()
    const run = async () => {
      try {
        await this.#attempt(username, method, body)
      } catch (error) {
        this.#packets.destroy(asSshError(error))
      } finally {
        this.#busy = undefined
      }
    }
    this.#busy = run()
  }

  async #attempt(username: string, method: string, body: Reader): Promise<void> {
    switch (method) {
      case 'none':
        body.end()
        this.#conclude(await this.#authenticate({ username, method }))
        break
      case 'password':
        this.#conclude(await this.#password(username, body))
        break
      case 'publickey':
      case hostboundMethod:
        await this.#publicKey(username, body, method === hostboundMethod)
        break
      case 'keyboard-interactive':
        await this.#keyboardInteractive(username, body)
        break
      default:
        this.#conclude('refused')
    }
  }

  async #password(username: string, body: Reader): Promise<Verdict> {
    const isChange = body.boolean()
    const bytes = body.string(body.left)
    const password = bytes.toString('utf8')
    // What is no text, or longer than any, is nobody's password.
    const isText = bytes.length <= maxPasswordBytes && Buffer.from(password).equals(bytes)
    if (isChange || !isText) return 'wrong'
    body.end()
    return await this.#authenticate({ username, method: 'password', password })
  }

  async #publicKey(username: string, body: Reader, isHostbound: boolean): Promise<void> {
    const isSigned = body.boolean()
    const algorithm = body.name()
    const blob = body.string(body.left)
    const hostKey = isHostbound ? body.string(body.left) : undefined
    const signature = isSigned ? body.string(body.left) : undefined
    body.end()
    const key = this.#usableKey(blob, algorithm)
    if (!key) {
      this.#conclude('refused')
      return
    }
    if (hostKey && !hostKey.equals(this.#packets.hostKey)) {
      this.#conclude('wrong')
      return
    }
    if (signature) {
      const claim = signedClaim(this.#packets.sessionId, { username, algorithm, blob, hostKey })
      const isProven = key.verify(algorithm, claim, signature)
      const request = { username, method: 'publickey', key, isProven } as const
      this.#conclude(isProven ? await this.#authenticate(request) : 'wrong')
      return
    }
    const verdict = await this.#authenticate({ username, method: 'publickey', key, isProven: false })
    if (verdict !== 'accepted') this.#conclude('refused')
    else this.#packets.send(new Writer().byte(message.userauthPkOk).string(algorithm).string(blob).finish())
  }

  #usableKey(blob: Buffer, algorithm: string): PublicKey | undefined {
    if (!this.#options.keyAlgorithms.includes(algorithm)) return undefined
    try {
      const key = parsePublicKey(blob)
      return key.algorithms.includes(algorithm) ? key : undefined
    } catch (error) {
      if (error instanceof SshError) return undefined
      throw error
    }
  }

  async #keyboardInteractive(username: string, body: Reader): Promise<void> {
    body.string(body.left)
    body.string(body.left)
    const interview = new Interview(this.#packets)
    this.#interview = interview
    const method = 'keyboard-interactive'
    try {
      this.#conclude(await this.#authenticate({ username, method, ask: interview.ask }))
    } catch (error) {
      // An abandoned one is answered by nothing, one that was answered wrongly by a refusal.
      if (interview.state === 'spoilt') this.#conclude('wrong')
      else if (interview.state !== 'abandoned') throw error
    } finally {
      this.#interview = undefined
    }
  }

  async #authenticate(request: Shown): Promise<Verdict> {
    return await this.#options.authenticate({ ...request, failures: this.#failures })
  }

  #conclude(verdict: Verdict): void {
    if (this.#isOver || this.#interview?.state === 'abandoned') return
    if (verdict === 'accepted') {
      this.isDone = true
      this.#packets.send(Buffer.from([message.userauthSuccess]))
      this.#options.onSuccess?.(this.#username ?? '')
      return
    }
    if (verdict === 'wrong' && ++this.#failures >= this.#options.maxFailures) {
      this.#packets.disconnect('noMoreMethods', 'Too many attempts failed')
      return
    }
    const failure = new Writer().byte(message.userauthFailure).nameList(this.#options.methods(verdict))
    this.#packets.send(failure.boolean(verdict === 'partial').finish())
  }

  #sendBanner(text: string): void {
    const shown = text.slice(0, maxBannerChars).replace(/\r?\n/g, '\r\n')
    this.#packets.send(new Writer().byte(message.userauthBanner).string(shown).string('').finish())
  }
}

function asSshError(error: unknown): SshError {
  if (error instanceof SshError) return error
  return new SshError('byApplication', 'The login failed here', { cause: error })
}
