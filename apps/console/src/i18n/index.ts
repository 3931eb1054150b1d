import dayjs from 'dayjs'
import { use as withPlugin } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { cookies } from '@sallyport/contract/constants'
import {
  type Language,
  languageCookieSeconds,
  languageOf,
  languageTags,
} from '@sallyport/contract/messages/language'
import { readCookie, writeCookie } from '../kit/api/cookies.ts'
import { paintFont } from '../kit/theme/paint.ts'
import { loadCatalogue, type Namespace } from './messages.ts'

const dateLocales: Record<Language, () => Promise<unknown>> = {
  en: () => Promise.resolve(),
  zh: () => import('dayjs/locale/zh-cn'),
  ja: () => import('dayjs/locale/ja'),
}

const dateLocaleNames: Record<Language, string> = { en: 'en', zh: 'zh-cn', ja: 'ja' }

/** The language a person sees: the cookie's, else the browser's, else Chinese. */
export function chooseLanguage(cookie: string | undefined, browserLanguages: readonly string[]): Language {
  for (const tag of [cookie, ...browserLanguages]) {
    const language = languageOf(tag)
    if (language !== undefined) return language
  }
  return 'zh'
}

let current: Language = 'en'

/**
 * Loads the person's language (messages of the given namespaces, date locale) and nothing of the others.
 * The first namespace is the default one of `useTranslation()`.
 */
export async function startI18n(namespaces: readonly [Namespace, ...Namespace[]]): Promise<Language> {
  const language = chooseLanguage(readCookie(cookies.language), navigator.languages)
  current = language
  const [loaded] = await Promise.all([
    Promise.all(
      namespaces.map(async (namespace) => [namespace, await loadCatalogue(namespace, language)] as const),
    ),
    dateLocales[language](),
  ])
  dayjs.locale(dateLocaleNames[language])
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : language
  paintFont(language)
  await withPlugin(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    ns: [...namespaces],
    defaultNS: namespaces[0],
    resources: { [language]: Object.fromEntries(loaded) },
    keySeparator: false,
    interpolation: { escapeValue: false },
  })
  return language
}

/** The language in use. */
export function currentLanguage(): Language {
  return current
}

/** Remembers the language for this browser and starts the page anew in it: the server's own texts change too. */
export function switchLanguage(language: Language): void {
  writeCookie(cookies.language, languageTags[language], languageCookieSeconds)
  location.reload()
}

/** How each language calls itself. */
export const languageNames: Record<Language, string> = { zh: '中文（简体）', en: 'English', ja: '日本語' }
