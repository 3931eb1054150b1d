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
const control = { e: 0x05, x: 0x18 }
const enters = new Set([0x0d, 0x0a])
const sequenceMax = 20

/**
 * Enter, line feed, Ctrl-O, and Ctrl-D, which gives a plain terminal's line away as it stands; inside pastes too, for not every program
 * knows what a paste is.
 */
const single = new Set([...enters, 0x0f, 0x04])
/** What an introducer begins, with the pictures of control characters, by its last key. */
const sequences: { last: string; whole: RegExp; taking: Taking }[] = [
  // Enter of the keypad, and as newer terminals may say it
  { last: 'M', whole: /^␛OM$/, taking: 'line' },
  { last: 'u', whole: /^␛\[(?:1[03]|57414)(?:[;:][\d;:]{0,8})?u$/, taking: 'line' },
  { last: '~', whole: /^␛\[27;\d{1,3};1[03]~$/, taking: 'line' },
  // edit-and-execute-command, shell-expand-line
  { last: '␅', whole: /^[␘␛]␅$/, taking: 'unread' },
  // call-last-kbd-macro
  { last: 'e', whole: /^␘e$/, taking: 'unread' },
  { last: 'E', whole: /^␘E$/, taking: 'unread' },
  // vi-edit-and-execute-command
  { last: 'v', whole: /^␛[O[\d;:]*v$/, taking: 'unread' },
  // insert-comment
  { last: '#', whole: /^␛[O[\d;:]*#$/, taking: 'comment' },
]
/**
 * Keys that readline knows in vi's insert mode, and that a paste begins and ends: of every other sequence Escape goes to the command mode,
 * and the rest is commands.
 */
const known = /^␛(?:[[O][ABCDFHM]|\[(?:[23]|20[01])~)$/
/** Stand between the introducer of a sequence and its last key. */
const inner = new Set(Array.from('[O0123456789;:', (key) => key.charCodeAt(0)))
/** Meta as the eighth bit of a byte: Esc Ctrl-E and Esc # in one. Behind another such byte it is a part of a letter. */
const meta = new Map<number, Taking>([
  [0x85, 'unread'],
  [0xa3, 'comment'],
])
const eighthBit = 0x80
const pictures: Readonly<Record<number, string>> = { [escape]: '␛', [control.x]: '␘', [control.e]: '␅' }
const pictureOf = (key: number) => pictures[key] ?? String.fromCharCode(key)
const unsure = new Set(['v', '#'].map((key) => key.charCodeAt(0)))
const introducers = new Set(['[', 'O'].map((key) => key.charCodeAt(0)))
const searches = new Set(['/', '?'].map((key) => key.charCodeAt(0)))

/** Finds these keys in what a person sends, however it comes in pieces. */
export class TakingKeys {
  /** What Escape or Ctrl-X began, in pictures, as long as it may be one of the sequences; else nothing. */
  #begun = ''
  #last = 0
  /** Escape came in this line, and not to begin the sequence of a key: vi's command mode may be on. */
  #isEscaped = false
  /** There something is searched for, and Enter does not end that mode. */
  #isSearching = false

  /** In order; `at`: where in the chunk. */
  find(chunk: Buffer): { at: number; taking: Taking }[] {
    const found: { at: number; taking: Taking }[] = []
    for (let at = 0; at < chunk.byteLength; at++) {
      const key = chunk[at] ?? 0
      const taking = this.#takingOf(key)
      if (taking) found.push({ at, taking })
      this.#follow(key)
    }
    // No sequence, which comes at once: what looks like the rest of one is commands.
    if (chunk.at(-1) === escape) this.#isEscaped = true
    return found
  }

  #takingOf(key: number): Taking | undefined {
    if (single.has(key)) return 'line'
    const isMeta = key >= eighthBit && this.#last < eighthBit
    return (
      this.#endOfSequence(key) ??
      (isMeta ? meta.get(key) : undefined) ??
      (this.#isEscaped && unsure.has(key) ? 'unsure' : undefined)
    )
  }

  #endOfSequence(key: number): Taking | undefined {
    if (this.#begun === '') return undefined
    const last = pictureOf(key)
    const whole = this.#begun + last
    return sequences.find((sequence) => sequence.last === last && sequence.whole.test(whole))?.taking
  }

  #follow(key: number): void {
    const begun = this.#begun
    const goesOn = begun !== '' && inner.has(key) && begun.length < sequenceMax
    if (key === escape || key === control.x) this.#begun = pictureOf(key)
    else this.#begun = goesOn ? begun + pictureOf(key) : ''
    if (enters.has(key) && this.#isSearching) this.#isSearching = false
    else if (enters.has(key) || key === interrupt) this.#isEscaped = this.#isSearching = false
    else if (this.#last === escape && !introducers.has(key)) this.#isEscaped = true
    else if (begun.startsWith('␛') && begun.length > 1 && !goesOn && !known.test(begun + pictureOf(key)))
      this.#isEscaped = true
    if (this.#isEscaped && searches.has(key)) this.#isSearching = true
    this.#last = key
  }
}
