import type { GrantedAccounts, TokenSecret } from '@sallyport/contract/gateway/grants'
import type { Language } from '@sallyport/contract/messages/language'
import { gatewayMessage } from '@sallyport/contract/messages/gateway'
import { ApiLogin } from './api/login.ts'
import { ServerRefusedError, unlessRefused } from './api/errors.ts'
import type { Gateway } from './gateway.ts'
import type { Directory, OpenSession, RedeemedToken, SessionRequest } from './listeners/ssh/services.ts'
import { reviewLogin } from './policy/login-review.ts'
import { RefusedError } from './session/failures.ts'
import type { Hold } from './session/gate.ts'
import type { Opening, SessionPlan } from './session/session.ts'
import { holdOnClient } from './traffic/hold-on-client.ts'

const redeemedMax = 1000
/** A redeemed token waits for its shell or command no longer than a person may take to log in. */
const redeemedMs = 120_000

/** What the SSH listener asks, answered by the server; and its way to open sessions. */
export class ServerDirectory implements Directory {
  readonly #gateway: Gateway
  /** Exchanged tokens by id: the exchange happens at login, before there is a session. */
  readonly #redeemed = new Map<string, TokenSecret>()

  constructor(gateway: Gateway) {
    this.#gateway = gateway
  }

  login(remoteAddress: string, language: Language): ApiLogin {
    return new ApiLogin(this.#gateway.api.transport, remoteAddress, language)
  }

  settings(): ReturnType<Directory['settings']> {
    const settings = this.#gateway.settings
    const size = settings.TERMINAL_ASSET_LIST_PAGE_SIZE
    const rows = Number(size)
    return {
      password_auth: settings.TERMINAL_PASSWORD_AUTH,
      public_key_auth: settings.TERMINAL_PUBLIC_KEY_AUTH,
      header_title: settings.TERMINAL_HEADER_TITLE,
      order: settings.TERMINAL_ASSET_LIST_SORT_BY === 'ip' ? 'address' : 'name',
      page_size: size === 'all' ? 'all' : rows > 0 ? rows : 'auto',
      max_idle_minutes: settings.SECURITY_MAX_IDLE_TIME,
      max_sessions: settings.TERMINAL_MAX_SESSIONS_PER_USER,
    }
  }

  assets: Directory['assets'] = (person, query) => this.#gateway.api.grantedAssets(person.id, query)

  nodes: Directory['nodes'] = (person) => this.#gateway.api.grantedNodes(person.id)

  async accounts(...[person, assetId]: Parameters<Directory['accounts']>): ReturnType<Directory['accounts']> {
    return (await this.#gateway.api.grantedAccounts(person.id, assetId)).filter(mayConnect)
  }

  direct: Directory['direct'] = async (person, target) => {
    const { assets, accounts } = await this.#gateway.api.directTargets(person.id, target)
    return { assets, accounts: accounts.filter(mayConnect) }
  }

  async tokenOwner(tokenId: string): Promise<string | undefined> {
    return (await unlessRefused(this.#gateway.api.tokenOwner(tokenId)))?.username
  }

  async redeemToken(tokenId: string, language: Language, value?: string): Promise<RedeemedToken | undefined> {
    const secret = await unlessRefused(orToldWhy(this.#gateway.api.tokenSecret(tokenId, language, value)))
    if (!secret) return undefined
    const [oldest] = this.#redeemed.keys()
    if (this.#redeemed.size >= redeemedMax && oldest !== undefined) this.#redeemed.delete(oldest)
    this.#redeemed.set(tokenId, secret)
    setTimeout(() => this.#redeemed.delete(tokenId), redeemedMs).unref()
    return { id: secret.id, person: secret.user, protocol: secret.protocol }
  }

  openSession: OpenSession = async (request, client, from) => {
    const session = this.#gateway.openSession({
      client,
      origin: from.origin,
      user_id: request.person.id,
      login_from: 'ST',
      remote_addr: from.remoteAddress,
      language: from.language,
      ask: (opening, signal) => this.#ask(request, from, opening, holdOnClient(client, signal)),
    })
    await session.done
  }

  async #ask(
    request: SessionRequest,
    { language }: { language: Language },
    opening: Opening,
    hold: Hold,
  ): ReturnType<SessionPlan['ask']> {
    if (request.kind === 'token') {
      const grant = this.#redeemed.get(request.token.id)
      this.#redeemed.delete(request.token.id)
      if (!grant) throw new RefusedError(gatewayMessage(language, 'token_expired'))
      return { grant }
    }
    const { person, asset, account, username, protocol, input_username, input_secret } = request
    const wanted = { user: person.id, asset: asset.id, account, protocol, input_username, input_secret }
    const begin = async (ticket?: string) =>
      await this.#gateway.beginSession({ ...opening, ...wanted, connect_method: 'ssh', ticket }, language)
    try {
      return await begin()
    } catch (error) {
      if (!(error instanceof ServerRefusedError) || error.code !== 'acl_review') throw error
    }
    const { api, decidedReviews, log } = this.#gateway
    const accounts = account.startsWith('@') ? ([username, account] as const) : ([username] as const)
    const login = { user: person.id, asset, accounts }
    return await begin(await reviewLogin(login, hold, { api, decidedReviews, language, log }))
  }
}

/** What a login rule says is for the person; all else says that there is no such token. */
async function orToldWhy<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ServerRefusedError && error.code.startsWith('acl_'))
      throw new RefusedError(error.detail, { cause: error })
    throw error
  }
}

const mayConnect = ({ actions }: GrantedAccounts[number]) => actions.includes('connect')
