import { randomInt } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { networkOf } from './address.ts'

/**
 * Random early drop, with the figures of sshd's `MaxStartups`: from `start` waiting connections on each new one costs another its place
 * with `rate` percent, rising to certainty at `full`. Any of those that wait may be hit, so nobody can take all places by waiting.
 */
export interface Startups {
  start: number
  rate: number
  full: number
}

export interface AdmissionLimits {
  /** Connections that have not logged in yet, from everywhere. */
  startups: Startups
  /** The same, from one address (of IPv6, from one network: `networkOf`). */
  startupsOfAddress: Startups
}

const maxConnections = 5000

export const defaultAdmission: AdmissionLimits = {
  startups: { start: 100, rate: 30, full: 500 },
  startupsOfAddress: { start: 20, rate: 30, full: 100 },
}

/** Counts connections, so that those who never log in can't take the place of those who do. */
export class Admission {
  readonly #limits: AdmissionLimits
  /** With the network each came from. */
  readonly #waiting = new Map<Duplex, string>()
  readonly #ofNetwork = new Map<string, Set<Duplex>>()
  #count = 0

  constructor(limits: AdmissionLimits) {
    this.#limits = limits
  }

  /** False when there is no room at all. Call `loggedIn` once the person is; the end of the stream counts too. */
  admit(stream: Duplex, address: string): boolean {
    const { startups, startupsOfAddress } = this.#limits
    if (this.#count >= maxConnections) return false
    const network = networkOf(address)
    this.#makeRoom(this.#ofNetwork.get(network) ?? new Set(), startupsOfAddress)
    this.#makeRoom(this.#waiting, startups)
    this.#count++
    this.#waiting.set(stream, network)
    this.#ofNetwork.set(network, (this.#ofNetwork.get(network) ?? new Set()).add(stream))
    stream.once('close', () => {
      this.#count--
      this.loggedIn(stream)
    })
    return true
  }

  /** The connection does not wait any more. */
  loggedIn(stream: Duplex): void {
    const network = this.#waiting.get(stream)
    if (network === undefined) return
    this.#waiting.delete(stream)
    const others = this.#ofNetwork.get(network)
    others?.delete(stream)
    if (others?.size === 0) this.#ofNetwork.delete(network)
  }

  #makeRoom(waiting: Map<Duplex, string> | Set<Duplex>, { start, rate, full }: Startups): void {
    const { size } = waiting
    if (size < start) return
    const percent = size >= full ? 100 : rate + ((100 - rate) * (size - start)) / (full - start)
    if (randomInt(100) >= percent) return
    const stream = [...waiting.keys()][randomInt(size)]
    if (!stream) return
    this.loggedIn(stream)
    stream.destroy()
  }
}
