import type { DisconnectReason, SshError } from './errors.ts'

/** What user authentication and channels stand on: a transport whose first keys are exchanged. */
export interface PacketStream {
  /** The hash of the first exchange of keys. */
  readonly sessionId: Buffer
  /** What the server proved itself with in the first exchange of keys (RFC 4253, 6.6): on the server its own, on the client the one it verified. */
  readonly hostKey: Buffer
  readonly peer: {
    /** Its version, as it sent it, made printable. */
    readonly ident: string
    /** What it told of itself by RFC 8308: `server-sig-algs` and others. */
    readonly extensions: ReadonlyMap<string, Buffer>
  }
  /**
   * Gets each message but the transport's own, in order: the request and acceptance of a service (5, 6), and everything from 50 to 127.
   * A promise holds what comes behind it, one that rejects ends the connection with that error, as a throw does. The bytes are the
   * receiver's, who may keep them; those of bulk data are given back with `release` of packets/memory.ts when they are used up.
   */
  onPacket: (payload: Buffer) => void | Promise<void>
  /** Seals a message, its parts one after the other, or keeps it while keys are exchanged. When `isWritable`, the parts are the caller's again on return. */
  send(payload: Buffer | readonly Buffer[]): void
  /** False while the stream is full, keys are exchanged or others have their turn: then data has to wait for `onDrain`; answers may still be sent. */
  readonly isWritable: boolean
  onDrain: () => void
  /** More comes than is dealt with: the stream had as much as it reads at once. */
  readonly isBehind: boolean
  /** Tells the peer why, sends what was sent before, and ends. */
  disconnect(reason: DisconnectReason, text: string): void
  /** Ends at once. */
  destroy(error?: SshError): void
  /** Settles once, with what went wrong where something did; never rejects. */
  readonly closed: Promise<SshError | undefined>
}
