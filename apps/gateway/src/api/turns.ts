export interface Waiting {
  whose: string
  file: string
}

/** Files that wait, oldest first of each session. Sessions come in turn, however much waits of one. */
export class Turns {
  /** The first is next; who got a turn goes to the end. */
  readonly #lines = new Map<string, string[]>()
  readonly #resting = new Set<string>()

  /** Nothing waits, not even of those that rest. */
  get isEmpty(): boolean {
    return this.#lines.size === 0
  }

  get hasNext(): boolean {
    return this.#lines.keys().some((whose) => !this.#resting.has(whose))
  }

  /** Has no turn until it goes on. */
  rest(whose: string): void {
    this.#resting.add(whose)
  }

  goOn(whose: string): void {
    this.#resting.delete(whose)
  }

  add({ whose, file }: Waiting): void {
    const line = this.#lines.get(whose)
    if (line) line.push(file)
    else this.#lines.set(whose, [file])
  }

  /** At most so many, which stay until they are `over`: of each session one, then of each the one behind it, and so on. */
  next(count: number): Waiting[] {
    const next: Waiting[] = []
    let lines = [...this.#lines].filter(([whose]) => !this.#resting.has(whose))
    for (let place = 0; next.length < count && lines.length > 0; place++) {
      lines = lines.filter(([, line]) => line.length > place)
      for (const [whose, line] of lines.slice(0, count - next.length))
        next.push({ whose, file: line[place] ?? '' })
    }
    return next
  }

  /** What `next` gave waits no more. */
  over(next: readonly Waiting[]): void {
    for (const [whose, taken] of Map.groupBy(next, ({ whose }) => whose)) {
      const left = this.#lines.get(whose)?.slice(taken.length) ?? []
      this.#lines.delete(whose)
      if (left.length > 0) this.#lines.set(whose, left)
    }
  }
}
