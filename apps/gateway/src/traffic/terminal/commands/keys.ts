/** What a key means for the line that is being typed. */
export type Key =
  | { kind: 'text'; text: string }
  /** A paste begins, which is text. */
  | { kind: 'paste' }
  /** `isFollowed`: the program may put another line there. */
  | { kind: 'enter'; isFollowed: boolean }
  | { kind: 'erase' }
  /** All before the cursor. */
  | { kind: 'erase_all' }
  | { kind: 'interrupt' }
  /** Ctrl-L: clears the screen and shows the line again, at the top. */
  | { kind: 'redraw' }
  /** Anything that changes the line in ways only the screen shows: arrows, history, completion. */
  | { kind: 'edit'; isCompletion?: boolean; isMove?: boolean }

export interface Pasted {
  /** So many have ended. */
  lines: number
  /** The one that has not; undefined: not only text, or more than anybody types. */
  last: string | undefined
}

/**
 * What was pasted of a line and is not to be seen, as programs show a paste only once it has ended.
 * @param before what was typed of the line before the paste; undefined: not known
 */
export function unseenOf(
  pasted: Pasted | undefined,
  before: string | undefined,
  typed: string | undefined,
  shown: string,
): string | undefined {
  if (!pasted || before?.startsWith(shown.trimEnd()) !== true) return undefined
  // Its first line ends what stood there before.
  const isAll = pasted.lines > 0 || before === ''
  return isAll ? pasted.last : typed
}

const lineMax = 64 * 1024
const pasteBegin = '\x1b[200~'
const pasteEnd = '\x1b[201~'
/** What follows Escape: a CSI or SS3 sequence, or one key (Meta). */
const escaped = /^(?:\[[\d;?<]*[ -/]*[@-~]|O[ -~]|[ -NP-Z\\-~])/
/** Right, left, Home and End. */
const moves = /^(?:[[O][CDHF]|\[[1478]~)$/
/** Ctrl-A, Ctrl-B, Ctrl-E and Ctrl-F. */
const movingKeys = new Set([0x01, 0x02, 0x05, 0x06])
const partMax = 32
/** But tabs and ends of lines. */
const controls = /(?![\t\n])\p{Cc}/u

/** Reads what a person sends, a piece at a time; bracketed pastes are text, whatever they hold. */
export class KeyReader {
  readonly #decoder = new TextDecoder()
  #rest = ''
  #isPasting = false
  #pasted: Pasted | undefined

  /** The paste that has begun and not ended. */
  get pasted(): Pasted | undefined {
    return this.#isPasting ? this.#pasted : undefined
  }

  /** The program begins to read a line: of a paste that it gave up it knows nothing more. */
  endPaste(): void {
    this.#isPasting = false
  }

  /** `isPasteMode`: the program has asked to be told of pastes; to any other the marks are keys. */
  read(bytes: Uint8Array, isPasteMode = true): Key[] {
    this.#isPasting &&= isPasteMode
    let input = this.#rest + this.#decoder.decode(bytes, { stream: true })
    this.#rest = ''
    const keys: Key[] = []
    const text = (part: string) => {
      const last = keys.at(-1)
      if (last?.kind === 'text') last.text += part
      else if (part) keys.push({ kind: 'text', text: part })
    }
    while (input) {
      if (this.#isPasting) {
        const end = input.indexOf(pasteEnd)
        if (end < 0) this.#rest = beginningOf(pasteEnd, input)
        const last = end < 0 ? input.length - this.#rest.length : end
        const pasted = input.slice(0, last).replaceAll('\r', '\n')
        text(pasted)
        this.#followPaste(pasted)
        // To a program that knows no pastes they are keys.
        if (controls.test(pasted)) keys.push({ kind: 'edit' })
        input = end < 0 ? '' : input.slice(end + pasteEnd.length)
        this.#isPasting = end < 0
        continue
      }
      if (isPasteMode && input.startsWith(pasteBegin)) {
        this.#isPasting = true
        this.#pasted = { lines: 0, last: '' }
        keys.push({ kind: 'paste' })
        input = input.slice(pasteBegin.length)
        continue
      }
      const key = input.charCodeAt(0)
      if (key === 0x1b) {
        const sequence = escaped.exec(input.slice(1, partMax))?.[0]
        const isCutOff = !sequence && /^(?:\[[\d;?<]*[ -/]*|O)$/.test(input.slice(1))
        if (isCutOff && input.length < partMax) {
          this.#rest = input
          break
        }
        keys.push(sequence && moves.test(sequence) ? { kind: 'edit', isMove: true } : { kind: 'edit' })
        input = input.slice(1 + (sequence?.length ?? 0))
        continue
      }
      if (key >= 0x20 && key !== 0x7f) {
        let end = 1
        while (end < input.length && input.charCodeAt(end) >= 0x20 && input.charCodeAt(end) !== 0x7f) end++
        text(input.slice(0, end))
        input = input.slice(end)
        continue
      }
      keys.push(controlKey(key))
      input = input.slice(1)
    }
    return keys
  }

  #followPaste(text: string): void {
    const { lines = 0, last = '' } = this.#pasted ?? {}
    const ended = text.split('\n')
    const added = ended.at(-1) ?? ''
    const own = ended.length === 1 ? last?.concat(added) : added
    const isText = own !== undefined && own.length <= lineMax && !controls.test(added)
    this.#pasted = { lines: lines + ended.length - 1, last: isText ? own : undefined }
  }
}

/** So much of the mark as the text ends with: the rest may come with the next piece. */
function beginningOf(mark: string, text: string): string {
  let length = Math.min(mark.length - 1, text.length)
  while (!text.endsWith(mark.slice(0, length))) length--
  return mark.slice(0, length)
}

function controlKey(key: number): Key {
  // Ctrl-O accepts a line as Enter does, and fetches the next one of the history
  if (key === 0x0d || key === 0x0a || key === 0x0f) return { kind: 'enter', isFollowed: key === 0x0f }
  if (key === 0x7f || key === 0x08) return { kind: 'erase' }
  if (key === 0x15) return { kind: 'erase_all' }
  if (key === 0x03) return { kind: 'interrupt' }
  if (key === 0x0c) return { kind: 'redraw' }
  if (key === 0x09) return { kind: 'edit', isCompletion: true }
  if (movingKeys.has(key)) return { kind: 'edit', isMove: true }
  return { kind: 'edit' }
}
