import { randomInt } from 'node:crypto'
import type { Socket } from 'node:net'

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
  /** The same, from one address. */
  startupsOfAddress: Startups
}

const MAX_CONNECTIONS = 5000

export const defaultLimits: AdmissionLimits = {
  startups: { start: 100, rate: 30, full: 500 },
  startupsOfAddress: { start: 20, rate: 30, full: 100 },
}

/** Counts connections, so that those who never log in can't take the place of those who do. */
export class Admission {
  readonly #limits: AdmissionLimits
  readonly #waiting = new Map<Socket, string>()
  readonly #ofAddress = new Map<string, Set<Socket>>()
  #count = 0

  constructor(limits: AdmissionLimits) {
    this.#limits = limits
  }

  /** False when there is no room at all. Call `loggedIn` once the person is; the end of the socket counts too. */
  admit(socket: Socket, address: string): boolean {
    const { startups, startupsOfAddress } = this.#limits
    if (this.#count >= MAX_CONNECTIONS) return false
    this.#makeRoom(this.#ofAddress.get(address) ?? new Set(), startupsOfAddress)
    this.#makeRoom(this.#waiting, startups)
    this.#count++
    this.#waiting.set(socket, address)
    this.#ofAddress.set(address, (this.#ofAddress.get(address) ?? new Set()).add(socket))
    socket.once('close', () => {
      this.#count--
      this.loggedIn(socket)
    })
    return true
  }

  /** The connection does not wait any more. */
  loggedIn(socket: Socket): void {
    const address = this.#waiting.get(socket)
    if (address === undefined) return
    this.#waiting.delete(socket)
    const others = this.#ofAddress.get(address)
    others?.delete(socket)
    if (others?.size === 0) this.#ofAddress.delete(address)
  }

  #makeRoom(waiting: Map<Socket, string> | Set<Socket>, { start, rate, full }: Startups): void {
    const { size } = waiting
    if (size < start) return
    const percent = size >= full ? 100 : rate + ((100 - rate) * (size - start)) / (full - start)
    if (randomInt(100) >= percent) return
    const socket = [...waiting.keys()][randomInt(size)]
    if (!socket) return
    this.loggedIn(socket)
    socket.destroy()
  }
}
