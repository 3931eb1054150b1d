export const languages = ['en', 'zh', 'ja'] as const
export type Language = (typeof languages)[number]

/** The same texts in every language: a key missing in one of them does not compile. `{name}` in a text is replaced by a parameter. */
export interface Catalogue<K extends string = string> {
  en: Readonly<Record<K, string>>
  zh: Readonly<Record<K, string>>
  ja: Readonly<Record<K, string>>
}
export function catalogue<const E extends Record<string, string>>(texts: {
  en: E
  zh: Readonly<Record<keyof E, string>>
  ja: Readonly<Record<keyof E, string>>
}): Catalogue<keyof E & string> {
  return texts
}

export type Params = Readonly<Record<string, string | number>>

/** The `{name}`s in a text that is known as it stands (`as const`). */
export type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never
/** What has to be said with a text: each `{name}` in it, or nothing. */
export type ParamsOf<Text extends string> = [NamesIn<Text>] extends [never]
  ? [params?: Params]
  : [params: Readonly<Record<NamesIn<Text>, string | number>>]

export const fill = (template: string, params: Params | undefined) =>
  params === undefined
    ? template
    : template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole))
export const translate = <K extends string>(
  from: Catalogue<K>,
  language: Language,
  key: K,
  params?: Params,
) => fill(from[language][key], params)
export const find = (from: Catalogue, language: Language, key: string): string | undefined =>
  from[language][key]

/** The language of a cookie or header value: `zh-hans`, `en-US,en;q=0.9`, `ja` … */
export function languageOf(tag: string | undefined): Language | undefined {
  for (const part of (tag ?? '').toLowerCase().slice(0, 200).split(',')) {
    const found = languages.find((language) => part.trim().startsWith(language))
    if (found) return found
  }
  return undefined
}

type KeysOf<C> = C extends Catalogue<infer K> ? K : never
/** One catalogue of several; the first that has a key wins. */
export function merge<const C extends readonly Catalogue[]>(...catalogues: C): Catalogue<KeysOf<C[number]>> {
  const all = (language: Language) =>
    Object.assign({}, ...catalogues.map((one) => one[language]).toReversed()) as Record<
      KeysOf<C[number]>,
      string
    >
  return { en: all('en'), zh: all('zh'), ja: all('ja') }
}
