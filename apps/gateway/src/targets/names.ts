import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'

/** A lookup holds a thread as long as nameservers are silent (half a minute, often), also when nobody waits for it any more. */
const atOnceOfOne = 4

type Ask = (name: string) => Promise<LookupAddress[]>
const askSystem: Ask = (name) => lookup(name, { all: true })

/**
 * The addresses of names, so that a person whose names nobody answers for keeps only themselves waiting: who asks for a name that is being
 * looked up gets the same answer, and one of `who` has four lookups at once; the next begins when one of those is over.
 */
export class Names {
  readonly #ask: Ask
  readonly #running = new Map<string, Promise<LookupAddress[]>>()
  /** Those each began; they never fail. */
  readonly #runningOf = new Map<string, Set<Promise<unknown>>>()

  constructor(ask = askSystem) {
    this.#ask = ask
  }

  /** As `socket.connect` takes it. Nothing is begun once the signal is aborted. */
  lookupFor(who: string, signal: AbortSignal): LookupFunction {
    return (name, { all }, done) => {
      void this.#tell(who, name, signal, (error, found) => {
        const [first] = found
        if (all === true || first === undefined) done(error, found)
        else done(error, first.address, first.family)
      })
    }
  }

  async #tell(
    who: string,
    name: string,
    signal: AbortSignal,
    tell: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
  ): Promise<void> {
    try {
      tell(null, await this.#addresses(who, name, signal))
    } catch (error) {
      tell(error as NodeJS.ErrnoException, [])
    }
  }

  async #addresses(who: string, name: string, signal: AbortSignal): Promise<LookupAddress[]> {
    for (;;) {
      const known = this.#running.get(name)
      if (known !== undefined) return await known
      const own = this.#runningOf.get(who)
      if (own === undefined || own.size < atOnceOfOne) break
      await Promise.race(own)
      signal.throwIfAborted()
    }
    return await this.#begin(who, name)
  }

  #begin(who: string, name: string): Promise<LookupAddress[]> {
    const asked = this.#ask(name)
    const own = this.#runningOf.get(who) ?? new Set()
    const ended = (): void => {
      this.#running.delete(name)
      own.delete(over)
      if (own.size === 0) this.#runningOf.delete(who)
    }
    const over = asked.then(ended, ended)
    this.#running.set(name, asked)
    this.#runningOf.set(who, own.add(over))
    return asked
  }
}
