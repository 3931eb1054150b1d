/** What a person chooses before a terminal opens, and the connection token made of it. */
import { ConnectionToken as Declared } from '@sallyport/contract/resources/authentication'
import { call } from '../../kit/api/call.ts'
import { isRecord } from '../../kit/api/errors.ts'
import { sealSecret } from '../../kit/secrets/secrets.ts'
import {
  type ConnectMethod,
  type GrantedAccount,
  type GrantedAsset,
  loadAccounts,
  loadAsset,
  loadConnectMethods,
} from './granted.ts'

export interface Offer {
  asset: GrantedAsset
  accounts: GrantedAccount[]
  /** Protocols of the asset that this page can open, with the ways to do so. */
  protocols: { name: string; methods: ConnectMethod[] }[]
}

export interface Choice {
  protocol: string
  /** The account's alias. */
  account: string
  method: string
}

export interface ManualSecret {
  username: string
  secret: string
}

export type ConnectionToken = Pick<Declared, 'id' | 'value'>

/** Ways this page knows to open. */
const knownMethods = new Set(['web_cli', 'ssh', 'putty'])

export const isNativeMethod = (method: string) => method !== 'web_cli'

/** Gathers what may be chosen for an asset; undefined when it is not granted (any more). Rejects with ApiError. */
export async function loadOffer(assetId: string): Promise<Offer | undefined> {
  const [asset, methods] = await Promise.all([loadAsset(assetId), loadConnectMethods()])
  if (!asset) return undefined
  const accounts = asset.is_active ? await loadAccounts(assetId) : []
  const protocols = asset.protocols.map(({ name }) => ({
    name,
    methods: (methods[name] ?? []).filter((method) => knownMethods.has(method.value)),
  }))
  return { asset, accounts, protocols: protocols.filter(({ methods }) => methods.length > 0) }
}

export const isManual = (account: GrantedAccount) => account.alias === '@INPUT'

/** Whether the person has to type a secret for this account. */
export const needsSecret = (account: GrantedAccount) => !account.has_secret

const rememberKey = (assetId: string) => `JMS_PRE_${assetId}`

export function remember(assetId: string, choice: Choice, autoLogin: boolean) {
  localStorage.setItem(rememberKey(assetId), JSON.stringify({ ...choice, autoLogin }))
}

/** What was chosen last; `autoLogin` says to connect that way without asking. */
function recall(assetId: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(rememberKey(assetId)) ?? '{}')
    return isRecord(value) ? value : {}
  } catch {
    // Damaged: as if nothing had been remembered.
    return {}
  }
}

/** The choice to begin with: what was chosen last for this asset where that is still offered, else the first of each. */
export function preselect(offer: Offer): { choice: Choice; autoLogin: boolean } | undefined {
  const last = recall(offer.asset.id)
  const protocol = offer.protocols.find(({ name }) => name === last['protocol']) ?? offer.protocols[0]
  const account =
    offer.accounts.find(({ alias }) => alias === last['account']) ??
    offer.accounts.find(({ has_secret }) => has_secret) ??
    offer.accounts[0]
  const method = protocol?.methods.find(({ value }) => value === last['method']) ?? protocol?.methods[0]
  if (!protocol || !account || !method) return undefined
  const choice = { protocol: protocol.name, account: account.alias, method: method.value }
  const sameAsLast =
    choice.account === last['account'] &&
    choice.protocol === last['protocol'] &&
    choice.method === last['method']
  return { choice, autoLogin: sameAsLast && last['autoLogin'] === true }
}

/** The choice that needs no question: the only one there is, or the one the person said to repeat. */
export function obviousChoice(offer: Offer): Choice | undefined {
  const selected = preselect(offer)
  const account = offer.accounts.find(({ alias }) => alias === selected?.choice.account)
  if (!selected || !account || needsSecret(account)) return undefined
  // A person's own client is another place, not another way here: it is reached by asking for the choice.
  const waysHere = offer.protocols.flatMap(({ methods }) =>
    methods.filter(({ value }) => !isNativeMethod(value)),
  )
  const isOnlyOne = offer.accounts.length === 1 && offer.protocols.length === 1 && waysHere.length === 1
  return (isOnlyOne && !isNativeMethod(selected.choice.method)) || selected.autoLogin
    ? selected.choice
    : undefined
}

/**
 * Asks the server for a connection token. Rejects with ApiError, whose code says which rule refused. `createTicket`: where a rule wants an
 * approval, it is asked for.
 */
export async function createToken(
  assetId: string,
  choice: Choice,
  manual?: ManualSecret,
  createTicket = false,
): Promise<Pick<Declared, 'id' | 'value' | 'from_ticket_info'>> {
  return await call(Declared, 'create', {
    query: createTicket ? { create_ticket: true } : {},
    body: {
      asset: assetId,
      account: choice.account,
      protocol: choice.protocol,
      connect_method: choice.method,
      input_username: manual?.username ?? '',
      input_secret: await sealSecret(manual?.secret ?? ''),
    },
  })
}

/** A fresh token with the choices, and the typed secret, of an earlier one. */
export const exchangeToken = (tokenId: string): Promise<ConnectionToken> =>
  call(Declared, 'exchange', { body: { id: tokenId } })

/** The command line for a person's own SSH client. */
export async function nativeCommand(token: ConnectionToken): Promise<string> {
  const { url } = await call(Declared, 'clientUrl', { id: token.id })
  const bytes = Uint8Array.from(atob(url.replace(/^jms:\/\//, '')), (char) => char.charCodeAt(0))
  const file: unknown = JSON.parse(new TextDecoder().decode(bytes))
  return isRecord(file) && typeof file['command'] === 'string' ? file['command'] : ''
}
