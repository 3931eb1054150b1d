import { printable } from '@sallyport/contract/messages/terminal-text'
import { fit, width } from '../../../traffic/terminal/width.ts'

const GAP = ' | '
const MIN_COLUMN = 4

/** A table in the width of the window, as lines; the widest columns give way first. The first column is kept whole. */
export function table(headings: string[], rows: string[][], columns: number): string[] {
  const cells = [headings, ...rows].map((row) => headings.map((_, index) => printable(row[index] ?? '')))
  const widths = headings.map((_, index) => Math.max(...cells.map((row) => width(row[index] ?? '')), 1))
  const room = Math.max(columns - 1 - GAP.length * (headings.length - 1), headings.length)
  let excess = widths.reduce((sum, one) => sum + one, 0) - room
  while (excess > 0) {
    const widest = widths.reduce(
      (best, one, index) => (index > 0 && one > (widths[best] ?? 0) ? index : best),
      1,
    )
    const size = widths[widest]
    if (size === undefined || size <= MIN_COLUMN) break
    widths[widest] = size - 1
    excess--
  }
  const line = (row: string[]) => row.map((cell, index) => fit(cell, widths[index] ?? 1)).join(GAP)
  const [heading = [], ...body] = cells
  return [line(heading), widths.map((one) => '-'.repeat(one)).join('-+-'), ...body.map(line)].map((text) =>
    text.trimEnd(),
  )
}
