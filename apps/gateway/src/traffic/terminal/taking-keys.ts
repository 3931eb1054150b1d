/**
 * The keys that have a program take the line that is being typed, or run something of it: those of a plain terminal and those bash and
 * readline come with, in emacs and in vi mode (`bind -p`); https://www.gnu.org/software/bash/manual/bash.html#Bindable-Readline-Commands
 */

/** What such a key does. */
export type Taking =
  /** It has the line run as it stands. */
  | 'line'
  /** It turns the line into a comment, or a comment into a line, and enters that. */
  | 'comment'
  /** It runs what cannot be read before: what an editor leaves, a keyboard macro, substitutions in the line. */
  | 'unread'
  /** It is text, or in vi's command mode one of the last two. */
  | 'unsure'

const escape = 0x1b
const interrupt = 0x03
const enters = new Set([0x0d, 0x0a])
const sequenceMax = 20

/**
 * Enter, line feed, Ctrl-O, and Ctrl-D, which gives a plain terminal's line away as it stands; inside pastes too, for not every program
 * knows what a paste is.
 */
const single = new Set([...enters, 0x0f, 0x04])
/** `whole`: with the pictures of control characters for these. */
const sequences: { last: string; whole: RegExp; taking: Taking }[] = [
  // Enter of the keypad, and as newer terminals may say it
  { last: 'M', whole: /␛OM$/, taking: 'line' },
  { last: 'u', whole: /␛\[(?:1[03]|57414)(?:[;:][\d;:]{0,8})?u$/, taking: 'line' },
  { last: '~', whole: /␛\[27;\d{1,3};1[03]~$/, taking: 'line' },
  // edit-and-execute-command, shell-expand-line; Meta may be the eighth bit of a byte
  { last: '\x05', whole: /[␘␛]␅$/, taking: 'unread' },
  { last: '\x85', whole: /(?:^|[^\x80-\xff])\x85$/, taking: 'unread' },
  // call-last-kbd-macro
  { last: 'e', whole: /␘e$/, taking: 'unread' },
  { last: 'E', whole: /␘E$/, taking: 'unread' },
  // vi-edit-and-execute-command
  { last: 'v', whole: /␛(?:[O[][\d;]*)?v$/, taking: 'unread' },
  // insert-comment
  { last: '#', whole: /␛(?:[O[][\d;]*)?#$/, taking: 'comment' },
  { last: '\xa3', whole: /(?:^|[^\x80-\xff])\xa3$/, taking: 'comment' },
]
const lasts = new Set(sequences.map(({ last }) => last.charCodeAt(0)))
const unsure = new Set(['v', '#'].map((key) => key.charCodeAt(0)))
const introducers = new Set(['[', 'O'].map((key) => key.charCodeAt(0)))
const searches = new Set(['/', '?'].map((key) => key.charCodeAt(0)))

/** Of a control character. */
const pictureOf = (sign: string) =>
  sign < ' ' ? String.fromCodePoint(0x2400 + (sign.codePointAt(0) ?? 0)) : sign

/** Finds these keys in what a person sends, however it comes in pieces. */
export class TakingKeys {
  /** The last keys, one character each. */
  #before = ''
  #last = 0
  /** Escape came in this line, and not to begin the sequence of a key: vi's command mode may be on. */
  #isEscaped = false
  /** There something is searched for, and Enter does not end that mode. */
  #isSearching = false

  /** In order; `at`: where in the chunk. */
  find(chunk: Buffer): { at: number; taking: Taking }[] {
    const found: { at: number; taking: Taking }[] = []
    for (const [at, key] of chunk.entries()) {
      const taking = this.#takingOf(chunk, at, key)
      if (taking) found.push({ at, taking })
      this.#follow(key)
    }
    // No sequence, which comes at once: what looks like the rest of one is commands.
    if (chunk.at(-1) === escape) this.#isEscaped = true
    this.#before = (this.#before + chunk.subarray(-sequenceMax).toString('latin1')).slice(-sequenceMax)
    return found
  }

  #takingOf(chunk: Buffer, at: number, key: number): Taking | undefined {
    if (single.has(key)) return 'line'
    if (!lasts.has(key)) return undefined
    const upTo = chunk.subarray(Math.max(0, at + 1 - sequenceMax), at + 1).toString('latin1')
    const text = (this.#before + upTo).replaceAll(/\p{Cc}/gu, pictureOf)
    const isLast = ({ last }: { last: string }) => last.charCodeAt(0) === key
    const sequence = sequences.find((sequence) => isLast(sequence) && sequence.whole.test(text))
    return sequence?.taking ?? (this.#isEscaped && unsure.has(key) ? 'unsure' : undefined)
  }

  #follow(key: number): void {
    if (enters.has(key) && this.#isSearching) this.#isSearching = false
    else if (enters.has(key) || key === interrupt) this.#isEscaped = this.#isSearching = false
    else if (this.#last === escape && !introducers.has(key)) this.#isEscaped = true
    if (this.#isEscaped && searches.has(key)) this.#isSearching = true
    this.#last = key
  }
}
