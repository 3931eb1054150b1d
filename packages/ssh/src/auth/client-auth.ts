import type { PrivateKey } from '../keys/key.ts'
import { MalformedError, SshError } from '../wire/errors.ts'
import { message } from '../wire/messages.ts'
import type { PacketStream } from '../wire/packet-stream.ts'
import { printable } from '../wire/printable.ts'
import { Reader } from '../wire/reader.ts'
import { Writer } from '../wire/writer.ts'
import type { Questions } from './interview.ts'
import {
  connectionService,
  hostboundExtension,
  publicKeyRequest,
  signatureAlgorithmsExtension,
  signedClaim,
} from './publickey.ts'

/** What a client can prove who it is with. */
export type AuthMethod =
  | { method: 'publickey'; key: PrivateKey }
  | { method: 'password'; password: string }
  /**
   * Answers the server's questions, as often as it asks. What it throws is what the login fails with. `isSecond`: only where the server
   * took something before, which is not enough for it.
   */
  | {
      method: 'keyboard-interactive'
      answer: (questions: Questions) => Promise<string[]>
      isSecond?: boolean
    }

/** The server takes nothing of what there is. */
export class AuthError extends SshError {
  override readonly name = 'AuthError'
  /** What the server would go on with. */
  readonly methods: readonly string[]

  constructor(methods: readonly string[]) {
    super('noMoreMethods', 'The server took none of the ways to log in')
    this.methods = methods
  }
}

export interface ClientAuthOptions {
  username: string
  /** In this order, each once, as far as the server takes it. Whether any is needed at all is asked first. */
  methods: readonly AuthMethod[]
  /** What the server says before the login, printable but for its lines. */
  onBanner?: (text: string) => void
}

const maxBanners = 100
const maxBannerChars = 16_384
const maxRounds = 32
const maxQuestions = 32
const maxQuestionChars = 4096
/** Messages that come while the person answers. */
const maxAhead = 8

/** The client's side of user authentication (RFC 4252). */
export class ClientAuth {
  /** The server said that it is done; from then on nothing comes here. */
  isDone = false
  readonly #packets: PacketStream
  readonly #options: ClientAuthOptions
  readonly #ahead: Buffer[] = []
  #waiting: PromiseWithResolvers<Buffer> | undefined
  #lost: SshError | undefined
  #banners = 0
  /** As the server last said. */
  #canContinue: readonly string[] = []

  constructor(packets: PacketStream, options: ClientAuthOptions) {
    this.#packets = packets
    this.#options = options
    void this.#whenClosed()
  }

  /** The acceptance of a service (6), and everything from 50 to 79. Throws an `SshError` for what may not come now. */
  take(payload: Buffer): void {
    if (payload[0] === message.userauthBanner) {
      this.#onBanner(new Reader(payload, 1))
      return
    }
    const waiting = this.#waiting
    this.#waiting = undefined
    if (payload[0] === message.userauthSuccess) {
      if (!waiting) throw outOfTurn()
      this.isDone = true
    }
    if (waiting) waiting.resolve(payload)
    else if (this.#ahead.push(payload) > maxAhead) {
      throw new SshError('protocolError', 'The server answers what nobody asked')
    }
  }

  /** Resolves when the server took it all; rejects with an `AuthError`, with what ended the connection, or with what an answer threw. */
  async run(): Promise<void> {
    const { username, methods } = this.#options
    this.#packets.send(new Writer().byte(message.serviceRequest).string('ssh-userauth').finish())
    const accepted = await this.#next()
    if (accepted[0] !== message.serviceAccept) throw outOfTurn()
    const pending = [...methods]
    this.#request('none')
    let outcome = await this.#outcome()
    let isPartial = false
    while (outcome !== 'success') {
      const { canContinue } = outcome
      isPartial ||= outcome.isPartial
      const index = pending.findIndex(
        (one) => canContinue.includes(one.method) && (isPartial || !('isSecond' in one && one.isSecond)),
      )
      const [method] = index < 0 ? [] : pending.splice(index, 1)
      if (!method) throw new AuthError(canContinue)
      const isOneOfSeveral = pending.some((other) => other.method === 'publickey')
      if (method.method === 'password') outcome = await this.#password(method.password)
      else if (method.method === 'publickey')
        outcome = await this.#publicKey(username, method.key, isOneOfSeveral)
      else outcome = await this.#keyboardInteractive(method.answer)
    }
  }

  async #password(password: string): Promise<Outcome> {
    this.#request('password', (body) => body.boolean(false).string(password))
    const reply = await this.#next()
    // It wants a new one, and there is nobody to think one out.
    if (reply[0] === message.userauthPasswdChangereq)
      return { canContinue: this.#canContinue, isPartial: false }
    return readOutcome(reply)
  }

