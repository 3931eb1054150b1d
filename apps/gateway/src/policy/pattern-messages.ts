/** What the gateway and its pattern worker say to each other. */

export interface Pattern {
  /** RE2 */
  source: string
  ignore_case: boolean
}

export type PatternOrder =
  | { kind: 'learn'; patterns: [id: number, pattern: Pattern][] }
  | { kind: 'forget'; ids: number[] }
  /** Answered by one `PatternAnswer`. */
  | { kind: 'find'; ids: number[]; from: number; texts: readonly string[] }

/** The first of the patterns that is in one of the texts; `text` is what it found, undefined: the pattern cannot be used. */
export interface Found {
  index: number
  text: string | undefined
}

export interface PatternAnswer {
  found: Found | undefined
}
