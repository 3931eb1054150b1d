/** Patterns of SQL's `like` for what somebody typed: its `%`, `_` and `\` mean themselves. */
export const literal = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)
export const containing = (text: string): string => `%${literal(text)}%`
export const beginning = (text: string): string => `${literal(text)}%`
