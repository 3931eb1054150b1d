/**
 * What the SSH listener asks of the rest of the gateway. The API client and the session implement it; `main.ts` hands it in, so the
 * listener knows neither addresses nor targets.
 */
import type { Language } from '@sallyport/contract/messages/language'
import type { Client } from '../../traffic/ports.ts'

export interface Person {
  id: string
  username: string
  name: string
}

/** What a person proves their identity with: `public_key` is base64 of the key in wire form, already verified by its signature. */
export interface Credentials {
  username: string
  password?: string
  public_key?: string
}

/** The server's answer to a login (`authentication/tokens/`). */
export type LoginStep =
  /** `signedInMs`: when, by the server's clock; undefined where the server does not tell. */
  | { kind: 'granted'; person: Person; signedInMs?: number }
  | { kind: 'mfa'; choices: string[] }
  | { kind: 'confirm' }
  | { kind: 'refused'; code: string; message: string }

/** One login in several steps; it keeps the server's cookies between them. */
export interface Login {
  begin(credentials: Credentials): Promise<LoginStep>
  /** Asks for a code to be sent where the method needs that. */
  selectMfa(type: string): Promise<void>
  /** True when the code was right; otherwise the server's sentence. */
  answerMfa(type: string, code: string): Promise<true | { message: string }>
  /** Asks again after MFA or confirmation. */
  resume(): Promise<LoginStep>
  confirmStatus(): Promise<'approved' | 'waiting' | 'refused'>
  /** Closes a waiting confirmation. */
  abandon(): Promise<void>
}

export interface GrantedAsset {
  id: string
  name: string
  address: string
  is_active: boolean
  comment: string
  org_name: string
  platform: { id: number; name: string }
  protocols: { name: string; port: number }[]
}

export interface GrantedAccount {
  /** The account's name, or `@INPUT`, `@USER`. */
  alias: string
  name: string
  username: string
  has_secret: boolean
}

export interface GrantedNode {
  id: string
  /** `1:2:3`; parents before children. */
  key: string
  value: string
  assets_amount: number
}

export interface AssetQuery {
  limit: number
  offset: number
  order: 'name' | 'address'
  search?: string[]
  category?: string
  node_id?: string
  /** Has the server compute the person's rights anew. */
  rebuild_tree?: boolean
}

/** Settings the administrator can change at any time (`terminals/config/`). */
export interface ListenerSettings {
  password_auth: boolean
  public_key_auth: boolean
  header_title: string
  order: 'name' | 'address'
  /** Rows of a page of the menu; `auto` follows the window, `all` doesn't page. */
  page_size: number | 'auto' | 'all'
  max_idle_minutes: number
  /** Sessions, and connections, at one time of one person. */
  max_sessions: number
}

export interface Directory {
  /** `language`: of the server's sentences. */
  login(remoteAddress: string, language: Language): Login
  settings(): ListenerSettings
  assets(person: Person, query: AssetQuery): Promise<{ count: number; results: GrantedAsset[] }>
  nodes(person: Person): Promise<GrantedNode[]>
  accounts(person: Person, assetId: string): Promise<GrantedAccount[]>
  /** The person's assets of that address, else of that name, that speak the protocol; where it is one, the accounts on it. */
  direct(
    person: Person,
    target: { address: string; protocol: string },
  ): Promise<{ assets: GrantedAsset[]; accounts: GrantedAccount[] }>
  /** User name of whose a token is, which stays usable. Undefined when there is no such token or it is expired. */
  tokenOwner(tokenId: string): Promise<string | undefined>
  /**
   * Uses the token up; `value`: only where that is its value. Undefined when it is not, or there is no such token, or it is expired. Rejects
   * with a RefusedError, in that language, where a rule does not let its person connect.
   */
  redeemToken(tokenId: string, language: Language, value?: string): Promise<RedeemedToken | undefined>
}

export interface RedeemedToken {
  id: string
  person: Person
  protocol: string
}

/** Which asset, as whom. A redeemed token already says it. */
export type SessionRequest =
  | {
      kind: 'grant'
      person: Person
      asset: { id: string; name: string; address: string }
      /** Alias of the account. */
      account: string
      /** Its user name; as typed, where it has none. */
      username: string
      protocol: string
      input_username?: string
      input_secret?: string
    }
  | { kind: 'token'; person: Person; token: RedeemedToken }

/** Where a person's channels come from. */
export interface Origin {
  remoteAddress: string
  /** Stands for the person's connection: its sessions may share what they connect to. */
  origin: object
}

/**
 * Runs one session on the person's channel; rights are checked anew for each. Settles when it has ended; why it ended, and every refusal,
 * has been told to the person through `client` by then. Never rejects.
 */
export type OpenSession = (
  request: SessionRequest,
  client: Client,
  from: Origin & { language: Language },
) => Promise<void>
