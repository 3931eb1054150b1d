import { terminalColsMax, terminalRowsMax } from '@sallyport/contract/terminal-socket'
import type { TerminalSize } from '../ports.ts'

/** What a shell can still show a line in; a smaller window would only hide what is typed. */
const colsMin = 20
const rowsMin = 4

const within = (value: number, min: number, max: number) => Math.min(max, Math.max(min, Math.floor(value)))

/** The size that target, recording and screen are given for what a person's side says its window is. */
export const boundedWindow = ({ cols, rows }: TerminalSize): TerminalSize => ({
  cols: within(cols, colsMin, terminalColsMax),
  rows: within(rows, rowsMin, terminalRowsMax),
})
