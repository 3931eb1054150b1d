import type { Language } from '@sallyport/contract/messages/language'
import i18next from 'i18next'

/** A part of the console with a message catalogue of its own: packages/contract/src/messages/<namespace>.ts. */
export type Namespace = 'console' | 'kit' | 'luna' | 'transfer'

type Catalogue = Record<string, string>

const catalogues: Record<Language, Record<string, () => Promise<Catalogue>>> = {
  en: import.meta.glob<Catalogue>(
    '../../../../packages/contract/src/messages/{console,kit,luna,transfer}.ts',
    {
      query: '?language=en',
      import: 'default',
    },
  ),
  zh: import.meta.glob<Catalogue>(
    '../../../../packages/contract/src/messages/{console,kit,luna,transfer}.ts',
    {
      query: '?language=zh',
      import: 'default',
    },
  ),
  ja: import.meta.glob<Catalogue>(
    '../../../../packages/contract/src/messages/{console,kit,luna,transfer}.ts',
    {
      query: '?language=ja',
      import: 'default',
    },
  ),
}

/** The messages of a part in one language. */
export async function loadCatalogue(namespace: Namespace, language: Language): Promise<Catalogue> {
  const load = catalogues[language][`../../../../packages/contract/src/messages/${namespace}.ts`]
  if (load === undefined) throw new Error(`no message catalogue for ${namespace}`)
  return load()
}

/** Loads the messages of a part that is not there from the beginning. */
export async function loadMessages(namespace: Namespace): Promise<void> {
  const language = i18next.language as Language
  if (!i18next.hasResourceBundle(language, namespace))
    i18next.addResourceBundle(language, namespace, await loadCatalogue(namespace, language))
}
