/** What the server says of reviews that somebody waits for. */
export class DecidedReviews {
  readonly #waiting = new Map<string, Set<() => void>>()

  /** That ticket is decided, or over. */
  tell(ticket: string): void {
    for (const hear of this.#waiting.get(ticket) ?? []) hear()
  }

  /** From now on `heard` is called of news about that ticket; answers how to end it. */
  follow(ticket: string, heard: () => void): () => void {
    const own = () => heard()
    const others = this.#waiting.get(ticket) ?? new Set()
    this.#waiting.set(ticket, others.add(own))
    return () => {
      others.delete(own)
      if (others.size === 0 && this.#waiting.get(ticket) === others) this.#waiting.delete(ticket)
    }
  }
}
