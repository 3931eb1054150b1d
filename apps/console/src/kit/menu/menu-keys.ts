const wordPauseMs = 700

/** The entry a key leads to from the one at `at` (-1: none) of `count`; undefined for every other key. */
export function nextEntry(key: string, at: number, count: number): number | undefined {
  if (count === 0) {
    return undefined
  }
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count
    case 'ArrowUp':
      return at <= 0 ? count - 1 : at - 1
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}

/** What was typed last and when; kept by the menu. */
export interface Typed {
  text: string
  at: number
}

/**
 * The entry that begins with what is typed: letters soon after each other make a word, the same letter again leads on
 * to the next entry with it.
 */
export function typedEntry(
  typed: Typed,
  { key, timeStamp }: { key: string; timeStamp: number },
  labels: readonly string[],
  at: number,
): number | undefined {
  if (key.length !== 1 || key === ' ') {
    return undefined
  }
  const letter = key.toLowerCase()
  const goesOn = timeStamp - typed.at < wordPauseMs
  typed.text = goesOn && typed.text !== letter ? typed.text + letter : letter
  typed.at = timeStamp
  const from = typed.text.length === 1 ? at + 1 : Math.max(at, 0)
  const order = labels.map((_label, index) => (from + index) % labels.length)
  return order.find((index) => labels[index]?.trim().toLowerCase().startsWith(typed.text))
}
