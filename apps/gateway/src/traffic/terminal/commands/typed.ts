import type { Key } from './keys.ts'

/** Of a line so much is followed. */
export const typedMax = 4096

/** What was typed of a line, as far as the keys tell: what they do is up to the program. */
export class Typed {
  #text: string | undefined = ''
  #unerased: string | undefined
  #sinceCompletion: string | undefined
  /** All of it, where some went elsewhere as far as the screen shows: whether it did only the program knows. */
  #whole: Typed | undefined
  #isUnclear = false
  /** All text, whatever keys besides did. */
  #said = ''
  /** Since an interrupt of which nothing shows yet that it took the line away: it may mean nothing to the program. */
  #anew: Typed | undefined

  /** Where it was nothing but text, and keys that erase. */
  get text(): string | undefined {
    return this.#text
  }

  /** Nothing was typed of it, or keys that do nothing where nothing stands. */
  get isUntouched(): boolean {
    return this.#text === '' && this.#unerased === undefined
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

  /** What went elsewhere was edited: then it may be all that stands there. */
  get isUnclear(): boolean {
    return this.#isUnclear
  }

  /** What else it may be. */
  get perhaps(): string[] {
    const whole = this.#whole
    if (whole === undefined) return []
    return [whole.text ?? whole.#said, whole.unerased].filter((text) => text !== undefined)
  }

  type(key: Exclude<Key, { kind: 'paste' }>): void {
    this.#whole?.type(key)
    if (key.kind === 'text') this.#said = (this.#said + key.text).slice(-typedMax)
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
    if (key.kind === 'edit' || key.kind === 'redraw') this.lose()
    else if (key.kind === 'erase_all') this.#erase('')
    else if (key.kind === 'erase') this.#erase(this.#text?.slice(0, -1))
    else if (key.kind === 'text') this.#add(key.text)
  }

  /**
   * Some of it went to another program, as far as the screen shows.
   * @param left what stands there of it
   */
  elsewhere(left = ''): Typed {
    const anew = new Typed()
    anew.#whole = this.#whole ?? this
    anew.#isUnclear = this.#text === undefined
    anew.#said = left
    anew.#text = this.#text === undefined ? undefined : left
    // Judged until it has stood still: it may be on its way.
    anew.#unerased = this.#text === undefined ? undefined : (this.#unerased ?? this.#text)
    return anew
  }

  /** As far as the screen shows all of it went to the program, and did something else. */
  afresh(): Typed {
    const anew = new Typed()
    anew.#whole = this.#whole ?? this
    return anew
  }

  /** Any text was typed, whatever keys besides did to it. */
  get hasText(): boolean {
    return this.#said !== ''
  }

  /** Whatever keys besides did. */
  hasTyped(text: string): boolean {
    return this.#said.includes(text)
  }

  /**
   * Had some of it gone to another program: the prompt this text begins with, and what was typed at that.
   * @param before what stood there before the first key, with an echo of the keys perhaps
   */
  behindOthers(text: string, before: string): { prompt: string; left: string } {
    const said = this.#said
    let length = 0
    while (length < said.length && said.at(-1 - length) === text.at(-1 - length)) length++
    const left = said.slice(said.length - length)
    const echoed = before + (this.#text ?? '')
    const standing = text.slice(0, text.length - length)
    const own = standing.startsWith(echoed) ? standing.slice(echoed.length) : standing
    return { prompt: own.trimEnd(), left }
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

/** What may be left of keys when readline took the first ones for answers: whether to list completions, and to go on below a screenful of them. */
export function behindAnswers(keys: string): string[] {
  const answer = /^[^yn ]*[yn ]/i.exec(keys)?.[0]
  if (answer === undefined) return []
  const left = [keys.slice(answer.length)]
  if (/n$/i.test(answer)) return left
  const [pages = ''] = /^[^nq]*[nq]?/i.exec(left[0] ?? '') ?? []
  for (const { index } of pages.matchAll(/[ynq ]/gi)) left.push(keys.slice(answer.length + index + 1))
  return left
}
