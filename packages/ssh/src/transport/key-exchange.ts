import { Conversation } from '../kex/conversation.ts'
import { deriveKeys } from '../kex/derive.ts'
import { type Exchanged, exchangeAsClient, exchangeAsServer } from '../kex/exchange.ts'
import { type Proposal, readKexInit, writeKexInit } from '../kex/kex-init.ts'
import { kexMethods } from '../kex/methods.ts'
import { type Agreement, extInfoNames, negotiate, strictNames } from '../kex/negotiate.ts'
import type { PrivateKey, PublicKey } from '../keys/key.ts'
import { protectionOf } from '../packets/ciphers.ts'
import { keep } from '../packets/memory.ts'
import type { PacketReader } from '../packets/packet-reader.ts'
import type { PacketWriter } from '../packets/packet-writer.ts'
import type { Opener, Sealer } from '../packets/packet.ts'
import { SshError } from '../wire/errors.ts'
import { message } from '../wire/messages.ts'
import type { Algorithms } from './algorithms.ts'

export type Role = 'client' | 'server'

export interface KeyExchangeOptions {
  role: Role
  /** What is exchanged with the peer besides: both versions, without the ends of their lines. */
  idents: { client: string; server: string }
  algorithms: Algorithms
  hostKeys: readonly PrivateKey[]
  verifyHostKey: (key: PublicKey) => void | Promise<void>
  writer: PacketWriter
  reader: PacketReader
  /** Our new keys are in use. */
  onSending(): void
  fail(error: unknown): void
}

/** The exchange that is under way. */
interface Exchange {
  ourInit: Buffer
  ours: Proposal
  /** Of our proposal's packet. */
  sequence: number
  /** The peer's first message of its guess is still to come, and is of no use. */
  isSkipping: boolean
  /** From the peer's proposal on. */
  conversation?: Conversation
  /** From our new keys on: what opens the packets behind the peer's. */
  opener?: Opener
  done: PromiseWithResolvers<void>
}

/** Exchanges keys with the peer, as often as one of both wants to, and puts them in use (RFC 4253, 7 to 9). */
export class KeyExchange {
  /** Hash of the first exchange; empty before. */
  sessionId: Buffer = Buffer.alloc(0)
  hostKey: Buffer = Buffer.alloc(0)
  /** OpenSSH's PROTOCOL, 1.10. */
  isStrict = false
  /** The peer understands RFC 8308. */
  isExtInfoWanted = false
  /** Until the peer's first new keys. */
  isFirst = true
  readonly #options: KeyExchangeOptions
  /** Offered in each exchange, as in the first. */
  #ciphers: { toServer: readonly string[]; toClient: readonly string[] } | undefined
  #exchange: Exchange | undefined

  constructor(options: KeyExchangeOptions) {
    this.#options = options
  }

  get isIdle(): boolean {
    return this.#exchange === undefined
  }

  /** Before our first keys, and between each proposal of ours and our new keys: nothing else may be sent. */
  get isSending(): boolean {
    return this.#exchange ? this.#exchange.opener === undefined : this.isFirst
  }

  /** Between the peer's proposal and its new keys. */
  get isReceiving(): boolean {
    return this.#exchange?.conversation !== undefined
  }

  /** Begins an exchange, if none is under way. The promise ends when new keys are in use both ways. */
  start(): Promise<void> {
    return (this.#exchange ?? this.#begin()).done.promise
  }

  /** `theirs`: when the peer's proposal came first. */
  #begin(theirs?: Proposal): Exchange {
    const { writer } = this.#options
    const ours = this.#proposal(theirs)
    const ourInit = writeKexInit(ours)
    const done = Promise.withResolvers<void>()
    // It is left open when the connection ends before: whoever waits learns it there.
    this.#exchange = { ours, ourInit, sequence: writer.sequence, isSkipping: false, done }
    this.#send(ourInit)
    return this.#exchange
  }

  onKexInit(payload: Buffer): void {
    if (this.isReceiving) throw new SshError('protocolError', 'Keys are being exchanged already')
    const { role, reader } = this.#options
    const peerInit = Buffer.from(payload)
    const theirs = readKexInit(peerInit)
    const exchange = this.#exchange ?? this.#begin(theirs)
    const [client, server] = role === 'client' ? [exchange.ours, theirs] : [theirs, exchange.ours]
    const peerRole = role === 'client' ? 'server' : 'client'
    if (this.isFirst) {
      this.isStrict = theirs.kex.includes(strictNames[peerRole])
      this.isExtInfoWanted = theirs.kex.includes(extInfoNames[peerRole])
      if (this.isStrict && reader.sequence !== 1)
        throw new SshError('protocolError', 'Something came before the first message of key exchange')
    }
    const agreement = negotiate(client, server, peerRole)
    exchange.isSkipping = agreement.isGuessWrong
    exchange.conversation = new Conversation((sent) => this.#send(sent))
    const inits = { client: exchange.ourInit, server: peerInit }
    if (role === 'server') Object.assign(inits, { client: peerInit, server: exchange.ourInit })
    this.#run(exchange, exchange.conversation, agreement, inits).catch((error: unknown) =>
      this.#options.fail(error),
    )
  }

