/** How much may be under way at a time: so many requests, and so many bytes of them and their answers. One alone may always. */
export class Budget {
  readonly #maxCount: number
  readonly #maxBytes: number
  readonly #waiting: { bytes: number; go: () => void }[] = []
  #count = 0
  #bytes = 0

  constructor(maxCount: number, maxBytes: number) {
    this.#maxCount = maxCount
    this.#maxBytes = maxBytes
  }

  get isUsed(): boolean {
    return this.#count > 0
  }

  /** Calls back when there is room, behind all who wait already; whether that was at once. */
  take(bytes: number, go: () => void): boolean {
    if (this.#waiting.length > 0 || !this.#fits(bytes)) {
      this.#waiting.push({ bytes, go })
      return false
    }
    this.#add(bytes)
    go()
    return true
  }

  give(bytes: number): void {
    this.#count--
    this.#bytes -= bytes
    for (let next = this.#waiting[0]; next && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#add(next.bytes)
      next.go()
    }
  }

  #fits(bytes: number): boolean {
    return this.#count === 0 || (this.#count < this.#maxCount && this.#bytes + bytes <= this.#maxBytes)
  }

  #add(bytes: number): void {
    this.#count++
    this.#bytes += bytes
  }
}
