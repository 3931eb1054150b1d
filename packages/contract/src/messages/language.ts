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
export type NamesIn<Text extends string> = Text extends `${string}{${infer Place}}${infer Rest}`
  ? (Place extends `${infer Name} ${string}` ? Name : Place) | NamesIn<Rest>
  : never
/** What has to be said with a text: each `{name}` in it, or nothing. */
export type ParamsOf<Text extends string> = [NamesIn<Text>] extends [never]
  ? [params?: Params]
  : [params: Readonly<Record<NamesIn<Text>, string | number>>]

/** `{name}` becomes the parameter, `{days day|days}` the number and the noun that goes with it. */
export const fill = (template: string, params: Params | undefined) =>
  params === undefined
    ? template
    : template.replaceAll(
        /\{(\w+)(?: (\w+)\|(\w+))?\}/g,
        (whole, name: string, one: string | undefined, many: string | undefined) => {
          const value = params[name]
          if (value === undefined) return whole
          return one === undefined ? String(value) : `${value} ${String(value) === '1' ? one : many}`
        },
      )
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

/** What the cookie of the language holds for each. */
export const languageTags: Readonly<Record<Language, string>> = { zh: 'zh-hans', en: 'en', ja: 'ja' }
export const languageCookieSeconds = 365 * 86_400

type KeysOf<C> = C extends Catalogue<infer K> ? K : never
/** Of several lists of keys, those that are in an earlier one, too. */
type Repeated<Keys extends readonly string[], Seen extends string = never> = Keys extends readonly [
  infer First extends string,
  ...infer Rest extends readonly string[],
]
  ? (First & Seen) | Repeated<Rest, First | Seen>
  : never
/** Nothing more is asked for where no two parts have the same key: one would take the other's place without a word. */
type Apart<Keys extends readonly string[]> = [Repeated<Keys>] extends [never]
  ? unknown
  : readonly { 'this key is there twice': Repeated<Keys> }[]
type CatalogueKeys<C extends readonly Catalogue[]> = { [I in keyof C]: KeysOf<C[I]> }

/** One catalogue of several, each with keys of its own. What several areas say alike is in the one they share (`apps/common.ts`). */
export function merge<const C extends readonly Catalogue[]>(
  ...catalogues: C & Apart<CatalogueKeys<C>>
): Catalogue<KeysOf<C[number]>> {
  const all = (language: Language) =>
    Object.assign({}, ...catalogues.map((one) => one[language])) as Record<KeysOf<C[number]>, string>
  return { en: all('en'), zh: all('zh'), ja: all('ja') }
}

/** What a text is asked for by in the browser: one that has forms for one and for several (`_one`, `_other`) by the name without them. */
export type TextName<T> = keyof {
  [
    K in keyof T & string as K extends `${infer Name}_one` ? Name : K extends `${infer Name}_other` ? Name : K
  ]: true
}
/** The texts of a language that has one form for all numbers. */
export type WithoutNumber<T> = Record<Exclude<keyof T, `${string}_one`>, string>

type Texts = Readonly<Record<string, string>>
type TextKeys<T extends readonly Texts[]> = { [I in keyof T]: keyof T[I] & string }
/** The texts of one language in several parts, each with keys of its own. */
export const together = <const T extends readonly Texts[]>(
  ...parts: T & Apart<TextKeys<T>>
): Record<TextKeys<T>[number], string> => Object.assign({}, ...parts) as Record<TextKeys<T>[number], string>
