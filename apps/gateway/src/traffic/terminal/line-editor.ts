import { characters, width } from './width.ts'

/** What came of a line: its text, `^C`, or the end of the input (`^D`). */
export type Line = { kind: 'text'; text: string } | { kind: 'cancel' } | { kind: 'end' }

const maxChars = 256
const keysPerTurn = 64

/**
 * Reads lines off keys as a terminal gives them, with the keys that erase, and shows them while they are typed. However many were typed at
 * once, whoever asks for a line reads some of them, and lets others have their turn before the next.
 */
export class LineEditor {
  readonly #write: (text: string) => void
  #typed = ''
  #at = 0
  #escape = ''
  #line = ''
  #isHidden = false
  #isAfterReturn = false

  constructor(write: (text: string) => void) {
    this.#write = write
  }

  /** `isHidden`: nothing of the next line is shown. */
  begin(isHidden: boolean): void {
    this.#line = ''
    this.#isHidden = isHidden
  }

  /** What was typed, and is not read yet. */
  add(text: string): void {
    this.#typed = this.rest() + text
  }

  get isEmpty(): boolean {
    return this.#at >= this.#typed.length
  }

  /** Reads some of the keys, as many as may take one turn of the event loop; answers the line, where they end it. */
  readSome(): Line | undefined {
    for (let keys = 0; keys < keysPerTurn && !this.isEmpty; keys++) {
      const key = String.fromCodePoint(this.#typed.codePointAt(this.#at) ?? 0)
      this.#at += key.length
      const line = this.#key(key)
      if (line) return line
    }
    return undefined
  }

  /** Gives away what is not read yet. */
  rest(): string {
    const rest = this.#typed.slice(this.#at)
    this.#typed = ''
    this.#at = 0
    return rest
  }

  #key(key: string): Line | undefined {
    if (this.#skipEscape(key)) return undefined
    const isSecondHalf = key === '\n' && this.#isAfterReturn
    this.#isAfterReturn = key === '\r'
    if (isSecondHalf) return undefined
    switch (key) {
      case '\r':
      case '\n':
        this.#write('\r\n')
        return { kind: 'text', text: this.#line }
      case '\u007f':
      case '\b':
        this.#erase(1)
        return undefined
      case '\u0015':
        this.#erase(Infinity)
        return undefined
      case '\u0017':
        this.#erase(lastWord(this.#line))
        return undefined
      case '\u0003':
        this.#write('^C\r\n')
        return { kind: 'cancel' }
      case '\u0004':
        if (this.#line !== '') return undefined
        this.#write('\r\n')
        return { kind: 'end' }
      default:
        this.#insert(key)
        return undefined
    }
  }

  #insert(key: string): void {
    if (/[\p{Cc}\ufffd]/u.test(key)) return
    if (this.#line.length >= maxChars) {
      this.#write('\u0007')
      return
    }
    this.#line += key
    if (!this.#isHidden) this.#write(key)
  }

  #erase(count: number): void {
    const parts = characters(this.#line)
    const removed = parts.splice(Math.max(parts.length - count, 0))
    this.#line = parts.join('')
    const columns = this.#isHidden ? 0 : width(removed.join(''))
    if (columns > 0) this.#write('\b'.repeat(columns) + ' '.repeat(columns) + '\b'.repeat(columns))
  }

  /** Arrow and function keys do nothing here, and must not leave letters in the line. */
  #skipEscape(key: string): boolean {
    if (this.#escape === '') {
      if (key !== '\u001b') return false
      this.#escape = key
      return true
    }
    this.#escape += key
    const isOpen = /^(?:[[O][0-9;?]{0,16})?$/.test(this.#escape.slice(1))
    if (!isOpen) this.#escape = ''
    return true
  }
}

/** Characters from the end back over blanks and one word. */
function lastWord(line: string): number {
  let at = line.trimEnd().length
  while (at > 0 && !/\s/u.test(line[at - 1] ?? '')) at--
  return characters(line.slice(at)).length
}
