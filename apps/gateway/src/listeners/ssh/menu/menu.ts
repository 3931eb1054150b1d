import { languages, type Language } from '@sallyport/contract/messages/language'
import type { GatewayMenuKey } from '@sallyport/contract/messages/gateway-menu'
import { printable } from '@sallyport/contract/messages/terminal-text'
import type { AssetQuery, Directory, GrantedAsset, GrantedNode, Person, SessionRequest } from '../services.ts'
import { say } from '../text.ts'
import { askLine, chooseSession, TtyEnd, type Dialog } from './choose.ts'
import { table } from './table.ts'
import type { Tty } from './tty.ts'

export interface MenuOptions {
  tty: Tty
  directory: Directory
  person: Person
  language: Language
  /** Protocols that can be used from here. */
  protocols: readonly string[]
  /** Runs a session on the terminal, until it has ended. */
  connect: (request: SessionRequest, language: Language) => Promise<void>
  /** Logs what the person only sees as "the server does not answer". */
  onError: (error: unknown) => void
  onLanguage: (language: Language) => void
}

interface Listing {
  filter: Pick<AssetQuery, 'search' | 'category' | 'node_id'>
  offset: number
  limit: number
  count: number
  rows: GrantedAsset[]
}

const MAX_PAGE = 500
/** Rows of the window that a page does not use: headings, figures, tips, prompt. */
const FRAME_ROWS = 8
const MAX_TERMS = 8
const HELP: GatewayMenuKey[] = [
  'help_search',
  'help_number',
  'help_list',
  'help_all',
  'help_nodes',
  'help_pages',
  'help_refresh',
  'help_language',
  'help_quit',
]

/** The selection menu: finds assets and connects to them until the person leaves. */
export class Menu {
  readonly #options: MenuOptions
  readonly #tty: Tty
  #language: Language
  #listing: Listing | undefined
  #nodes: Promise<GrantedNode[]> | undefined

  constructor(options: MenuOptions) {
    this.#options = options
    this.#tty = options.tty
    this.#language = options.language
  }

  /** Settles when the person leaves; throws `TtyEnd` when there is nobody any more. */
  async run(): Promise<void> {
    this.#tty.clear()
    this.#welcome()
    for (;;) {
      const text = await askLine(this.#dialog, this.#listing ? '[Host]> ' : 'Opt> ')
      if (text === undefined) continue
      const input = text.trim()
      if (/^(q|quit|exit)$/i.test(input)) return
      try {
        await this.#obey(input)
      } catch (error) {
        if (error instanceof TtyEnd) throw error
        this.#options.onError(error)
        this.#print('server_failed')
      }
    }
  }

  get #dialog(): Dialog {
    const minutes = this.#options.directory.settings().max_idle_minutes
    return { tty: this.#tty, language: this.#language, idleMs: minutes * 60_000 }
  }

  #print(key: GatewayMenuKey, params?: Record<string, string | number>): void {
    this.#tty.print(say(this.#language, key, params))
  }

