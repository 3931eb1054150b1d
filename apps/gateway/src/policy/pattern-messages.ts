/** What the gateway and its pattern worker say to each other. */

export interface Pattern {
  /** RE2 */
  source: string
  ignore_case: boolean
}

/** Where a search goes on: at that pattern, and that text for it. */
export interface Place {
  index: number
  text: number
}

export type PatternOrder =
  | { kind: 'learn'; patterns: [id: number, pattern: Pattern][] }
  | { kind: 'forget'; ids: number[] }
  /** Answered by one `PatternAnswer`. */
  | { kind: 'find'; ids: number[]; texts: readonly string[]; from: Place }

/** The first of the patterns that is in one of the texts; `text` is what it found, undefined: the pattern cannot be used. */
export interface Found {
  index: number
  text: string | undefined
}

/** `next`: the turn is over, and nothing was found up to there. A pattern takes a turn of its own to be made ready. */
export type PatternAnswer = { found: Found | undefined } | { next: Place }