  /** One key is proven at once; each of several is shown first, so that only the right one has to sign. */
  async #publicKey(username: string, key: PrivateKey, isOneOfSeveral: boolean): Promise<Outcome> {
    const { peer, hostKey, sessionId } = this.#packets
    const { blob, algorithms } = key.publicKey
    const isHostbound = peer.extensions.get(hostboundExtension)?.toString() === '0'
    const taken = peer.extensions.get(signatureAlgorithmsExtension)
    let algorithm = chooseAlgorithm(algorithms, taken)
    let claim = { username, algorithm, blob, hostKey: isHostbound ? hostKey : undefined }
    // Servers from before RFC 8308 do not tell what they take, and may be from before RFC 8332 too: those are offered SHA-1, where the key may do so.
    const isOldPossible = !taken && algorithms.includes(oldRsa)
    if (isOneOfSeveral || isOldPossible) {
      this.#packets.send(publicKeyRequest(claim, false))
      let reply = await this.#next()
      if (reply[0] !== message.userauthPkOk && isOldPossible) {
        algorithm = oldRsa
        claim = { ...claim, algorithm }
        this.#packets.send(publicKeyRequest(claim, false))
        reply = await this.#next()
      }
      if (reply[0] !== message.userauthPkOk) return readOutcome(reply)
    }
    const signature = await key.sign(algorithm, signedClaim(sessionId, claim))
    this.#packets.send(new Writer(1024).bytes(publicKeyRequest(claim, true)).string(signature).finish())
    return await this.#outcome()
  }

  async #keyboardInteractive(answer: (questions: Questions) => Promise<string[]>): Promise<Outcome> {
    this.#request('keyboard-interactive', (body) => body.string('').string(''))
    for (let round = 0; round < maxRounds; round++) {
      const reply = await this.#next()
      if (reply[0] !== message.userauthInfoRequest) return readOutcome(reply)
      const asked = readQuestions(new Reader(reply, 1))
      const answers = asked.questions.length > 0 ? await answer(asked) : []
      const body = new Writer().byte(message.userauthInfoResponse).uint32(answers.length)
      for (const one of answers) body.string(one)
      this.#packets.send(body.finish())
    }
    throw new SshError('protocolError', 'The server asks without end')
  }

  #request(method: string, write?: (body: Writer) => void): void {
    const body = new Writer().byte(message.userauthRequest).string(this.#options.username)
    body.string(connectionService).string(method)
    write?.(body)
    this.#packets.send(body.finish())
  }

  async #outcome(): Promise<Outcome> {
    const outcome = readOutcome(await this.#next())
    if (outcome !== 'success') this.#canContinue = outcome.canContinue
    return outcome
  }

  async #whenClosed(): Promise<void> {
    const error = await this.#packets.closed
    this.#lost = error ?? new SshError('connectionLost', 'The server closed the connection')
    this.#waiting?.reject(this.#lost)
  }

  async #next(): Promise<Buffer> {
    const ahead = this.#ahead.shift()
    if (ahead) return ahead
    if (this.#lost) throw this.#lost
    this.#waiting = Promise.withResolvers<Buffer>()
    return await this.#waiting.promise
  }

  #onBanner(body: Reader): void {
    const text = printable(body.string(body.left), maxBannerChars)
    if (++this.#banners > maxBanners) throw new SshError('protocolError', 'There are too many banners')
    this.#options.onBanner?.(text)
  }
}

type Outcome = 'success' | { canContinue: readonly string[]; isPartial: boolean }

function readOutcome(payload: Buffer): Outcome {
  if (payload[0] === message.userauthSuccess) return 'success'
  if (payload[0] !== message.userauthFailure) throw outOfTurn()
  const body = new Reader(payload, 1)
  return { canContinue: body.nameList(), isPartial: body.boolean() }
}

function readQuestions(body: Reader): Questions {
  const text = () => printable(body.string(body.left), maxQuestionChars)
  const name = text()
  const instruction = text()
  body.string(body.left)
  const count = body.uint32()
  if (count > maxQuestions) throw new MalformedError('There are too many questions')
  const questions = Array.from({ length: count }, () => ({ prompt: text(), echo: body.boolean() }))
  return { name, instruction, questions }
}

const oldRsa = 'ssh-rsa'

/** The best of the key's that the server takes; certificates are signed with their key's (OpenSSH's PROTOCOL.certkeys). */
function chooseAlgorithm(algorithms: readonly string[], taken: Buffer | undefined): string {
  const names = taken?.toString('latin1').split(',') ?? []
  const isTaken = (name: string) =>
    names.includes(name) ||
    names.includes(name.replace('-cert-v01@openssh.com', '')) ||
    names.includes(name.replace('-cert-v01@', '@'))
  return algorithms.find(isTaken) ?? algorithms[0] ?? ''
}

function outOfTurn(): SshError {
  return new SshError('protocolError', 'The server says what it was not asked')
}
