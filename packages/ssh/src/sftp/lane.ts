/** What shares a file with others of its kind, and what has it alone. */
export type Access = 'read' | 'write' | 'alone'

/**
 * Requests on one file have to have the effects they would have one after the other (draft-ietf-secsh-filexfer-02, 3): reads go side by
 * side, and so do writes, everything else waits for what came before, and is waited for.
 */
export class Lane {
  readonly #waiting: { access: Access; go: () => void }[] = []
  #access: Access = 'read'
  #count = 0

  /** Calls back when it is this one's turn, at once where nothing is before it. */
  enter(access: Access, go: () => void): void {
    if (this.#waiting.length === 0 && this.#isFree(access)) this.#begin(access, go)
    else this.#waiting.push({ access, go })
  }

  leave(): void {
    this.#count--
    for (let next = this.#waiting[0]; next && this.#isFree(next.access); next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#begin(next.access, next.go)
    }
  }

  #isFree(access: Access): boolean {
    return this.#count === 0 || (access !== 'alone' && access === this.#access)
  }

  #begin(access: Access, go: () => void): void {
    this.#access = access
    this.#count++
    go()
  }
}
