/** In one line of at most `most` UTF-16 units, never with half a character: what comes from elsewhere, and may end lines, hide others, or be long. */
export const inOneLine = (text: string, most: number): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, most)
    .replace(/[\uD800-\uDBFF]$/, '')
    .toWellFormed()
    .trim()
