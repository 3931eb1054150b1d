/** How commands are shown to those who look at them: whole, or so that nobody can overlook that they are not. */

/** Of a command on the books, in UTF-16 units. */
export const commandInputMax = 2048
/** Of a command that is put to reviewers, in UTF-16 units: nobody approves what they are not shown. */
export const reviewedCommandMax = 4090

/** A number of any size, and the words around it. */
const markMax = 64

/**
 * At most `max` (200 or more) UTF-16 units: of what is longer the beginning and the end, and between them how much was left out. A text that
 * was shortened to `max` stays as it is.
 */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text
  const end = Math.floor((max - markMax) / 4)
  const begin = max - markMax - end
  const left = text.length - begin - end
  return `${text.slice(0, begin)} [… ${left} characters left out …] ${text.slice(-end)}`.toWellFormed()
}
