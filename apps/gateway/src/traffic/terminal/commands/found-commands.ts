import { commandInputMax, shortened } from '@sallyport/contract/gateway/commands'
import type { Marker } from '../screen/emulation.ts'
import type { Command, Unread } from '../screen/messages.ts'
import type { ScreenText } from './screen-text.ts'

/** Characters of output in a command's record. */
export const outputMax = 1024
/** Output of a command is taken when so many lines or so much time have passed, or at the next prompt. */
const outputRows = 24
const outputWithinMs = 1000

/** The commands that were found, each told once, with its output. */
export class FoundCommands {
  readonly #text: ScreenText
  readonly #onFound: (found: Command | Unread) => void
  #open: { command: Command; marker: Marker; timer: NodeJS.Timeout } | undefined

  constructor(text: ScreenText, onFound: (found: Command | Unread) => void) {
    this.#text = text
    this.#onFound = onFound
  }

  /** The line ends in that row; its output follows. */
  record(text: string, time: number, endRow: number): void {
    this.finishOutput(this.#text.logicalStart(endRow))
    const command = commandOf(text, time)
    const marker = this.#text.mark(Math.min(endRow + 1, this.#text.cursorRow))
    if (!marker) return this.#onFound(command)
    const timer = setTimeout(() => this.finishOutput(), outputWithinMs)
    this.#open = { command, marker, timer }
  }

  /** Of one whose output is not known. */
  tell(text: string, time: number): void {
    this.#onFound(commandOf(text, time))
  }

  /** Gives the last command away with its output, which ends before `row`. */
  finishOutput(row = this.#text.cursorRow + 1): void {
    const open = this.#open
    if (!open) return
    this.#open = undefined
    clearTimeout(open.timer)
    const from = open.marker.isDisposed ? row : open.marker.line
    open.marker.dispose()
    const end = Math.min(row - 1, from + outputRows * 4)
    if (end >= from) open.command.output = this.#text.textOfRows(from, end).trimEnd().slice(0, outputMax)
    this.#onFound(open.command)
  }

  /** Lines that were nothing but blanks and Enter are none. */
  tellUnread(
    unread: Unread['unread'],
    entered: readonly { typed: string | undefined; time: number }[],
  ): void {
    const lines = entered.filter(({ typed }) => typed?.trim() !== '')
    const [first] = lines
    if (first) this.#onFound({ unread, lines: lines.length, time: first.time })
  }
}

const commandOf = (text: string, time: number): Command => ({
  input: shortened(text, commandInputMax),
  output: '',
  time,
})
