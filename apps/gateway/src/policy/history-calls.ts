/**
 * What a shell is in the middle of where a line ends: first what is open, the innermost last (`'`, `"`, `$` for `$'`, `(`, `{`, `[` and a
 * backtick), then, each behind a line feed, the here-documents to come.
 */
export type Open = string

export const nothingOpen: Open = ''
/** Where nobody can tell. */
export const unknown: readonly Open[] = ['', "'", '"']
/** More than anybody nests, and in how many ways what is left open may be read. */
const deepest = 32
const waysMost = 8

/** How shells may read a line: only interactive ones know no comments, not all know `$'…'`, and older ones take quotes as they come. */
interface Knowing {
  comments: boolean
  ansi: boolean
  nesting: boolean
}
const knowings: readonly Knowing[] = [
  { comments: true, ansi: true, nesting: true },
  { comments: false, ansi: true, nesting: true },
  { comments: false, ansi: true, nesting: false },
  { comments: false, ansi: false, nesting: false },
]

/** `<<E`, `<<-E`, `<< 'E'`; not `<<<`. */
const hereDocument = /<<(-?)[ \t]*((?:\\.|'[^'\n]*'|"[^"\n]*"|[^\s;&|()<>'"\\])+)/y

/** So many characters are followed, once for each of what they may begin in: more would hold everybody else up. */
const followedMaxChars = 128 * 1024

/** Whether anybody can tell what these lines leave open. */
export const canBeFollowed = (lines: readonly string[], begunIn: ReadonlySet<Open>): boolean =>
  lines.reduce((chars, { length }) => chars + length, 0) * begunIn.size <= followedMaxChars

/** Whether it is a call wherever it stands, even in quotes. */
export const looksLikeCall = (line: string): boolean => isReplacing(line) || callsOf(line).size > 0

/** `^a^b`, `^a` */
const isReplacing = (line: string) => /^\^./.test(line.trimStart())

/**
 * Whether an interactive shell puts something of its history in: `!!`, `!rm`, `!-2`, `^a^b`, `^a`. Single quotes and backslashes keep it from
 * that, and so does beginning a script (`#!/bin/sh`), which is a comment.
 */
export function takesFromHistory(line: string, begunIn: Iterable<Open> = [nothingOpen]): boolean {
  if (isReplacing(line)) return true
  const calls = callsOf(line)
  if (calls.size === 0) return false
  const begun = new Set([...begunIn].flatMap((open) => [open, ...flat(open)]))
  return [...begun].some((open) => knowings.some((knowing) => new Walk(line, open, knowing, calls).takes))
}

/** Where it is no call to bash, whatever is quoted, nor leads to one of another shell: `${!name[@]}`, `[!a-z]`, `/proc/$!/fd`. */
const noCall =
  /(?<=\$\{)!(?=(?:[a-z_][^\s!}]*)?\})|(?<=\[)!(?=(?:0-|[^\s\d!?$^*%{:#-])[^\s!\]]*\])|(?<=\$)!(?=[/.,>}\]`"])/gi

/** Where `!` stands that shells may take for a call of the history. */
function callsOf(line: string): Set<number> {
  const calls = new Set(Array.from(line.matchAll(/!(?=[^\s=(;&|)])/g), ({ index }) => index))
  for (const { index } of line.matchAll(noCall)) calls.delete(index)
  // What a script begins with; followed by a blank it is no call in the first place.
  for (const { index, 0: begun } of line.matchAll(/^[ \t]*#!(?=\/)/gm)) calls.delete(index + begun.length - 1)
  return calls
}

/** What a line may leave open that begins in one of these. */
export function leftOpen(text: string, begunIn: Iterable<Open>): Set<Open> {
  let begun = new Set(begunIn)
  for (const line of text.split('\n')) {
    const left = new Set<Open>()
    for (const open of begun)
      for (const knowing of knowings.filter(({ nesting }) => nesting))
        for (const one of leftBy(line, open, knowing)) left.add(one)
    begun = fewOf(left)
  }
  return begun
}

/** The same, where they are not too many. */
export const fewOf = (open: Set<Open>): Set<Open> => (open.size > waysMost ? new Set(unknown) : open)

/** Whether a shell in the middle of it surely asks for more. */
export const isQuoteOpen = (open: Open): boolean => /['"$]/.test(openOf(open))

const openOf = (open: Open) => open.split('\n', 1)[0] ?? ''

/** The same for who takes quotes as they come: any of those that are open. */
const flat = (open: Open) => Array.from(openOf(open), (sign) => (/["'$]/.test(sign) ? sign : ''))

function leftBy(line: string, begun: Open, knowing: Knowing): readonly Open[] {
  const [open = '', ...documents] = begun.split('\n')
  const [document, ...others] = documents
  if (document !== undefined && !/['"$]$/.test(open)) {
    const end = document.slice(1)
    const isEnd = line === end || (document.startsWith('-') && line.replace(/^\t+/, '') === end)
    return isEnd ? [[open, ...others].join('\n')] : [begun]
  }
  const { left, isUnsure } = new Walk(line, begun, knowing, new Set())
  return isUnsure ? [...unknown, ...left] : left
}

/** One way through a line. */
class Walk {
  readonly #line: string
  readonly #knowing: Knowing
  readonly #open: string[]
  readonly #documents: string[]
  /** `<<` may mean something else behind it. */
  #isArithmetic = false
  #at = 0
  takes = false
  /** Shells differ, or only the whole grammar would tell. */
  isUnsure = false

  constructor(line: string, begun: Open, knowing: Knowing, calls: ReadonlySet<number>) {
    const [open = '', ...documents] = begun.split('\n')
    this.#line = line
    this.#knowing = knowing
    this.#open = Array.from(open)
    this.#documents = documents
    for (; this.#at < line.length; this.#at++) {
      const sign = line[this.#at] ?? ''
      const top = this.#open.at(-1)
      const isCall = calls.has(this.#at) && !(top === '"' && line[this.#at + 1] === '"')
      if (isCall && top !== "'" && top !== '$') this.takes = true
      this.#step(sign, top)
      if (this.#open.length + this.#documents.length > deepest) {
        this.isUnsure = true
        this.#open.length = 0
        this.#documents.length = 0
      }
    }
  }

  get left(): Open[] {
    return [[this.#open.join(''), ...this.#documents].join('\n')]
  }

  #step(sign: string, top: string | undefined): void {
    if (top === "'") {
      if (sign === "'") this.#open.pop()
    } else if (sign === '\\') this.#at++
    else if (top === '$') {
      if (sign === "'") this.#open.pop()
    } else if (sign === '"') {
      if (top === '"') this.#open.pop()
      else this.#open.push('"')
    } else if (top === '"') {
      if (this.#knowing.nesting) this.#nest(sign)
    } else if (sign === "'") this.#quote(top)
    else if (this.#knowing.nesting) this.#plain(sign, top)
  }

  #quote(top: string | undefined): void {
    const isAnsi = this.#knowing.ansi && this.#line[this.#at - 1] === '$'
    // … but where that is the end of `$$`, or escaped.
    this.isUnsure ||= isAnsi && /[$\\]/.test(this.#line[this.#at - 2] ?? '')
    // In `"${x+'…'}"` it is a quote to some.
    if (top === '{' && this.#open.includes('"')) this.isUnsure = true
    else this.#open.push(isAnsi ? '$' : "'")
  }

  /** Substitutions, within double quotes and without. */
  #nest(sign: string): void {
    if (sign === '`') {
      const begun = this.#open.lastIndexOf('`')
      if (begun < 0) this.#open.push('`')
      else this.#open.length = begun
    } else if (sign === '$' && /[({[]/.test(this.#line[this.#at + 1] ?? ''))
      this.#open.push(this.#line[++this.#at] ?? '')
  }

  #plain(sign: string, top: string | undefined): void {
    const line = this.#line
    this.#isArithmetic ||= sign === '[' || (sign === '(' && line[this.#at - 1] === '(')
    if (sign === '(' && top !== '{') this.#open.push('(')
    else if (sign === closing[top ?? '']) this.#open.pop()
    else if (sign === '#' && this.#knowing.comments && this.#isComment) this.#at = endOfLine(line, this.#at)
    else if (sign === '<' && line[this.#at + 1] === '<' && top !== '{') this.#here()
    // The patterns of one end with a parenthesis that nothing opened.
    else if (sign === 'c' && top === '(' && line.startsWith('case', this.#at)) this.isUnsure = true
    else this.#nest(sign)
  }

  get #isComment(): boolean {
    const isWord = this.#at === 0 || /[\s;&|()]/.test(this.#line[this.#at - 1] ?? '')
    return isWord && this.#open.every((sign) => sign === '(' || sign === '"')
  }

  #here(): void {
    if (this.#line[this.#at + 2] === '<') {
      this.#at += 2
      return
    }
    hereDocument.lastIndex = this.#at
    const [whole, dash, end] = hereDocument.exec(this.#line) ?? []
    // Not every shell takes one in a substitution, or with a name like that.
    const isPlain = this.#open.length === 0 && !/[$`]/.test(end ?? '$')
    this.isUnsure ||= !isPlain || this.#isArithmetic
    this.#at += (whole?.length ?? 2) - 1
    if (end !== undefined) this.#documents.push((dash || ' ') + end.replaceAll(/\\(.)|['"]/g, '$1'))
  }
}

const closing: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']' }

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}
