/**
 * A number as a person types it, in digits of any width; undefined for anything else. Digits in groups are not
 * guessed at: what is a thousand to one person is a one to another.
 */
export function readTypedNumber(text: string, whole: boolean): number | undefined {
  const plain = text.normalize('NFKC').trim()
  return (whole ? /^[-+]?\d+$/u : /^[-+]?\d+(?:\.\d+)?$/u).test(plain) ? Number(plain) : undefined
}
