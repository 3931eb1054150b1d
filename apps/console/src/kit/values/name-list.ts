/** Where a list of names that is typed or pasted is split: names of assets and accounts can hold blanks, but no commas of any script. */
export const nameSeparators = [',', '，', '、', '\n', '\r']

/** Names as they were split, without the blanks around them, each once. */
export const tidyNames = (names: readonly string[]): string[] => [
  ...new Set(names.map((name) => name.trim()).filter((name) => name !== '')),
]
