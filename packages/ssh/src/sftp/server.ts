import type { Duplex } from 'node:stream'
import { MalformedError, type SshError } from '../wire/errors.ts'
import { statusAnswer, writeAnswer, writeVersion, type SftpAnswer } from './answers.ts'
import { Budget } from './budget.ts'
import { SftpStatusError, statusErrorOf } from './errors.ts'
import { extensionNames, extensionVersions } from './extensions.ts'
import { maxPacketBytes } from './fields.ts'
import { sftpVersion } from './init.ts'
import { SftpPackets } from './packets.ts'
import { parseInit, parseRequest, type SftpRequest } from './requests.ts'
import { maxDataBytes, Tasks, type TasksOptions } from './tasks.ts'
import type { Turn } from './turn.ts'

/** OpenSSH's client asks for 64 at once. */
const maxRequests = 128
/** Of requests, and of data that was asked for. */
const maxBytes = 2 * 1024 * 1024

export interface ServeSftpOptions<Handle> extends TasksOptions<Handle> {
  /** Gets what a method of `files` threw that is no `SftpStatusError`. */
  onError?: (error: unknown) => void
}

/**
 * Serves files over a stream, which stays the caller's. Settles when the client has ended it, or it is gone, or the client did what it may
 * not, then with the error and the stream destroyed; by then everything that was asked is done, and every file closed. Never rejects.
 */
export async function serveSftp<Handle>(
  stream: Duplex,
  options: ServeSftpOptions<Handle>,
): Promise<SshError | undefined> {
  return await new SftpServer(stream, options).ended
}

class SftpServer<Handle> {
  readonly ended: Promise<SshError | undefined>
  readonly #options: ServeSftpOptions<Handle>
  readonly #packets: SftpPackets
  readonly #tasks: Tasks<Handle>
  readonly #budget = new Budget(maxRequests, maxBytes)
  readonly #settle: (error: SshError | undefined) => void
  #isBegun = false
  #end: { error: SshError | undefined } | undefined

  constructor(stream: Duplex, options: ServeSftpOptions<Handle>) {
    this.#options = options
    this.#tasks = new Tasks(options)
    const { promise, resolve } = Promise.withResolvers<SshError | undefined>()
    this.ended = promise
    this.#settle = resolve
    this.#packets = new SftpPackets(stream)
    this.#packets.onPacket = (payload) => this.#take(payload)
    this.#packets.onEnd = (error) => {
      this.#end = { error }
      if (!this.#budget.isUsed) void this.#finish(error)
    }
  }

  #take(payload: Buffer): void | Promise<void> {
    if (!this.#isBegun) {
      this.#begin(payload)
      return
    }
    const { id, request } = parseRequest(payload)
    const bytes = payload.length + (request?.kind === 'read' ? Math.min(request.length, maxDataBytes) : 0)
    const { promise, resolve } = Promise.withResolvers<void>()
    const isStarted = this.#budget.take(bytes, () => {
      this.#start(id, request, bytes)
      resolve()
    })
    return isStarted ? undefined : promise
  }

  #begin(payload: Buffer): void {
    const { version } = parseInit(payload)
    if (version < sftpVersion) throw new MalformedError('The peer speaks an old version only')
    this.#isBegun = true
    const extensions = new Map(
      this.#options.extensions.map((name) => [extensionNames[name], Buffer.from(extensionVersions[name])]),
    )
    this.#packets.send(writeVersion({ version: sftpVersion, extensions }), () => {})
  }

  #start(id: number, request: SftpRequest | undefined, bytes: number): void {
    const answer = (answer: SftpAnswer) =>
      this.#packets.send(this.#written(id, answer), () => {
        this.#budget.give(bytes)
        if (this.#end && !this.#budget.isUsed) void this.#finish(this.#end.error)
      })
    try {
      if (!request) throw new SftpStatusError('badMessage')
      const turn = this.#tasks.turnOf(request)
      turn.take((leave) => void this.#run(turn, answer, leave))
    } catch (error) {
      answer(this.#failed(error))
    }
  }

  async #run(turn: Turn, answer: (answer: SftpAnswer) => void, leave: () => void): Promise<void> {
    let result: SftpAnswer
    try {
      result = await turn.run()
    } catch (error) {
      result = this.#failed(error)
    }
    answer(result)
    leave()
  }

  #written(id: number, answer: SftpAnswer): Buffer {
    const packet = writeAnswer(id, answer)
    if (packet.length <= maxPacketBytes) return packet
    return writeAnswer(id, this.#failed(new Error('The answer is larger than a packet')))
  }

  #failed(error: unknown): SftpAnswer {
    const failure = statusErrorOf(error)
    if (failure !== error) this.#options.onError?.(error)
    return statusAnswer(failure.status, failure.message)
  }

  async #finish(error: SshError | undefined): Promise<void> {
    await this.#tasks.closeAll((failure) => this.#options.onError?.(failure))
    this.#settle(error)
  }
}
