/**
 * What a command line may be to a shell. A pattern is searched for in each reading, so that neither quotes nor escapes in the middle of a
 * word hide it: `r''m`, `r\m`, `$'\x72m'`, `rm${IFS}-rf`. What only running it could tell (variables, aliases, `eval`) is in none of them.
 */

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', e: '\x1b', a: '\x07' }
/** In `$'…'`: `\x72`, `\162`, `\u0072`, `\n`, `\'`. */
const ansiEscape = /\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|U([0-9a-f]{1,6})|([0-7]{1,3})|([^]))/giy

/** The line as typed, and without its quotes and escapes, where that is something else. */
export function readingsOf(line: string): string[] {
  const bare = compatible(unquoted(line))
  return bare === line ? [line] : [line, bare]
}

/** Full-width letters are the ordinary ones, and what has no width of its own is nothing. */
const compatible = (text: string) => text.normalize('NFKD').replaceAll(/[\p{Cf}\p{M}]/gu, '')

function unquoted(line: string): string {
  let text = ''
  for (let at = 0; at < line.length; at++) {
    const sign = line[at]
    if (sign === '\\') {
      at++
      // with the line feed it is nothing at all
      if (line[at] !== '\n') text += line[at] ?? ''
    } else if (sign === '$' && line[at + 1] === "'") {
      const string = ansiString(line, at + 2)
      text += string.text
      at = string.end
    } else if (sign === '$') {
      const field = /^\$(?:IFS(?!\w)|\{IFS\}|[@*]|\{[@*]\})/.exec(line.slice(at, at + 8))?.[0]
      if (field === undefined) text += sign
      else if (field.includes('IFS')) text += ' '
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
    if (!found) text += line[at++]
    else {
      const [whole, x, u, U, octal, sign = ''] = found
      const code = octal ? Number.parseInt(octal, 8) : Number.parseInt(x ?? u ?? U ?? '', 16)
      text += Number.isNaN(code) ? (escapes[sign] ?? sign) : code > 0x10ffff ? '' : String.fromCodePoint(code)
      at += whole.length
    }
  }
  return { text, end: at }
}

/** Whether the next line goes on where this one ends: it ends with a backslash that is not escaped itself. */
export const isContinued = (line: string): boolean => (/\\+$/.exec(line)?.[0].length ?? 0) % 2 === 1

/** Whether an interactive shell puts something of its history in: `!!`, `!rm`, `!-2`, `^a^b`. Single quotes and backslashes keep it from that. */
export function takesFromHistory(line: string): boolean {
  if (/^\^[^^]*\^/.test(line.trimStart())) return true
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    const sign = line[at]
    if (sign === "'") isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (sign === '\\') at++
    else if (sign === '!' && /[^\s=("';&|)]/.test(line[at + 1] ?? ' ')) return true
  }
  return false
}
