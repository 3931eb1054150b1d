import type { GatewayMenuKey } from '@sallyport/contract/messages/gateway-menu'
import type { Params } from '@sallyport/contract/messages/language'
import { chooseRow, completeGrant, type Dialog } from './menu/choose.ts'
import type { Directory, GrantedAccount, GrantedAsset, Person, SessionRequest } from './services.ts'

/** What a direct login name points at. */
export interface DirectTarget {
  protocol: string
  account: string
  address: string
}

/** Why a direct login can't be served, as a sentence of the catalogue. */
export class DirectError extends Error {
  readonly key: GatewayMenuKey
  readonly params: Params

  constructor(key: GatewayMenuKey, params: Params) {
    super(key)
    this.key = key
    this.params = params
  }
}

/**
 * Finds what a direct login points at among the person's own assets, by address, else by name. With a dialog the person chooses among
 * several and types a secret that is not stored; without one (a command) all must be unique. Undefined when the person went back.
 */
export async function resolveDirect(
  directory: Directory,
  person: Person,
  target: DirectTarget,
  offered: readonly string[],
  dialog: Dialog | undefined,
): Promise<SessionRequest | undefined> {
  const { protocol, address } = target
  const found = offered.includes(protocol) && (await directory.direct(person, { address, protocol }))
  if (!found || found.assets.length === 0) throw new DirectError('direct_no_asset', { address, protocol })
  const { assets } = found
  if (assets.length > 1 && !dialog) throw new DirectError('direct_many_assets', { address })
  const asset = assets.length === 1 ? assets[0] : dialog && (await chooseAsset(dialog, assets))
  if (!asset) return undefined

  const listed = assets.length === 1 ? found.accounts : await directory.accounts(person, asset.id)
  const accounts = matchAccounts(listed, person, target.account)
  const account = accounts.length > 1 && dialog ? await chooseAccount(dialog, accounts) : accounts[0]
  if (accounts.length === 0 || (accounts.length > 1 && !dialog)) {
    throw new DirectError('direct_no_account', { account: target.account, asset: asset.name })
  }
  if (!account) return undefined
  if (dialog) return await completeGrant(dialog, person, asset, account, protocol, target.account)
  if (!account.has_secret) throw new DirectError('direct_needs_secret', { account: target.account })
  const { id, name } = asset
  return {
    kind: 'grant',
    person,
    asset: { id, name, address: asset.address },
    account: account.alias,
    username: account.alias === '@USER' ? person.username : account.username,
    protocol,
  }
}

/** Accounts of that user name, or that name; else one the person types the secret of. */
function matchAccounts(accounts: GrantedAccount[], person: Person, wanted: string): GrantedAccount[] {
  const isVirtual = ({ alias }: GrantedAccount) => alias.startsWith('@')
  const stored = accounts.filter((account) => !isVirtual(account) && account.username === wanted)
  if (stored.length > 0) return stored
  const named = accounts.filter((account) => account.alias === wanted || account.name === wanted)
  if (named.length > 0) return named
  const isOwn = (account: GrantedAccount) => account.alias === '@USER' && person.username === wanted
  return accounts.filter((account) => isOwn(account) || account.alias === '@INPUT').slice(0, 1)
}

const chooseAsset = (dialog: Dialog, assets: GrantedAsset[]) =>
  chooseRow(dialog, 'choose_asset', ['col_name', 'col_address', 'col_comment'], assets, (asset) => [
    asset.name,
    asset.address,
    asset.comment,
  ])

const chooseAccount = (dialog: Dialog, accounts: GrantedAccount[]) =>
  chooseRow(dialog, 'choose_account', ['col_name', 'col_username'], accounts, (account) => [
    account.name,
    account.username,
  ])
