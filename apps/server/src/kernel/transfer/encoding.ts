/** The characters of a csv file, which does not say how they are written. */

const marks: readonly [readonly number[], string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]
/** What spreadsheets write where nobody chose Unicode: Chinese ones GBK (of which GB 18030 holds all), Japanese ones Shift JIS. */
const local = { zh: ['gb18030', 'shift_jis'], ja: ['shift_jis', 'gb18030'] } as const
const sample = 4096

/** @returns undefined for what is written in none of the encodings people use */
export function decoded(file: Uint8Array, language: string): string | undefined {
  const marked = marks.find(([mark]) => mark.every((byte, at) => file[at] === byte))
  const guesses = marked
    ? [marked[1]]
    : [...unmarkedUtf16(file.subarray(0, sample)), 'utf-8', ...local[language === 'ja' ? 'ja' : 'zh']]
  for (const encoding of guesses) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(file)
    } catch {
      continue
    }
  }
  return undefined
}

/** Letters, digits and commas leave every other byte zero. */
function unmarkedUtf16(begin: Uint8Array): string[] {
  const zeros = [0, 0]
  for (const [at, byte] of begin.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (even === 0 && odd === 0) return []
  return [odd > even ? 'utf-16le' : 'utf-16be']
}
