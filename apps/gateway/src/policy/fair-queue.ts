/** Whoever waits in a `FairQueue`. */
export interface Asker {
  organization: string
  usedMs: number
}

interface Share {
  askers: number
  usedMs: number
  /** What the one that was served last had used. */
  servedMs: number
}

/**
 * Whose turn it is: the organization's that has used least, and there the asker's that has used least. Who had nothing to ask for a while
 * begins where the others are, and saves nothing up.
 */
export class FairQueue<T> {
  readonly #shares = new Map<string, Share>()
  readonly #waiting = new Map<Asker, T[]>()
  #servedMs = 0

  asker(organization: string): Asker {
    const share = this.#shares.get(organization) ?? { askers: 0, usedMs: 0, servedMs: 0 }
    this.#shares.set(organization, share)
    share.askers++
    return { organization, usedMs: share.servedMs }
  }

  /** It asks nothing more. */
  leave({ organization }: Asker): void {
    const share = this.#shares.get(organization)
    if (share && --share.askers === 0) this.#shares.delete(organization)
  }

  add(asker: Asker, one: T): void {
    const waiting = this.#waiting.get(asker)
    if (waiting) return void waiting.push(one)
    const share = this.#shares.get(asker.organization)
    if (share) {
      const isAlone = ![...this.#waiting.keys()].some((other) => other.organization === asker.organization)
      if (isAlone) share.usedMs = Math.max(share.usedMs, this.#servedMs)
      asker.usedMs = Math.max(asker.usedMs, share.servedMs)
    }
    this.#waiting.set(asker, [one])
  }

  take(): T | undefined {
    let least: { asker: Asker; share: Share | undefined } | undefined
    for (const asker of this.#waiting.keys()) {
      const share = this.#shares.get(asker.organization)
      const isLess =
        !least ||
        (share === least.share
          ? asker.usedMs < least.asker.usedMs
          : (share?.usedMs ?? 0) < (least.share?.usedMs ?? 0))
      if (isLess) least = { asker, share }
    }
    if (!least) return undefined
    const { asker, share } = least
    this.#servedMs = Math.max(this.#servedMs, share?.usedMs ?? 0)
    if (share) share.servedMs = Math.max(share.servedMs, asker.usedMs)
    const waiting = this.#waiting.get(asker) ?? []
    const one = waiting.shift()
    if (waiting.length === 0) this.#waiting.delete(asker)
    return one
  }

  used(asker: Asker, ms: number): void {
    asker.usedMs += ms
    const share = this.#shares.get(asker.organization)
    if (share) share.usedMs += ms
  }

  /** What waited. */
  clear(): T[] {
    const all = [...this.#waiting.values()].flat()
    this.#waiting.clear()
    return all
  }
}
