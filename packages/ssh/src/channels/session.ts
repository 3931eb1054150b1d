import type { Reader } from '../wire/reader.ts'
import type { Writer } from '../wire/writer.ts'

/** Of extended data (RFC 4254, 5.2): standard error. */
export const stderrType = 1

/** How a program ended (RFC 4254, 6.10); names of signals come without SIG. */
export type Exit = { kind: 'status'; code: number } | { kind: 'signal'; name: string }

export interface TerminalSize {
  cols: number
  rows: number
  /** Of the whole window; 0 where that is not known. */
  widthPixels: number
  heightPixels: number
}

export interface Terminal extends TerminalSize {
  /** As TERM: `xterm-256color`. */
  term: string
  /** As they are on the wire (RFC 4254, 8). */
  modes: Buffer
}

/** No modes: the end of their list alone. */
export const noModes = Buffer.from([0])

const maxModesBytes = 4096

export function writeTerminal(body: Writer, terminal: Terminal): void {
  body.string(terminal.term)
  writeSize(body, terminal)
  body.string(terminal.modes)
}

export function readTerminal(body: Reader): Terminal {
  return {
    term: body.string(body.left).toString('latin1'),
    ...readSize(body),
    modes: Buffer.from(body.string(maxModesBytes)),
  }
}

export function writeSize(body: Writer, size: TerminalSize): void {
  body.uint32(size.cols).uint32(size.rows).uint32(size.widthPixels).uint32(size.heightPixels)
}

export function readSize(body: Reader): TerminalSize {
  return {
    cols: body.uint32(),
    rows: body.uint32(),
    widthPixels: body.uint32(),
    heightPixels: body.uint32(),
  }
}

/** Undefined where it is not UTF-8, which is nobody's fault here: programs and names may be in any coding. */
export function readText(body: Reader): string | undefined {
  const bytes = body.string(body.left)
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text : undefined
}
