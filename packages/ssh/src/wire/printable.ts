/**
 * What a peer says, to be shown or logged: at most so many characters, without anything a terminal or a log would obey. Lines and tabs
 * stay as they are, with `\n` at their ends. Bytes that are no UTF-8 become U+FFFD.
 */
export function printable(bytes: Buffer, maxChars: number): string {
  return bytes
    .subarray(0, maxChars * 4)
    .toString('utf8')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{C}\n\t]/gu, '')
    .slice(0, maxChars)
}
