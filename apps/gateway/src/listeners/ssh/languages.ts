import { languageOf, type Language } from '@sallyport/contract/messages/language'

const MAX_KNOWN = 10_000

/** What is known of people's languages while the gateway runs. */
export class Languages {
  readonly #chosen = new Known()
  readonly #spoken = new Known()

  /** Of a person who is logged in: as chosen in the menu, else as their client says; never as somebody else spoke at their address. */
  ofPerson(personId: string, address: string, lang?: string): Language {
    const said = languageOf(lang)
    if (said) this.#spoken.set(address, said)
    return this.#chosen.get(personId) ?? said ?? 'en'
  }

  /** Of somebody who is not logged in yet: SSH clients say their language only then, so it is what was last spoken at that address. */
  ofAddress(address: string): Language {
    return this.#spoken.get(address) ?? 'en'
  }

  /** Chosen in the menu. */
  choose(personId: string, address: string, language: Language): void {
    this.#chosen.set(personId, language)
    this.#spoken.set(address, language)
  }
}

/** The newest of a bounded number. */
class Known {
  readonly #languages = new Map<string, Language>()

  get(key: string): Language | undefined {
    return this.#languages.get(key)
  }

  set(key: string, language: Language): void {
    this.#languages.delete(key)
    this.#languages.set(key, language)
    const [oldest] = this.#languages.keys()
    if (this.#languages.size > MAX_KNOWN && oldest !== undefined) this.#languages.delete(oldest)
  }
}
