/** What an agent is asked for: its keys and signatures (draft-ietf-sshm-ssh-agent, OpenSSH's PROTOCOL.agent). */
import type { Duplex } from 'node:stream'
import { Reader } from '../wire/reader.ts'
import { Writer } from '../wire/writer.ts'
import { isCertificateName, plainName } from './certificate-names.ts'
import { KeyError, readingKey } from './key.ts'
import type { KeyOptions, PrivateKey, PublicKey } from './key.ts'
import { parsePublicKey } from './public-key.ts'

const message = { requestIdentities: 11, identitiesAnswer: 12, signRequest: 13, signResponse: 14 } as const
/** As OpenSSH's. */
const maxMessageBytes = 262_144
const maxKeys = 1024
const maxBlobBytes = 65_536
/** ssh-rsa means SHA-1 unless another hash is asked for. */
const flags: Readonly<Record<string, number>> = { 'rsa-sha2-256': 2, 'rsa-sha2-512': 4 }

export interface AgentOptions extends KeyOptions {
  /** For each answer; a key may wait for its owner to confirm or to touch it. */
  timeoutMs: number
}

export interface AgentKey extends PrivateKey {
  readonly comment: string
}

interface Question {
  resolve: (answer: Reader) => void
  reject: (error: KeyError) => void
  timer: NodeJS.Timeout
}

/**
 * An agent on the other side of a stream, which is asked one question after the other. What is wrong with it ends the stream, and rejects
 * this and all further questions with `KeyError`.
 */
export class Agent {
  readonly #stream: Duplex
  readonly #options: AgentOptions
  #last: Promise<unknown> = Promise.resolve()
  #question: Question | undefined
  #chunks: Buffer[] = []
  #bytes = 0
  /** Of the answer that arrives, once that is known. */
  #length: number | undefined
  #broken: KeyError | undefined

  constructor(stream: Duplex, options: AgentOptions) {
    this.#stream = stream
    this.#options = options
    stream.on('data', (chunk: Buffer) => this.#take(chunk))
    stream.on('error', () => this.#break('The agent is gone'))
    stream.on('end', () => this.#break('The agent is gone'))
    stream.on('close', () => this.#break('The agent is gone'))
  }

  /** Its keys and certificates, but those of types we do not know or do not take. */
  async keys(): Promise<AgentKey[]> {
    const answer = await this.#ask(new Writer().byte(message.requestIdentities), message.identitiesAnswer)
    return readingKey(() => {
      const count = answer.uint32()
      if (count > maxKeys) throw new KeyError('unavailable', 'The agent has too many keys')
      const keys: AgentKey[] = []
      for (let read = 0; read < count; read++) {
        const publicKey = this.#parse(answer.string(maxBlobBytes))
        const comment = answer.string(maxBlobBytes).toString('utf8', 0, 1024)
        if (publicKey)
          keys.push({ publicKey, comment, sign: (algorithm, data) => this.#sign(publicKey, algorithm, data) })
      }
      answer.end()
      return keys
    })
  }

  #parse(blob: Buffer): PublicKey | undefined {
    try {
      return parsePublicKey(blob, this.#options)
    } catch {
      return undefined
    }
  }

  async #sign({ blob, algorithms }: PublicKey, algorithm: string, data: Buffer): Promise<Buffer> {
    if (!algorithms.includes(algorithm))
      throw new KeyError('unsupported', 'The key does not sign with this algorithm')
    const plain = isCertificateName(algorithm) ? plainName(algorithm) : algorithm
    const question = new Writer(data.length + blob.length + 16)
      .byte(message.signRequest)
      .string(blob)
      .string(data)
      .uint32(flags[plain] ?? 0)
    const answer = await this.#ask(question, message.signResponse)
    return readingKey(() => {
      const signature = answer.string(maxBlobBytes)
      answer.end()
      // Old agents do not know the flags, and sign with SHA-1.
      if (new Reader(signature).name() !== plain)
        throw new KeyError('unsupported', 'The agent signed with another algorithm')
      return signature
    })
  }

  #ask(question: Writer, answerType: number): Promise<Reader> {
    const asked = this.#last.then(async () => {
      const answer = await this.#exchange(question.finish())
      if (readingKey(() => answer.byte()) !== answerType)
        throw new KeyError('unavailable', 'The agent refuses')
      return answer
    })
    this.#last = asked.catch(() => {})
    return asked
  }

  #exchange(question: Buffer): Promise<Reader> {
    return new Promise((resolve, reject) => {
      if (this.#broken) return reject(this.#broken)
      const timer = setTimeout(() => this.#break('The agent does not answer'), this.#options.timeoutMs)
      this.#question = { resolve, reject, timer }
      this.#stream.write(new Writer(question.length + 4).string(question).finish())
    })
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (!this.#question) return this.#break('The agent speaks without being asked')
    if (this.#bytes < 4) return
    this.#length ??= Buffer.concat(this.#chunks).readUInt32BE()
    if (this.#length > maxMessageBytes || this.#bytes > 4 + this.#length)
      return this.#break('The agent says too much')
    if (this.#bytes < 4 + this.#length) return
    const { resolve, timer } = this.#question
    clearTimeout(timer)
    this.#question = undefined
    const answer = new Reader(Buffer.concat(this.#chunks), 4)
    this.#chunks = []
    this.#bytes = 0
    this.#length = undefined
    resolve(answer)
  }

  #break(why: string): void {
    if (this.#broken) return
    this.#broken = new KeyError('unavailable', why)
    this.#stream.destroy()
    if (!this.#question) return
    clearTimeout(this.#question.timer)
    this.#question.reject(this.#broken)
    this.#question = undefined
  }
}
