import type { Duplex } from 'node:stream'
import { MalformedError, SshError, TimeoutError } from '../wire/errors.ts'
import { parseAnswer, parseVersion, type SftpAnswer } from './answers.ts'
import { Budget } from './budget.ts'
import { sftpVersion } from './init.ts'
import { SftpPackets } from './packets.ts'
import { writeInitRequest, writeRequest, type SftpRequest } from './requests.ts'

/** As OpenSSH's client; more are not waited for at once. */
const maxRequests = 64
/** Of requests, and of data that was asked for. */
const maxBytes = 2 * 1024 * 1024

interface Pending {
  settle(answer: SftpAnswer): void
  reject(error: SshError): void
  askedAt: number
  /** When the stream had room for it. */
  takenAt: number | undefined
}

/** Requests on a stream, and their answers by id. */
export class SftpRequester {
  /** Settles once, with what went wrong where something did; never rejects. */
  readonly closed: Promise<SshError | undefined>
  readonly #stream: Duplex
  readonly #packets: SftpPackets
  readonly #replyMs: number
  readonly #pending = new Map<number, Pending>()
  readonly #budget = new Budget(maxRequests, maxBytes)
  #nextId = 0
  #begun: ((extensions: Map<string, Buffer>) => void) | undefined
  #end: { error: SshError } | undefined
  #timer: NodeJS.Timeout | undefined
  /** When the stream last took something. */
  #movedAt = 0

  constructor(stream: Duplex, replyMs: number) {
    this.#stream = stream
    this.#replyMs = replyMs
    this.#packets = new SftpPackets(stream)
    const { promise, resolve } = Promise.withResolvers<SshError | undefined>()
    this.closed = promise
    this.#packets.onPacket = (payload) => this.#take(payload)
    this.#packets.onEnd = (error) => {
      clearTimeout(this.#timer)
      this.#end = { error: error ?? new SshError('connectionLost', 'The peer serves no files any more') }
      for (const pending of this.#pending.values()) pending.reject(this.#end.error)
      this.#pending.clear()
      resolve(error)
    }
  }

  /** Says hello; what the peer has beyond the standard. To be called first, once. */
  async begin(): Promise<Map<string, Buffer>> {
    const { promise, resolve, reject } = Promise.withResolvers<Map<string, Buffer>>()
    this.#begun = resolve
    const timer = setTimeout(() => this.fail(new TimeoutError('The peer does not begin')), this.#replyMs)
    void this.closed.then((error) => reject(error ?? this.#end?.error))
    this.#packets.send(writeInitRequest({ version: sftpVersion, extensions: new Map() }), () => {})
    try {
      return await promise
    } finally {
      clearTimeout(timer)
    }
  }

  /** Rejects with the `SshError` that ended everything. `answerBytes`: of data that is asked for. */
  async ask(request: SftpRequest, answerBytes = 0): Promise<SftpAnswer> {
    const bytes = answerBytes + (request.kind === 'write' ? request.data.length : 0)
    const { promise, resolve } = Promise.withResolvers<SftpAnswer>()
    this.#budget.take(bytes, () => resolve(this.#send(request)))
    try {
      return await promise
    } finally {
      this.#budget.give(bytes)
    }
  }

  /** No more is asked; what was asked is answered still. */
  finish(): void {
    this.#stream.end()
  }

  fail(error: SshError): void {
    this.#packets.fail(error)
  }

  async #send(request: SftpRequest): Promise<SftpAnswer> {
    if (this.#end) throw this.#end.error
    while (this.#pending.has(this.#nextId)) this.#nextId = (this.#nextId + 1) >>> 0
    const id = this.#nextId
    this.#nextId = (id + 1) >>> 0
    const { promise, resolve, reject } = Promise.withResolvers<SftpAnswer>()
    const pending: Pending = { settle: resolve, reject, askedAt: performance.now(), takenAt: undefined }
    this.#pending.set(id, pending)
    this.#packets.send(writeRequest(id, request), () => {
      this.#movedAt = performance.now()
      pending.takenAt = this.#movedAt
    })
    this.#timer ??= this.#watch(this.#replyMs)
    return await promise
  }

  #take(payload: Buffer): void {
    if (this.#begun) {
      const { version, extensions } = parseVersion(payload)
      if (version !== sftpVersion) throw new MalformedError('The peer speaks another version')
      this.#begun(extensions)
      this.#begun = undefined
      return
    }
    const { id, answer } = parseAnswer(payload)
    const pending = this.#pending.get(id)
    if (!pending) throw new MalformedError('An answer to what was not asked')
    this.#pending.delete(id)
    pending.settle(answer)
  }

  /** One timer for all: the oldest is the first in the map. What waits for the stream has time as long as that moves. */
  #watch(afterMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timer = undefined
      const [oldest] = this.#pending.values()
      if (!oldest) return
      const since = oldest.takenAt ?? Math.max(oldest.askedAt, this.#movedAt)
      const left = since + this.#replyMs - performance.now()
      if (left <= 0) this.fail(new TimeoutError('The peer does not answer'))
      else this.#timer = this.#watch(left)
    }, afterMs)
  }
}
