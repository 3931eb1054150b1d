import { type Channel, type Client, fingerprintOf } from '@sallyport/ssh'
import type { TargetError } from '../ssh/errors.ts'

export interface HopOptions {
  /** The id of the gateway. */
  gateway: string
  /** Signs in. */
  connect: (signal: AbortSignal) => Promise<Client>
  /** What those are told whose way broke. */
  lost: (cause: Error | undefined) => TargetError
  /** What those are told whose way is not used any more, as that host key was refused. */
  refused: (fingerprint: string) => Error
  /** Whether the gateway may show the host key now that it has shown. */
  mayShow: (hostKey: Buffer) => Promise<boolean>
  /** Nothing more is opened on it. */
  onGone: () => void
  maxChannels: number
  /** So long it is kept when nobody uses it. */
  idleMs: number
}

/** A connection to a gateway of a zone. Sessions of any number of people go through it, each on a channel of its own. */
export class Hop {
  readonly #options: HopOptions
  readonly #abort = new AbortController()
  readonly #connecting: Promise<Client>
  readonly #channels = new Set<Channel>()
  /** Channels that are open or being opened, and those who wait until they can be. */
  #uses = 0
  #idle: NodeJS.Timeout | undefined
  #isGone = false
  /** Nobody else is led on. */
  #isRetired = false

  constructor(options: HopOptions) {
    this.#options = options
    this.#connecting = options.connect(this.#abort.signal)
    this.#follow().catch(() => this.#leave())
  }

  get gateway(): string {
    return this.#options.gateway
  }

  get hasRoom(): boolean {
    return !this.#isRetired && this.#uses < this.#options.maxChannels
  }

  /**
   * Resolves once it is signed in, with whether it may be used: one that has shown a host key which is not accepted any more leads nobody else on.
   * Rejects with why it is not signed in, or when the signal aborts.
   */
  async ready(signal: AbortSignal | undefined): Promise<boolean> {
    return await this.#use(async () => {
      const { hostKey } = await abortable(this.#connecting, signal)
      const isAccepted = await abortable(this.#options.mayShow(hostKey), signal)
      if (!isAccepted) this.#isRetired = true
      return isAccepted
    })
  }

  /** Ends it where the gateway has shown that host key, now or once it is signed in. */
  refuse(fingerprint: string): void {
    const look = async () => {
      const { hostKey } = await this.#connecting
      if (fingerprintOf(hostKey) !== fingerprint) return
      for (const channel of this.#channels) channel.destroy(this.#options.refused(fingerprint))
      this.end()
    }
    look().catch(() => undefined)
  }

  /** The way on to another machine. Rejects with a `ChannelError`, or when the signal aborts. It breaks with what `lost` answers. */
  async open(host: string, port: number, signal: AbortSignal | undefined): Promise<Channel> {
    return await this.#use(async () => {
      const opening = (await this.#connecting).openDirect({ host, port })
      const channel = await abortable(opening, signal).catch((error: unknown) => {
        opening.then(
          (late) => late.destroy(),
          () => undefined,
        )
        throw error
      })
      // Whoever connects over it listens for himself, but not yet.
      channel.on('error', () => {})
      this.#channels.add(channel)
      this.#uses++
      channel.once('close', () => {
        this.#channels.delete(channel)
        this.#release()
      })
      return channel
    })
  }

  /** Ends it and everything that goes through it. */
  end(): void {
    this.#leave()
    this.#abort.abort()
    this.#connecting.then(
      (client) => client.end(),
      () => undefined,
    )
  }

  async #follow(): Promise<void> {
    const client = await this.#connecting
    const cause = await client.closed
    this.#leave()
    // Before what runs over them reads their end, which would look like that of the target.
    for (const channel of this.#channels) channel.destroy(this.#options.lost(cause))
  }

  async #use<T>(work: () => Promise<T>): Promise<T> {
    this.#uses++
    clearTimeout(this.#idle)
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  #release(): void {
    if (--this.#uses === 0 && !this.#isGone)
      this.#idle = setTimeout(() => this.end(), this.#options.idleMs).unref()
  }

  #leave(): void {
    this.#isGone = true
    clearTimeout(this.#idle)
    this.#options.onGone()
  }
}

/** Rejects with the signal's reason when that aborts before. */
async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await work
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    signal.throwIfAborted()
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