  /** A message from 30 to 49. What comes behind it waits for the promise. */
  onMethodMessage(payload: Buffer): Promise<void> | undefined {
    const exchange = this.#exchange
    if (exchange?.isSkipping === true) {
      exchange.isSkipping = false
      return undefined
    }
    if (!exchange?.conversation) throw new SshError('protocolError', 'No keys are being exchanged')
    return exchange.conversation.deliver(payload)
  }

  /** The peer does not know what it was sent in this packet. Some exchange no keys before the login: nothing would ever come. */
  onUnimplemented(sequence: number): void {
    if (this.#exchange?.sequence === sequence && !this.isReceiving)
      throw new SshError('keyExchangeFailed', 'The peer exchanges no keys now')
  }

  onNewKeys(): void {
    const exchange = this.#exchange
    if (!exchange?.opener) throw new SshError('protocolError', 'New keys came before they were agreed on')
    const { reader } = this.#options
    reader.opener = exchange.opener
    if (this.isStrict) reader.sequence = 0
    this.isFirst = false
    this.#exchange = undefined
    exchange.done.resolve()
  }

  async #run(
    exchange: Exchange,
    conversation: Conversation,
    agreement: Agreement,
    inits: { client: Buffer; server: Buffer },
  ): Promise<void> {
    const { role, idents, hostKeys, verifyHostKey, writer } = this.#options
    const method = kexMethods.get(agreement.kex)
    const preamble = {
      clientIdent: idents.client,
      serverIdent: idents.server,
      clientInit: inits.client,
      serverInit: inits.server,
    }
    const algorithm = agreement.hostKey
    const key = hostKeys.find(({ publicKey }) => publicKey.algorithms.includes(algorithm))
    if (!method || (role === 'server' && !key)) throw new SshError('keyExchangeFailed', 'Not negotiated')
    const exchanged = key
      ? await exchangeAsServer(method, conversation, preamble, { algorithm, key })
      : await exchangeAsClient(method, conversation, preamble, {
          algorithm,
          verify: (hostKey) => (this.hostKey.equals(hostKey.blob) ? undefined : verifyHostKey(hostKey)),
        })
    if (this.isFirst) {
      this.sessionId = exchanged.exchangeHash
      this.hostKey = keep(exchanged.hostKey)
    }
    const [sending, receiving] =
      role === 'client' ? (['toServer', 'toClient'] as const) : (['toClient', 'toServer'] as const)
    this.#send(Buffer.from([message.newKeys]))
    writer.sealer = this.#keyed(sending, agreement, exchanged).sealer()
    if (this.isStrict) writer.sequence = 0
    exchange.opener = this.#keyed(receiving, agreement, exchanged).opener()
    conversation.end()
    this.#options.onSending()
  }

  #keyed(
    direction: 'toServer' | 'toClient',
    agreement: Agreement,
    exchanged: Exchanged,
  ): { sealer(): Sealer; opener(): Opener } {
    const { cipher, mac } = agreement[direction]
    const protection = protectionOf(cipher, mac)
    const keys = deriveKeys(direction, protection, { ...exchanged, sessionId: this.sessionId })
    return { sealer: () => protection.sealer(keys), opener: () => protection.opener(keys) }
  }

  #proposal(theirs: Proposal | undefined): Proposal {
    const { role, algorithms, hostKeys } = this.#options
    const offered = algorithms.hostKey.filter(
      (name) => role === 'client' || hostKeys.some(({ publicKey }) => publicKey.algorithms.includes(name)),
    )
    this.#ciphers ??= {
      toServer: chosenOf(algorithms.cipher, theirs?.cipherToServer),
      toClient: chosenOf(algorithms.cipher, theirs?.cipherToClient),
    }
    return {
      kex: this.isFirst ? [...algorithms.kex, extInfoNames[role], strictNames[role]] : algorithms.kex,
      hostKey: offered,
      cipherToServer: this.#ciphers.toServer,
      cipherToClient: this.#ciphers.toClient,
      macToServer: algorithms.mac,
      macToClient: algorithms.mac,
      compressionToServer: ['none'],
      compressionToClient: ['none'],
      isGuessing: false,
    }
  }

  #send(payload: Buffer): void {
    this.#options.writer.write([payload], payload.length)
  }
}

/** A server that knows the client's ciphers offers the one it likes best: what the client would take first may be slow here. */
function chosenOf(ours: readonly string[], theirs: readonly string[] = []): readonly string[] {
  const best = ours.find((name) => theirs.includes(name))
  return best === undefined ? ours : [best]
}
