import type { Key } from './keys.ts'

/** Of a line so much is followed. */
export const typedMax = 4096

/** What was typed of a line, as far as the keys tell: what they do is up to the program. */
export class Typed {
  #text: string | undefined = ''
  #unerased: string | undefined
  #sinceCompletion: string | undefined
  /** Since an interrupt of which nothing shows yet that it took the line away: it may mean nothing to the program. */
  #anew: Typed | undefined

  /** Where it was nothing but text, and keys that erase. */
  get text(): string | undefined {
    return this.#text
  }

  /** The same, had no key erased anything: to the program it may be none that does. Undefined where none did. */
  get unerased(): string | undefined {
    return this.#unerased
  }

  /** Text typed since the last key besides, where that one completes the line: it is shown once the line is complete. */
  get sinceCompletion(): string | undefined {
    return this.#sinceCompletion
  }

  /** Interrupted, and nobody knows whether the line has gone. */
  get isInDoubt(): boolean {
    return this.#anew !== undefined
  }

  type(key: Exclude<Key, { kind: 'paste' }>): void {
    if (key.kind === 'interrupt') {
      this.#anew = new Typed()
      this.#erase('')
      return
    }
    this.#anew?.type(key)
    // Where nothing is there is nowhere to go.
    if (key.kind === 'edit' && key.isMove && this.#text === '' && this.#unerased === undefined) return
    if (key.kind === 'text')
      this.#sinceCompletion = this.#sinceCompletion?.concat(key.text).slice(0, typedMax)
    else this.#sinceCompletion = key.kind === 'edit' && key.isCompletion ? '' : undefined
    if (key.kind === 'edit') this.lose()
    else if (key.kind === 'erase_all') this.#erase('')
    else if (key.kind === 'erase') this.#erase(this.#text?.slice(0, -1))
    else if (key.kind === 'text') this.#add(key.text)
  }

  /** What was typed went to another program, as far as the screen shows: judged until it has stood still. */
  elsewhere(): Typed {
    const anew = new Typed()
    anew.#unerased = this.#text
    return anew
  }

  /** More was done than can be followed. */
  lose(): void {
    this.#text = undefined
    this.#unerased = undefined
  }

  /**
   * A text without what was typed since the interrupt, which may end it: then a new prompt, if the interrupt took the line away.
   * @returns undefined: it ends otherwise, or more was done than can be followed
   */
  before(text: string): string | undefined {
    const since = this.#anew?.text
    if (since === undefined || !text.endsWith(since)) return undefined
    return text.slice(0, text.length - since.length).trimEnd()
  }

  /** The interrupt took the line away. @returns what was typed since */
  sinceInterrupt(): Typed {
    return this.#anew ?? this
  }

  #add(text: string): void {
    if (this.#text === undefined) return
    if (this.#text.length + text.length > typedMax) return this.lose()
    this.#text += text
    this.#unerased = this.#unerased?.concat(text).slice(0, typedMax)
  }

  #erase(left: string | undefined): void {
    if (this.#text) this.#unerased ??= this.#text
    if (this.#text !== undefined) this.#text = left
  }
}
