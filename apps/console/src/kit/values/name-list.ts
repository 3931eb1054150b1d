/** Where a list of names that is typed or pasted is split. Names can hold blanks; one that holds a comma can be sent to the API, but not typed here. */
export const nameSeparators = [',', '，', '、', '\n', '\r']

/** Names as they were split, without the blanks around them, each once. */
export const tidyNames = (names: readonly string[]): string[] => [
  ...new Set(names.map((name) => name.trim()).filter((name) => name !== '')),
]
