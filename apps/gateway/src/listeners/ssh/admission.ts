import type { Socket } from 'node:net'

export interface AdmissionLimits {
  /** Connections that have not logged in yet, from everywhere and from one address. */
  waiting: number
  waitingOfAddress: number
  /** All connections. */
  connections: number
}

export const defaultLimits: AdmissionLimits = { waiting: 100, waitingOfAddress: 20, connections: 5000 }

/** Counts connections, so that those who never log in can't take the place of those who do. */
export class Admission {
  readonly #limits: AdmissionLimits
  readonly #waiting = new Map<string, number>()
  #waitingCount = 0
  #count = 0

  constructor(limits: AdmissionLimits) {
    this.#limits = limits
  }

  /** Undefined when there is no room. The result is to be called once when the person has logged in; the end of the socket counts too. */
  admit(socket: Socket): (() => void) | undefined {
    const address = socket.remoteAddress ?? ''
    const ofAddress = this.#waiting.get(address) ?? 0
    const { waiting, waitingOfAddress, connections } = this.#limits
    if (this.#count >= connections || this.#waitingCount >= waiting || ofAddress >= waitingOfAddress)
      return undefined
    this.#count++
    this.#waitingCount++
    this.#waiting.set(address, ofAddress + 1)
    let isWaiting = true
    const leaveWaiting = () => {
      if (!isWaiting) return
      isWaiting = false
      this.#waitingCount--
      const left = (this.#waiting.get(address) ?? 1) - 1
      if (left > 0) this.#waiting.set(address, left)
      else this.#waiting.delete(address)
    }
    socket.once('close', () => {
      this.#count--
      leaveWaiting()
    })
    return leaveWaiting
  }
}
