/** East Asian wide and fullwidth characters and emoji: two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u
const NONE = /[\p{M}\p{Cf}\p{Cc}]/u
const segmenter = new Intl.Segmenter()

/** The characters of a text as a person counts them. */
export function characters(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** How many columns of a terminal the text takes. */
export function width(text: string): number {
  let columns = 0
  for (const character of characters(text)) {
    if (WIDE.test(character)) columns += 2
    else if (!NONE.test(character[0] ?? '')) columns += 1
  }
  return columns
}

/** Letters and signs that every version of Unicode has as wide as the next: of Latin, Greek, Cyrillic, Hebrew, Arabic, Han, Kana and Hangul. */
const CERTAIN =
  /^[\n\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0377\u037a-\u052f\u05d0-\u05ea\u0620-\u064a\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u22ff\u2500-\u259f\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u3400-\u4db5\u4e00-\u9fea\uac00-\ud7a3\uff01-\uff60]*$/

/** Whether where an editor of lines puts its characters depends on the version of Unicode it knows. */
export const isUncertain = (text: string): boolean => !CERTAIN.test(text)

/** The text in exactly so many columns: filled up, or cut in the middle. */
export function fit(text: string, columns: number): string {
  const own = width(text)
  if (own <= columns) return text + ' '.repeat(columns - own)
  if (columns < 3) return '.'.repeat(columns)
  const parts = characters(text)
  const head = take(parts, Math.ceil((columns - 1) / 2))
  const tail = take(parts.toReversed(), Math.floor((columns - 1) / 2)).toReversed()
  const cut = `${head.join('')}…${tail.join('')}`
  return cut + ' '.repeat(columns - width(cut))
}

function take(parts: string[], columns: number): string[] {
  const taken: string[] = []
  let used = 0
  for (const part of parts) {
    used += width(part)
    if (used > columns) break
    taken.push(part)
  }
  return taken
}
