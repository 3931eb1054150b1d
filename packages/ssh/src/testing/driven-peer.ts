import type { Duplex } from 'node:stream'
import type { PrivateKey } from '../keys/key.ts'
import { PacketReader, type Input } from '../packets/packet-reader.ts'
import { PacketWriter } from '../packets/packet-writer.ts'
import { type Algorithms, defaultAlgorithms } from '../transport/algorithms.ts'
import { IdentReader } from '../transport/ident.ts'
import { KeyExchange, type Role } from '../transport/key-exchange.ts'
import { message } from '../wire/messages.ts'

export interface DrivenPeerOptions {
  role: Role
  hostKey: PrivateKey
  algorithms?: Algorithms
  /** What the other side says, but for the exchange of keys. */
  onMessage?: (payload: Buffer) => void
}

/** One side of a connection that holds the keys, and says whatever it is told to at any time, be it allowed or not. */
export class DrivenPeer {
  readonly role: Role
  /** Numbers of what the other side said, in clear and under which keys. */
  readonly heard: number[] = []
  keys: KeyExchange | undefined
  /** What the other side said is no SSH, or does not fit what was said to it: nothing more is read. */
  isBroken = false
  readonly #stream: Duplex
  readonly #writer: PacketWriter
  readonly #reader = new PacketReader(512 * 1024)
  readonly #identReader: IdentReader
  readonly #options: DrivenPeerOptions
  #work = Promise.resolve()

  constructor(stream: Duplex, options: DrivenPeerOptions) {
    this.#stream = stream
    this.#options = options
    this.role = options.role
    this.#writer = new PacketWriter({ write: (bytes) => this.sayBytes(bytes) })
    this.#identReader = new IdentReader(options.role === 'client' ? 'server' : 'client')
    stream.on('error', () => {})
    stream.on('data', (chunk: Buffer) => {
      const input = { bytes: Buffer.from(chunk), at: 0 }
      this.#work = this.#work.then(
        () => this.#read(input),
        () => {},
      )
    })
    this.sayBytes(Buffer.from('SSH-2.0-Driven\r\n'))
  }

  /** Under the keys of the moment. */
  say(...payloads: Buffer[]): void {
    for (const payload of payloads) this.#writer.write([payload], payload.length)
  }

  sayBytes(bytes: Buffer): void {
    if (!this.#stream.destroyed && !this.#stream.writableEnded) this.#stream.write(Buffer.from(bytes))
  }

  /** Proposes an exchange of keys, where none is under way. */
  async exchange(): Promise<void> {
    await this.keys?.start()
  }

  get isKeyed(): boolean {
    return this.keys?.isFirst === false && !this.keys.isSending
  }

  async #read(input: Input): Promise<void> {
    try {
      while (!this.isBroken) {
        if (!this.keys) {
          const ident = this.#identReader.next(input)
          if (ident === undefined) return
          this.#begin(ident)
          continue
        }
        const payload = this.#reader.next(input)
        if (!payload) return
        await this.#handle(this.keys, Buffer.from(payload))
      }
    } catch {
      this.isBroken = true
    }
  }

  async #handle(keys: KeyExchange, payload: Buffer): Promise<void> {
    const number = payload[0] ?? 0
    this.heard.push(number)
    if (number === message.kexInit) keys.onKexInit(payload)
    else if (number === message.newKeys) keys.onNewKeys()
    else if (number >= message.kexFirst && number <= message.kexLast) await keys.onMethodMessage(payload)
    else this.#options.onMessage?.(payload)
  }

  #begin(ident: string): void {
    const { role, hostKey, algorithms = defaultAlgorithms } = this.#options
    const ours = 'SSH-2.0-Driven'
    this.keys = new KeyExchange({
      role,
      idents: role === 'client' ? { client: ours, server: ident } : { client: ident, server: ours },
      algorithms,
      hostKeys: role === 'server' ? [hostKey] : [],
      verifyHostKey: () => {},
      writer: this.#writer,
      reader: this.#reader,
      onSending: () => {},
      fail: () => (this.isBroken = true),
    })
  }
}
