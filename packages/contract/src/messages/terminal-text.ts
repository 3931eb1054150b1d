import { type Catalogue, type Language, type Params, translate } from './language.ts'

/** Text of others in one line without anything a terminal would obey. */
export function printable(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, '')
}

/** A sentence for a terminal: parameters carry no control characters to it. */
export function translateForTerminal<K extends string>(
  from: Catalogue<K>,
  language: Language,
  key: K,
  params: Params = {},
): string {
  const safe = Object.entries(params).map(([name, value]) => [name, printable(String(value))])
  return translate(from, language, key, Object.fromEntries(safe))
}
