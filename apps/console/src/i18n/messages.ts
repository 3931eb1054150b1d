import type { Language } from '@sallyport/contract/messages/language'
import i18next, { type ResourceNamespaceMap } from 'i18next'

/**
 * A part of the console with a message catalogue of its own, a file in packages/contract/src/messages: those of the
 * shell, the sign-in pages and each view stand in `console/`.
 */
export type Namespace = keyof ResourceNamespaceMap

type Catalogue = Record<string, string>
type Messages = Catalogue | Record<string, Catalogue>
type Loads = Record<string, () => Promise<Messages>>

/** By the name of the file; those of every page stand in one. */
const catalogues: Record<Language, Loads> = {
  en: import.meta.glob<Messages>(
    [
      '../../../../packages/contract/src/messages/{console/*,luna,transfer}.ts',
      '!../../../../packages/contract/src/messages/console/shell.ts',
    ],
    { query: '?language=en', import: 'default' },
  ),
  zh: import.meta.glob<Messages>(
    [
      '../../../../packages/contract/src/messages/{console/*,luna,transfer}.ts',
      '!../../../../packages/contract/src/messages/console/shell.ts',
    ],
    { query: '?language=zh', import: 'default' },
  ),
  ja: import.meta.glob<Messages>(
    [
      '../../../../packages/contract/src/messages/{console/*,luna,transfer}.ts',
      '!../../../../packages/contract/src/messages/console/shell.ts',
    ],
    { query: '?language=ja', import: 'default' },
  ),
}
const folder = '../../../../packages/contract/src/messages'
const isOfEveryPage = (namespace: Namespace) => namespace === 'kit' || namespace === 'shell'

/** The messages of a part in one language. */
export async function loadCatalogue(namespace: Namespace, language: Language): Promise<Catalogue> {
  const of = catalogues[language]
  const name = isOfEveryPage(namespace) ? 'every-page' : namespace
  const load = of[`${folder}/console/${name}.ts`] ?? of[`${folder}/${name}.ts`]
  const loaded = await load?.()
  const found = isOfEveryPage(namespace) ? loaded?.[namespace] : loaded
  if (found === undefined) throw new Error(`no message catalogue for ${namespace}`)
  return found as Catalogue
}

/** Loads the messages of a part that is not there from the beginning. */
export async function loadMessages(namespace: Namespace): Promise<void> {
  const language = i18next.language as Language
  if (!i18next.hasResourceBundle(language, namespace))
    i18next.addResourceBundle(language, namespace, await loadCatalogue(namespace, language))
}

/** Code, once the messages of the part it belongs to, fetched beside it, are there too. */
export async function withMessages<T>(namespace: Namespace, load: () => Promise<T>): Promise<T> {
  const [code] = await Promise.all([load(), loadMessages(namespace)])
  return code
}
