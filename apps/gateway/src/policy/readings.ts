/**
 * What a command line may be to a shell. A pattern is searched for in each reading, so that neither quotes nor escapes in the middle of a
 * word hide it: `r''m`, `r\m`, `$'\x72m'`, `rm${IFS}-rf`. What only running it could tell (variables, aliases, `eval`) is in none of them.
 */

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', e: '\x1b', a: '\x07' }
/** In `$'…'`: `\x72`, `\x{072}` (the brace need not be closed), `\u0072`, `\162`, `\c@`, `\n`, `\'`. */
const ansiEscape =
  /\\(?:x(?:\{([0-9a-fA-F]*)\}?|([0-9a-fA-F]{1,2}))|(?:u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8}))|([0-7]{1,3})|c(\\\\|[^'\\])|([^]))/gy
/** Fields that separate, or are empty where nobody gave them a value, and substitutions of nothing. */
const nothing = /\$(?:IFS(?!\w)|\{IFS\}|[@*!1-9]|\{[@*!1-9]\}|\([ \t]*\))|`[ \t]*`/y

/** So much of what may be one line is read: more than the window of most people shows, a screenful of other things around it included … */
const linesMaxChars = 128 * 1024
/** … and so much is searched for patterns. */
const readingsMaxChars = 256 * 1024

const charsOf = (texts: Iterable<string>) => [...texts].reduce((chars, { length }) => chars + length, 0)

/** All readings of what may be one line, each once. None where they are too many to be searched: nobody can tell what it is. */
export function readingsOfAll(lines: Iterable<string>): string[] {
  const distinct = new Set<string>()
  let lineChars = 0
  for (const line of lines) {
    if (!distinct.has(line)) lineChars += line.length
    if (lineChars > linesMaxChars) return []
    distinct.add(line)
  }
  const readings = new Set<string>()
  let chars = 0
  for (const reading of Iterator.from(distinct).flatMap(readingsOf)) {
    if (!readings.has(reading)) chars += reading.length
    if (chars > readingsMaxChars) return []
    readings.add(reading)
  }
  return [...readings]
}

/** The readings of a line behind one that may still stand before it; none where either has none, or they are too many. */
export function readingsBehind(before: readonly string[], readings: readonly string[]): string[] {
  const chars = before.length * charsOf(readings) + readings.length * charsOf(before)
  if (before.length === 0 || chars > readingsMaxChars) return []
  return readings.flatMap((reading) => [reading, ...before.map((begun) => begun + reading)])
}

/**
 * The line as typed, and without its quotes and escapes, where that is something else: with `$'…'` as one of them, and with `'` as a quote
 * like any other, for whether a quote stands in quotes depends on what runs it.
 */
export function readingsOf(line: string): string[] {
  return [...new Set([line, compatible(unquoted(line, true)), compatible(unquoted(line, false))])]
}

/** Full-width letters are the ordinary ones, what has no width of its own is nothing; so is NUL, which a terminal shows as `^@`. */
const compatible = (text: string) =>
  without(without(text).replaceAll(withoutPhrases, (part) => part.normalize('NFKD')))
/** Signs that would become a phrase of up to eighteen letters stay what they are. */
const withoutPhrases = /[^\ufdfa\ufdfb]+/g
// Marks by the thousand take long to be brought in order.
const without = (text: string) => text.replaceAll(/[\p{Cf}\p{M}\0]|\^@/gu, '')

function unquoted(line: string, knowsAnsi: boolean): string {
  let text = ''
  for (let at = 0; at < line.length; at++) {
    const sign = line[at]
    if (sign === '\\') {
      at++
      // with the line feed it is nothing at all
      if (line[at] !== '\n') text += line[at] ?? ''
    } else if (knowsAnsi && sign === '$' && line[at + 1] === "'") {
      const string = ansiString(line, at + 2)
      text += string.text
      at = string.end
    } else if (sign === '$' || sign === '`') {
      nothing.lastIndex = at
      const field = nothing.exec(line)?.[0]
      if (field?.includes('IFS')) text += ' '
      // `$"…"` is `"…"` in the language of the person
      else if (field === undefined && (sign === '`' || !/["']/.test(line[at + 1] ?? ''))) text += sign
      at += (field?.length ?? 1) - 1
    } else if (sign !== "'" && sign !== '"') text += sign
  }
  return text
}

/** `end`: where the quote behind it stands. */
function ansiString(line: string, from: number): { text: string; end: number } {
  let text = ''
  let at = from
  while (at < line.length && line[at] !== "'") {
    ansiEscape.lastIndex = at
    const found = line[at] === '\\' ? ansiEscape.exec(line) : null
    text += found ? escaped(found) : line[at]
    at += found?.[0].length ?? 1
  }
  // To bash a NUL is the end of the string.
  return { text: text.split('\0')[0] ?? '', end: at }
}

/** Of a byte that is too large its last eight bits count, as in bash. */
function escaped([, braced, x, u, U, octal, control, sign]: RegExpExecArray): string {
  if (sign) return escapes[sign] ?? sign
  const code = control
    ? control.charCodeAt(0) & 0x1f
    : octal
      ? Number.parseInt(octal, 8) & 0xff
      : Number.parseInt((braced ?? x)?.slice(-2) ?? u ?? U ?? '', 16) || 0
  return code > 0x10ffff ? '' : String.fromCodePoint(code)
}

/** Whether the next line goes on where this one ends: it ends with a backslash that is not escaped itself. */
export function isContinued(line: string): boolean {
  let backslashes = 0
  while (line.at(-1 - backslashes) === '\\') backslashes++
  return backslashes % 2 === 1
}
