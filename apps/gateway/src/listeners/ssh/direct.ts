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

const MAX_ASSETS = 100

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
  const assets = await findAssets(directory, person, target)
  if (assets.length === 0 || !offered.includes(protocol))
    throw new DirectError('direct_no_asset', { address, protocol })
  if (assets.length > 1 && !dialog) throw new DirectError('direct_many_assets', { address })
  const asset = assets.length === 1 ? assets[0] : dialog && (await chooseAsset(dialog, assets))
  if (!asset) return undefined

  const accounts = matchAccounts(await directory.accounts(person, asset.id), person, target.account)
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
    protocol,
  }
}

async function findAssets(
  directory: Directory,
  person: Person,
  target: DirectTarget,
): Promise<GrantedAsset[]> {
  const query = { limit: MAX_ASSETS, offset: 0, order: directory.settings().order }
  const isUsable = (asset: GrantedAsset) =>
    asset.is_active && asset.protocols.some(({ name }) => name === target.protocol)
  const byAddress = await directory.assets(person, { ...query, address: target.address })
  const found = byAddress.results.filter((asset) => asset.address === target.address && isUsable(asset))
  if (found.length > 0) return found
  const byName = await directory.assets(person, { ...query, search: [target.address] })
  return byName.results.filter((asset) => asset.name === target.address && isUsable(asset))
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
