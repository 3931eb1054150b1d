/**
 * A queue shared by whom its jobs come from: one job of each in turn, so that whoever sends many waits for his own. When it is full, whoever
 * has most in it loses the last of them to somebody who has less.
 */
export class RoundRobinQueue<T> {
  readonly #most: number
  /** Whose turn is next comes first. */
  readonly #lines = new Map<string, T[]>()
  #size = 0

  /** @param most jobs that wait at the same time */
  constructor(most: number) {
    this.#most = most
  }

  /** @returns the job for which there is no room, which may be this one */
  push(from: string, job: T): T | undefined {
    const line = this.#lines.get(from) ?? []
    let refused: T | undefined
    if (this.#size >= this.#most) {
      const longest = [...this.#lines.values()].reduce<T[]>(
        (long, one) => (one.length > long.length ? one : long),
        line,
      )
      if (longest.length <= line.length + 1) return job
      refused = longest.pop()
      this.#size -= 1
    }
    line.push(job)
    this.#lines.set(from, line)
    this.#size += 1
    return refused
  }

  /** The next job, of those who wait longest for a turn. */
  shift(): T | undefined {
    const [turn] = this.#lines
    if (turn === undefined) return undefined
    const [from, line] = turn
    const job = line.shift()
    this.#size -= 1
    this.#lines.delete(from)
    if (line.length > 0) this.#lines.set(from, line)
    return job
  }
}
