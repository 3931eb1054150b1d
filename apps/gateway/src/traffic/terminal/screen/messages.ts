/** What the gateway and its emulation workers say to each other. */
import type { TerminalSize } from '../../ports.ts'

export interface Painting extends TerminalSize {
  bytes: Uint8Array
}

/** A command that was read off the screen. */
export interface Command {
  input: string
  output: string
  /** ms since the epoch */
  time: number
}

/** Lines a person entered that could not be read: never shown, in a full-screen program, or the screen was lost. */
export interface Unread {
  unread: 'not_shown' | 'full_screen' | 'screen_lost'
  lines: number
  /** ms since the epoch */
  time: number
}

/** The line that is being typed. */
export interface TypedLine {
  /** What stands behind the prompt; undefined: not to be told at the moment. */
  shown: string | undefined
  /** What was typed of it, where that was nothing but text. */
  typed: string | undefined
  /** The same, had no key erased anything; undefined where none did. */
  unerased: string | undefined
  /** Text typed behind a key that completes the line, which is shown once it is complete. */
  sinceCompletion?: string | undefined
  /** The last line of a bracketed paste that goes on, of which the program shows nothing yet. */
  pasted?: string | undefined
  /** What else may be the line: rows around it, where nobody can tell where it begins and ends; of a program what may be a command of its. */
  besides?: readonly string[]
  /** What stands there decides, not what was typed: a command of a program, and keys that edit. */
  isEdited?: boolean
  /** Of a program: rows that may be a line of a shell, or for the program to run. They are judged with what was typed, and never refused for being unread. */
  perhaps?: readonly string[]
  /** In a full-screen program, keys besides text were pressed: they may have it put the cursor elsewhere, where another line stands. */
  isMoving?: boolean
  /** A line of its own, one in a full-screen program that looks like a shell's, or the row of the cursor in another such program. */
  place: 'line' | 'full_screen' | 'program'
  /** What it stands behind; undefined: nothing, or nobody can tell. */
  prompt?: string | undefined
  /** That asks a question, and no shell does that edits lines itself: the line is an answer. */
  isAnswer?: boolean
  /** Nothing is typed, and it begins with the prompt known last. */
  isPrompt: boolean
  /** It was edited and has been seen, and nothing stands there now. */
  isEmptied?: boolean
  /** What is shown may be another line than the program has: the terminal is in a mode that no editor of lines reckons with. */
  isDistorted?: boolean
  /** Nothing was interrupted, or a prompt was seen since: what stood there before has gone. */
  isGivenUp: boolean
}

/** What happens to a screen, in order. */
export type Step =
  /** `isAgain`: the one before was lost. */
  | { kind: 'open'; size: TerminalSize; notice: string; isAgain: boolean }
  | { kind: 'output'; bytes: Uint8Array }
  /** Output was left out; the bytes switch the modes it switched. */
  | { kind: 'gap'; bytes: Uint8Array }
  /** What the person sent; undefined: more than can be followed. */
  | { kind: 'input'; bytes: Uint8Array | undefined }
  | { kind: 'resize'; size: TerminalSize }
  | { kind: 'paint'; isWhole: boolean }
  | { kind: 'line' }
  /** What the gateway itself wrote. A full-screen program knows nothing of it, and has its own screen. */
  | { kind: 'told'; bytes: Uint8Array }
  | { kind: 'close' }

/** Answered by one `Report` with `tookMs`. */
export interface Batch {
  screen: number
  steps: Step[]
}

export interface Report {
  screen: number
  /** ms the batch took; undefined: something found in between. */
  tookMs?: number
  found: (Command | Unread)[]
  /** One for each paint step. */
  paintings: Painting[]
  /** One for each line step; undefined: it can't be read. */
  lines: (TypedLine | undefined)[]
  /** Beginning of all that is kept on the screen, when it was closed. */
  head?: string
}
