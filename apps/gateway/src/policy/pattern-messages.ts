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
  /** What a search is about, once: however many turns it takes, long texts are handed over but once. Kept until it has found what there is. */
  | { kind: 'ask'; question: number; ids: number[]; texts: readonly string[] }
  /** Nobody waits for it any more. */
  | { kind: 'give_up'; question: number }
  /** A turn for it. Answered by one `PatternAnswer`. */
  | { kind: 'find'; question: number; from: Place }

/** The first of the patterns that is in one of the texts; `text` is what it found, undefined: the pattern cannot be used. */
export interface Found {
  index: number
  text: string | undefined
}

/** `next`: the turn is over, and nothing was found up to there. A pattern takes a turn of its own to be made ready. */
export type PatternAnswer = { found: Found | undefined } | { next: Place }