  #welcome(): void {
    const title = this.#options.directory.settings().header_title || say(this.#language, 'welcome')
    this.#tty.print(`\u001b[32m${printable(this.#options.person.name)},  ${printable(title)}\u001b[0m`, '')
    this.#help()
  }

  #help(): void {
    for (const [index, key] of HELP.entries()) this.#tty.print(`  ${index + 1}) ${say(this.#language, key)}`)
    this.#tty.print('')
  }

  async #obey(input: string): Promise<void> {
    const command = input.toLowerCase()
    const row = /^\d{1,6}$/.test(input) ? this.#listing?.rows[Number(input) - 1] : undefined
    if (row) await this.#connect(row)
    else if (command === '') await this.#page(this.#listing ? 1 : 0)
    else if (command === 'n') await this.#page(1)
    else if (command === 'b') await this.#page(-1)
    else if (command === 'p') await this.#list({})
    else if (command === 'h') await this.#list({ category: 'host' })
    else if (command === 'd') await this.#list({ category: 'database' })
    else if (command === 'g') await this.#showNodes()
    else if (/^g\d{1,6}$/.test(command)) await this.#openNode(Number(command.slice(1)))
    else if (command === 'r') await this.#refresh()
    else if (command === 's') this.#nextLanguage()
    else if (command === '?') this.#help()
    else if (input.startsWith('//')) await this.#refine(input.slice(2).trim())
    else if (input.startsWith('/')) await this.#list(searchFor(input.slice(1).trim()))
    else await this.#search(input)
  }

  /** One hit, or one that is called exactly so, connects at once. */
  async #search(text: string): Promise<void> {
    const listing = await this.#fetch(searchFor(text), 0)
    const exact = listing.rows.filter(({ name, address }) => name === text || address === text)
    const only = listing.count === 1 ? listing.rows[0] : exact.length === 1 ? exact[0] : undefined
    if (only) await this.#connect(only)
    else this.#show(listing)
  }

  async #refine(text: string): Promise<void> {
    const filter: Listing['filter'] = this.#listing?.filter ?? {}
    const terms = [...(filter.search ?? []), ...(text === '' ? [] : [text])]
    await this.#list({ ...filter, search: terms.slice(-MAX_TERMS) })
  }

  async #list(filter: Listing['filter']): Promise<void> {
    this.#show(await this.#fetch(filter, 0))
  }

  async #page(step: 1 | 0 | -1): Promise<void> {
    const now = this.#listing
    if (!now || step === 0) {
      await this.#list({})
      return
    }
    const offset = step > 0 ? now.offset + now.rows.length : Math.max(now.offset - this.#pageSize(), 0)
    if (step > 0 && offset >= now.count) this.#print('no_next_page')
    else if (step < 0 && now.offset === 0) this.#print('no_page_before')
    else this.#show(await this.#fetch(now.filter, offset))
  }

  #pageSize(): number {
    const { page_size } = this.#options.directory.settings()
    if (page_size === 'all') return MAX_PAGE
    return page_size === 'auto'
      ? Math.max(this.#tty.size.rows - FRAME_ROWS, 1)
      : Math.min(page_size, MAX_PAGE)
  }

  async #fetch(filter: Listing['filter'], offset: number, rebuild_tree = false): Promise<Listing> {
    const { directory, person } = this.#options
    const limit = this.#pageSize()
    const query: AssetQuery = { ...filter, limit, offset, order: directory.settings().order }
    const { count, results } = await directory.assets(
      person,
      rebuild_tree ? { ...query, rebuild_tree } : query,
    )
    return { filter, offset, limit, count, rows: results.slice(0, MAX_PAGE) }
  }

  #show(listing: Listing): void {
    this.#listing = listing
    const { filter, rows, count, offset, limit } = listing
    if (rows.length === 0) this.#print('no_assets')
    else {
      const headings: GatewayMenuKey[] = [
        'col_id',
        'col_name',
        'col_address',
        'col_protocols',
        'col_platform',
        'col_org',
        'col_comment',
      ]
      const cells = rows.map((asset, index) => [
        String(index + 1),
        asset.name,
        asset.address,
        asset.protocols.map(({ name }) => name).join('|'),
        asset.platform.name,
        asset.org_name,
        asset.comment,
      ])
      this.#tty.print(
        ...table(
          headings.map((key) => say(this.#language, key)),
          cells,
          this.#tty.size.cols,
        ),
      )
      const pages = Math.max(Math.ceil(count / limit), 1)
      this.#print('page', { page: Math.min(Math.floor(offset / limit) + 1, pages), pages, count })
    }
    if (filter.search?.length) this.#print('searched', { terms: filter.search.join(' ') })
    this.#print('tips')
  }

  /** In key order, numbered through. */
  async #loadNodes(): Promise<GrantedNode[]> {
    this.#nodes ??= this.#options.directory
      .nodes(this.#options.person)
      .then((nodes) => nodes.filter(({ key }) => /^\d+(:\d+)*$/.test(key)).sort(byKey))
    try {
      return await this.#nodes
    } catch (error) {
      this.#nodes = undefined
      throw error
    }
  }

  async #showNodes(): Promise<void> {
    const nodes = await this.#loadNodes()
    if (nodes.length === 0) this.#print('no_nodes')
    for (const [index, { key, value, assets_amount }] of nodes.entries()) {
      const indent = '  '.repeat(Math.min(key.split(':').length - 1, 20))
      this.#tty.print(`${indent}${index + 1}.${printable(value)}(${assets_amount})`)
    }
  }

  async #openNode(number: number): Promise<void> {
    const node = (await this.#loadNodes())[number - 1]
    if (node) await this.#list({ node_id: node.id })
    else this.#print('no_such_node', { number })
  }

  async #refresh(): Promise<void> {
    this.#nodes = undefined
    const { filter } = this.#listing ?? { filter: {} }
    await this.#fetch(filter, 0, true)
    this.#print('refreshed')
  }

  #nextLanguage(): void {
    const order = ['en', 'zh', 'ja'] as const
    const next = order[(order.indexOf(this.#language) + 1) % languages.length] ?? 'en'
    this.#language = next
    this.#options.onLanguage(next)
    this.#print('language_is')
    this.#help()
  }

  async #connect(asset: GrantedAsset): Promise<void> {
    const { directory, person, protocols, connect } = this.#options
    const request = await chooseSession(this.#dialog, directory, person, asset, protocols)
    if (request) await connect(request, this.#language)
  }
}

function searchFor(text: string): Listing['filter'] {
  return text === '' ? {} : { search: [text] }
}

function byKey(a: GrantedNode, b: GrantedNode): number {
  const left = a.key.split(':').map(Number)
  const right = b.key.split(':').map(Number)
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}
