import { createHash } from 'node:crypto'
import { allowsOldSsh } from '@sallyport/contract/assets/protocols'
import type { Grant } from '@sallyport/contract/gateway/grants'
import type { HostKey } from '@sallyport/contract/gateway/host-keys'
import { NoAnswerError, type Waiting } from './questions.ts'
import type { TargetConnection } from './traffic.ts'

/** What a session may be opened with. */
export interface Granted {
  grant: Grant
  /** What the server said of the target with the grant, and when by `performance.now`; undefined: it has to be asked. */
  hostKeys?: { address: string; keys: HostKey[]; atMs: number }
}

/**
 * Opens the connection an exchanged token allows; what the target asks is asked of the person who waits, where there is a way to. Rejects with an
 * error whose message is for the log; its cause is a NoAnswerError where the person answered nothing.
 */
export type ConnectTarget = (
  granted: Granted,
  signal: AbortSignal,
  waiting: Waiting,
) => Promise<TargetConnection>

/** A session's hold on a connection. */
export interface Lease {
  connection: TargetConnection
  /** Nobody has used it before. */
  isFresh: boolean
  /** The connection ends with its last lease. */
  release(): void
  /** Nothing more can be opened on it: who comes next gets another one. */
  giveUp(): void
}

interface Shared {
  connecting: Promise<TargetConnection>
  abort: AbortController
  leases: number
}

/**
 * The target connections of one connection of a person. Its sessions share one where everything they would connect with is the same;
 * each has been granted on its own before.
 */
export class Connections {
  readonly #connect: ConnectTarget
  readonly #known = new Map<string, Shared>()

  constructor(connect: ConnectTarget) {
    this.#connect = connect
  }

  /** Rejects as `connect` does, and when the signal aborts. */
  async lease(granted: Granted, signal: AbortSignal, waiting: Waiting): Promise<Lease> {
    const key = keyOf(granted.grant)
    const known = this.#known.get(key)
    const shared = known ?? this.#open(key, granted, waiting)
    shared.leases++
    let isHeld = true
    const release = () => {
      if (!isHeld) return
      isHeld = false
      if (--shared.leases === 0) this.#close(key, shared)
    }
    const giveUp = () => {
      this.#forget(key, shared)
      release()
    }
    const aborted = Promise.withResolvers<never>()
    const abort = () => aborted.reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    try {
      signal.throwIfAborted()
      const connection = await Promise.race([shared.connecting, aborted.promise])
      if (known && !mayBeShared(connection, granted)) {
        giveUp()
        return await this.lease(granted, signal, waiting)
      }
      return { connection, isFresh: known === undefined, release, giveUp }
    } catch (error) {
      release()
      if (!known || !isUnanswered(error)) throw error
      // Another session was asked and gave no answer: now it is this one's turn.
      this.#forget(key, shared)
      return await this.lease(granted, signal, waiting)
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  #open(key: string, granted: Granted, waiting: Waiting): Shared {
    const abort = new AbortController()
    const shared: Shared = { connecting: this.#connect(granted, abort.signal, waiting), abort, leases: 0 }
    this.#known.set(key, shared)
    const gone = async () => {
      const { closed } = await shared.connecting
      await closed
    }
    gone()
      .catch(() => undefined)
      .finally(() => this.#forget(key, shared))
    return shared
  }

  #close(key: string, shared: Shared): void {
    this.#forget(key, shared)
    shared.abort.abort()
    shared.connecting.then(
      (connection) => connection.end(),
      () => undefined,
    )
  }

  #forget(key: string, shared: Shared): void {
    if (this.#known.get(key) === shared) this.#known.delete(key)
  }
}

/** Whether the key the target has shown before is one it may show now. */
const mayBeShared = ({ hostKey }: TargetConnection, { hostKeys }: Granted) =>
  hostKey === undefined || !hostKeys || hostKeys.keys.some(({ fingerprint }) => fingerprint === hostKey)

const isUnanswered = (error: unknown) => error instanceof Error && error.cause instanceof NoAnswerError

/** Everything that decides where a connection leads, and as whom; hashed, for it holds secrets. */
function keyOf({ user, asset, platform, account, protocol, domain, gateways }: Grant): string {
  const { id, address, protocols } = asset
  // The order in which they are tried is another one each time.
  const ways = gateways.toSorted((one, other) => one.id.localeCompare(other.id))
  const isOld = allowsOldSsh(platform.protocols)
  const facts = [user.id, id, address, protocols, protocol, isOld, account, domain?.id, ways]
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex')
}
