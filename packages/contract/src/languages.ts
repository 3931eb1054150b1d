/** The languages of the interface, the first being the one used when nothing else decides. */
export const languages = ['zh', 'en', 'ja'] as const
export type Language = (typeof languages)[number]

export const languageCookie = 'django_language'

/** What the language cookie holds for each language. */
export const languageCookieValues: Record<Language, string> = { zh: 'zh-hans', en: 'en', ja: 'ja' }

/** The supported language a tag such as `zh-hans`, `en-GB` or `ja_JP` names, if any. */
export function languageOfTag(tag: string): Language | undefined {
  const primary = tag.toLowerCase().split(/[-_]/, 1)[0]
  return languages.find((language) => language === primary)
}
